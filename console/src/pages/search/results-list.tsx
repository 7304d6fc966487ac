import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { count } from '../../format/numbers.ts';
import { join } from '../../parts/button.tsx';
import { ResultHead, ResultRow, isTall } from './result-row.tsx';
import s from './results-list.module.css';
import type { Selection } from './selection.ts';
import type { Hits } from './use-hits.ts';

export interface ResultsHandle {
  focus: () => void;
  reveal: (index: number) => void;
  /** How many files stand side by side. */
  columns: number;
}

export interface ResultsProps {
  hits: Hits;
  words: string[];
  selection: Selection;
  libraryName: (id: string) => string;
  phone: boolean;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
  ref: Ref<ResultsHandle>;
}

/** Browsers stop laying out boxes higher than about 33 million pixels; a list ends before that and says so. */
const MOST_ROWS = 400_000;

/** The results as rows. Only what is in view is in the page. */
export function ResultsList({ hits, words, selection, libraryName, phone, onPick, onOpen, ref }: ResultsProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = phone ? 64 : 52;
  const tallHeight = phone ? 76 : 72;
  const shownRows = Math.min(hits.total, MOST_ROWS);
  const rows = useVirtualizer({
    count: shownRows,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (isTall(hits.hitAt(index)) ? tallHeight : rowHeight),
    overscan: 8,
  });
  const { first, version, show } = hits;

  // Pages that arrive may hold taller rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the rows or their heights change
  useEffect(() => rows.measure(), [version, first, phone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => {
    scroll.current?.scrollTo({ top: 0 });
  }, [first]);

  const items = rows.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(from, to), [from, to, show, version, first]);

  useImperativeHandle(
    ref,
    () => ({ focus: () => scroll.current?.focus(), reveal: (index) => rows.scrollToIndex(index, { align: 'auto' }), columns: 1 }),
    [rows],
  );

  return (
    <>
      <ResultHead total={hits.total} />
      <div
        ref={scroll}
        className={join(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label="Results"
        aria-rowcount={hits.total}
        aria-multiselectable
        aria-activedescendant={selection.current !== null ? `row-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} style={{ height: rows.getTotalSize() + (hits.total > MOST_ROWS ? 64 : 0) }} role="rowgroup">
          {items.map((item) => {
            const hit = hits.hitAt(item.index);
            return (
              <ResultRow
                key={item.key}
                hit={hit}
                index={item.index}
                id={`row-${item.index}`}
                top={item.start}
                height={item.size}
                library={hit ? libraryName(hit.library_id) : ''}
                words={words}
                selected={hit ? selection.ids.has(hit.id) : false}
                current={selection.current === item.index}
                phone={phone}
                onPick={onPick}
                onOpen={onOpen}
              />
            );
          })}
          {hits.total > MOST_ROWS && (
            <p className={s.end} style={{ top: rows.getTotalSize() }}>
              These are the first {count(MOST_ROWS)} of {count(hits.total)} files. Add a word or a filter to see the others.
            </p>
          )}
        </div>
      </div>
    </>
  );
}
