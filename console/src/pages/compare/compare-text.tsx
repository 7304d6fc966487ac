import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { itemText } from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import s from './compare-page.module.css';
import { type DiffLine, diffLines } from './differences.ts';

/** Unchanged lines shown before and after a change. */
const CONTEXT = 3;
/** More lines would make the page slow; the rest is counted. */
const MAX_LINES = 2000;
const WORDS = { same: '', left: `${t('Only in A:')} `, right: `${t('Only in B:')} ` } as const;

/** Hides long runs of unchanged lines. A number stands for that many hidden lines. */
function withContext(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const shown: (DiffLine | number)[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (near[at]) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}

/** What differs between the texts of two files, line by line. */
export function CompareText({ items }: { items: readonly [Item, Item] }) {
  const [left, right] = useQueries({
    queries: items.map((item) => ({
      queryKey: ['item', item.id, 'text'],
      queryFn: ({ signal }: { signal: AbortSignal }) => itemText(item.id, signal),
      staleTime: 60_000,
      retry: false,
    })),
  });
  const a = left?.data?.text;
  const b = right?.data?.text;
  const lines = useMemo(() => (a === undefined || b === undefined ? [] : diffLines(a, b)), [a, b]);
  const shown = useMemo(() => withContext(lines), [lines]);
  if (left?.error || right?.error) return null;
  if (a === undefined || b === undefined) return <Loading what={t('the texts')} />;
  if (a.trim() === '' && b.trim() === '') return null;
  const changed = lines.filter((line) => line.kind !== 'same').length;
  return (
    <section className={s.text} aria-label={t('Text')}>
      <h2 className="h3">{t('Text')}</h2>
      <p className="muted meta">
        {changed === 0 ? t('The texts are the same.') : t('{n|# line differs|# lines differ}.', { n: changed })}
        {(left?.data?.truncated || right?.data?.truncated) && ` ${t('Only the stored part of a long text is compared.')}`}
      </p>
      {changed > 0 && (
        <pre className={s.diff} role="region" tabIndex={0} aria-label={t('Lines that differ')}>
          {shown.slice(0, MAX_LINES).map((line, at) =>
            typeof line === 'number' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
              <span key={at} className={s.hidden}>
                {t('{n|# unchanged line|# unchanged lines}', { n: line })}
              </span>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
              <span key={at} data-kind={line.kind}>
                <i aria-hidden>{line.kind === 'left' ? 'A' : line.kind === 'right' ? 'B' : ''}</i>
                <span className="visually-hidden">{WORDS[line.kind]}</span>
                {line.text}
              </span>
            ),
          )}
          {shown.length > MAX_LINES && (
            <span className={s.hidden}>{t('{shown|# more line|# more lines}', { shown: shown.length - MAX_LINES })}</span>
          )}
        </pre>
      )}
    </section>
  );
}
