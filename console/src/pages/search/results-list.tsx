import { type MouseEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { join } from '../../parts/button.tsx';
import { isTall, ResultHead, ResultRow } from './result-row.tsx';
import s from './results-list.module.css';
import { offsetOf, type RowLayout } from './row-layout.ts';
import type { Selection } from './selection.ts';
import type { Hits } from './use-hits.ts';
import { useRowWindow } from './use-row-window.ts';

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

/** The results as rows. Only what is in view is in the page, however long the list is. */
export function ResultsList({ hits, words, selection, libraryName, phone, onPick, onOpen, ref }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, version, hitAt, show, total, loaded } = hits;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the loaded hits
  const layout = useMemo((): RowLayout => {
    const tallRows: number[] = [];
    for (let i = 0; i < loaded; i += 1) if (isTall(hitAt(i))) tallRows.push(i);
    return { total, base: phone ? 64 : 52, tall: phone ? 76 : 72, tallRows };
  }, [first, version, total, loaded, phone, hitAt]);
  const rows = useRowWindow(scroller, layout);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(rows.from, rows.to), [rows.from, rows.to, show, version, first]);
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), reveal: rows.reveal, columns: 1 }), [rows.reveal]);

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
        aria-activedescendant={selection.current !== null ? `row-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} style={{ height: rows.height }} role="rowgroup">
          {Array.from({ length: Math.max(0, rows.to - rows.from) }, (_, k) => {
            const index = rows.from + k;
            const hit = hitAt(index);
            return (
              <ResultRow
                key={index}
                hit={hit}
                index={index}
                id={`row-${index}`}
                top={rows.topOf(index)}
                height={offsetOf(layout, index + 1) - offsetOf(layout, index)}
                library={hit ? libraryName(hit.library_id) : ''}
                words={words}
                selected={hit ? selection.ids.has(hit.id) : false}
                current={selection.current === index}
                phone={phone}
                onPick={onPick}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}
