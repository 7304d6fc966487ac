import { type MouseEvent, type Ref, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { join } from '../../parts/button.tsx';
import { ResultHead, ResultRow } from './result-row.tsx';
import s from './results-list.module.css';
import type { Selection } from './selection.ts';
import { rowStrip } from './strip.ts';
import { useHeldLines } from './use-held-lines.ts';
import { type Hits, useArrivals } from './use-hits.ts';
import { useStripWindow } from './use-strip-window.ts';

export interface ResultsHandle {
  focus: () => void;
  reveal: (index: number) => void;
  /** How many files stand side by side. */
  columns: number;
  /** How many files are in view at once. */
  page: number;
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

/** The results as rows. Only what is in view is in the page, however long the list is; a row that leaves is used again for one that comes. */
export function ResultsList({ hits, words, selection, libraryName, phone, onPick, onOpen, ref }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, hitAt, show, total, tallRows } = hits;
  const version = useArrivals(hits);
  // Hits that arrive are drawn piece by piece, between the frames of somebody who scrolls; what scrolls into view is drawn at once.
  const settled = useDeferredValue(version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: taller rows are known when a page arrived
  const tall = useMemo(tallRows, [tallRows, first, settled]);
  const strip = useMemo(() => rowStrip(total, phone ? 64 : 52, phone ? 76 : 72, tall), [total, phone, tall]);
  const rows = useStripWindow(scroller, strip, 8);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => rows.reveal(0, 'start'), [hits.question]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(rows.from, rows.to, rows.leapt), [rows.from, rows.to, rows.leapt, show, version, first]);
  const page = rows.whole(strip.step);
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), reveal: rows.reveal, columns: 1, page }), [rows.reveal, page]);

  const { topOf } = rows;
  const slots = rows.slots(strip.step);
  const slotOf = useCallback((line: number) => line % slots, [slots]);
  const held = useHeldLines(rows, strip.count, slotOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrived is read through hitAt
  const drawn = useMemo(
    () =>
      held.map(([slot, index]) => {
        const hit = hitAt(index);
        return (
          <ResultRow
            key={slot}
            hit={hit}
            index={index}
            id={`row-${index}`}
            top={topOf(index)}
            height={strip.top(index + 1) - strip.top(index)}
            library={hit ? libraryName(hit.library_id) : ''}
            words={words}
            selected={hit ? selection.ids.has(hit.id) : false}
            current={selection.current === index}
            phone={phone}
            onPick={onPick}
            onOpen={onOpen}
          />
        );
      }),
    [held, topOf, strip, settled, first, hitAt, selection, words, libraryName, phone, onPick, onOpen],
  );

  return (
    <>
      <ResultHead total={total} />
      <div
        ref={scroller}
        className={join(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label="Results"
        aria-rowcount={total}
        aria-multiselectable
        aria-busy={hits.stale}
        aria-activedescendant={selection.current !== null ? `row-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} style={{ height: rows.height }} role="rowgroup">
          {drawn}
        </div>
      </div>
    </>
  );
}
