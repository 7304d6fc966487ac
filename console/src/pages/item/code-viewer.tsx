import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { t } from '../../language/text.ts';
import { codeLines } from './code-lines.ts';
import s from './code-viewer.module.css';
import preview from './preview.module.css';
import type { TextMatches } from './use-text-matches.ts';

/** Longer files are shown without colours, because colouring them would block the page. */
const MAX_COLOURED = 200_000;

/** Source code with its indentation, line numbers and colours, and all matches marked. It scrolls to the current match. */
export function CodeViewer({ textMatches, extension }: { textMatches: TextMatches; extension: string }) {
  const { text, matches, match, jumps } = textMatches;
  const source = text?.text ?? '';
  const coloured = useQuery({
    queryKey: ['code', extension, source],
    queryFn: async () => (await import('./code-tokens.ts')).codeTokens(source, extension),
    enabled: source.length > 0 && source.length <= MAX_COLOURED,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const lines = useMemo(() => codeLines(source.replace(/\n$/, ''), coloured.data ?? [], matches), [source, coloured.data, matches]);
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the user goes to the current match again
  useEffect(() => {
    scroller.current?.querySelector('mark[data-current="true"]')?.scrollIntoView({ block: 'center' });
  }, [match, jumps, source]);
  return (
    <div ref={scroller} className={preview.scroll} tabIndex={0} role="region" aria-label={t('Text')}>
      <pre className={s.code} style={{ '--digits': String(lines.length).length } as Record<string, unknown>}>
        {lines.map((pieces, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
          <code key={number} className={s.line}>
            {pieces.map((piece, nth) => {
              const key = `${nth}`;
              if (piece.match !== null)
                return (
                  <mark key={key} data-current={piece.match === match}>
                    {piece.text}
                  </mark>
                );
              return piece.kind ? (
                <span key={key} className={s[piece.kind]}>
                  {piece.text}
                </span>
              ) : (
                piece.text
              );
            })}
            {'\n'}
          </code>
        ))}
      </pre>
      {text?.truncated && (
        <p className="t2">{t('Showing the first {source} characters. Download the file to see the rest.', { source: source.length })}</p>
      )}
    </div>
  );
}
