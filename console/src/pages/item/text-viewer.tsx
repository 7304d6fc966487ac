import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { classNames } from '../../components/button.tsx';
import s from './preview.module.css';
import type { TextMatches } from './use-text-matches.ts';

const WORDS: Record<string, string> = {
  ocr: 'Read from the picture by text recognition; letters may be wrong.',
  subtitles: 'The subtitles of the film.',
  members: 'The names inside the archive.',
};

/** Where the words come from, when it is not simply the file's own text. */
export const sourceWords = (source: string): string | null => WORDS[source] ?? null;

/** Beside the list only the stretch around the first match is shown. */
const STRETCH = 2_000;
const LEAD = 160;

/** The words of a file with every match marked; the view follows the match that is looked at. */
export function TextViewer({ textMatches, mono, small }: { textMatches: TextMatches; mono: boolean; small: boolean }) {
  const { text, matches, match, asked } = textMatches;
  const current = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen match
  useEffect(() => {
    if (!small) void current.current?.scrollIntoView({ block: 'center' });
  }, [match, asked, text]);
  if (!text) return null;
  const start = small ? Math.max(0, (matches[0]?.at ?? 0) - LEAD) : 0;
  const end = small ? start + STRETCH : text.text.length;
  // A page of the file ends where the text has a form feed; textMatches on, it is a gap.
  const stretch = (a: number, b: number) => text.text.slice(a, b).replaceAll('\f', '\n\n');
  const shown: ReactNode[] = start > 0 ? ['… '] : [];
  let from = start;
  matches.forEach((one, i) => {
    if (one.at < start || one.end > end) return;
    shown.push(stretch(from, one.at));
    shown.push(
      <mark key={one.at} data-current={i === match} ref={i === match ? current : undefined}>
        {stretch(one.at, one.end)}
      </mark>,
    );
    from = one.end;
  });
  shown.push(stretch(from, end));
  return (
    <div className={classNames(s.scroll, small && s.small)} tabIndex={small ? -1 : 0} role="region" aria-label="Text of the file">
      <article className={s.page} data-mono={mono} dir="auto">
        {!small && sourceWords(text.source) && <p className={s.lead}>{sourceWords(text.source)}</p>}
        {shown}
        {!small && text.truncated && (
          <p className={s.lead}>
            The text goes on. The catalog keeps its first {formatCount(text.text.length)} characters; the file has the rest.
          </p>
        )}
      </article>
    </div>
  );
}
