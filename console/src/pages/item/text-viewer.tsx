import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import s from './preview.module.css';
import type { TextMatches } from './use-text-matches.ts';

/** Notes about text that is not the body of the file, by its source. */
const SOURCE_NOTES: Record<string, string> = {
  ocr: t('From text recognition (OCR). It may contain errors.'),
  subtitles: t('Subtitles of the video.'),
  members: t('Names of the files in the archive.'),
};

/** In the inspector, only this many characters around the first match are shown. */
const EXCERPT = 2_000;
const LEAD = 160;

/** The text of a file with all matches marked. It scrolls to the current match. */
export function TextViewer({ textMatches, mono, small }: { textMatches: TextMatches; mono: boolean; small: boolean }) {
  const { text, matches, match, jumps } = textMatches;
  const current = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the user goes to the current match again
  useEffect(() => {
    if (!small) void current.current?.scrollIntoView({ block: 'center' });
  }, [match, jumps, text]);
  if (!text) return null;
  const start = small ? Math.max(0, (matches[0]?.at ?? 0) - LEAD) : 0;
  const end = small ? start + EXCERPT : text.text.length;
  // Form feeds separate pages.
  const excerpt = (a: number, b: number) => text.text.slice(a, b).replaceAll('\f', '\n\n');
  const shown: ReactNode[] = start > 0 ? ['… '] : [];
  let from = start;
  matches.forEach((one, i) => {
    if (one.at < start || one.end > end) return;
    shown.push(excerpt(from, one.at));
    shown.push(
      <mark key={one.at} data-current={i === match} ref={i === match ? current : undefined}>
        {excerpt(one.at, one.end)}
      </mark>,
    );
    from = one.end;
  });
  shown.push(excerpt(from, end));
  return (
    <div className={classNames(s.scroll, small && s.small)} tabIndex={0} role="region" aria-label={t('Text')}>
      <article className={s.page} data-mono={mono} dir="auto">
        {!small && SOURCE_NOTES[text.source] && <p className={s.lead}>{SOURCE_NOTES[text.source]}</p>}
        {shown}
        {!small && text.truncated && (
          <p className={s.lead}>
            {t('Showing the first {text} characters. Download the file to see the rest.', { text: text.text.length })}
          </p>
        )}
      </article>
    </div>
  );
}
