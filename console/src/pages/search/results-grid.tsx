import { useElementSize } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { count } from '../../format/numbers.ts';
import { join } from '../../parts/button.tsx';
import { DateScrubber } from './date-scrubber.tsx';
import { GridCard } from './grid-card.tsx';
import { gridLines, lineOf } from './grid-lines.ts';
import g from './results-grid.module.css';
import type { ResultsProps } from './results-list.tsx';
import s from './results-list.module.css';

const MOST_FILES = 400_000;

/** The results as pictures, under their months when sorted by date. */
export function ResultsGrid({ hits, words, selection, phone, onPick, onOpen, ref, byMonth }: ResultsProps & { byMonth: boolean }) {
  const scroll = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const gap = phone ? 4 : 12;
  const side = phone ? 12 : 16;
  const inner = Math.max(200, width - side * 2);
  const columns = phone ? 3 : Math.max(2, Math.floor((inner + gap) / (176 + gap)));
  const cardWidth = (inner - gap * (columns - 1)) / columns;
  const cardLine = phone ? cardWidth + 4 : cardWidth * 0.75 + 44 + 16;
  const total = Math.min(hits.total, MOST_FILES);
  const { version, first, hitAt, show } = hits;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines change when a page of hits arrives
  const lines = useMemo(() => gridLines(total, columns, hitAt, byMonth), [total, columns, hitAt, byMonth, version, first]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (i) => (lines[i]!.kind === 'heading' ? 36 : cardLine),
    overscan: 3,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the lines change
  useEffect(() => rows.measure(), [lines, cardLine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => {
    scroll.current?.scrollTo({ top: 0 });
  }, [first]);
  const items = rows.getVirtualItems();
  const from = lines[items[0]?.index ?? 0]?.from ?? 0;
  const last = lines[items.at(-1)?.index ?? 0];
  const to = last ? (last.kind === 'cards' ? last.to : last.from) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(from, to), [from, to, show, version, first]);

  useImperativeHandle(
    ref,
    () => ({
      focus: () => scroll.current?.focus(),
      reveal: (index) => rows.scrollToIndex(lineOf(lines, index), { align: 'auto' }),
      columns,
    }),
    [rows, lines, columns],
  );

  return (
    <div className={g.frame}>
      <div
        ref={scroll}
        className={join(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label="Results"
        aria-rowcount={lines.length}
        aria-multiselectable
        aria-activedescendant={selection.current !== null ? `card-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={s.inner} ref={sizeRef} style={{ height: rows.getTotalSize() }} role="rowgroup">
          {items.map((item) => {
            const line = lines[item.index]!;
            return (
              <div
                key={item.key}
                className={g.line}
                style={{ transform: `translateY(${item.start}px)`, height: item.size }}
                role="row"
                aria-rowindex={item.index + 1}
              >
                {line.kind === 'heading' ? (
                  <div className={g.heading} role="gridcell">
                    <span className="b">{line.title}</span>
                    {line.count !== null && <span className="meta muted">{count(line.count)} files</span>}
                  </div>
                ) : (
                  <div className={g.cards} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }} role="presentation">
                    {Array.from({ length: line.to - line.from }, (_, k) => {
                      const index = line.from + k;
                      const hit = hitAt(index);
                      return (
                        <GridCard
                          key={index}
                          hit={hit}
                          index={index}
                          words={words}
                          selected={hit ? selection.ids.has(hit.id) : false}
                          current={selection.current === index}
                          phone={phone}
                          underMonth={byMonth}
                          onPick={onPick}
                          onOpen={onOpen}
                        />
                      );
                    })}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {byMonth && !phone && first?.histograms?.['mtime'] && (
        <DateScrubber
          bars={first.histograms['mtime']}
          at={hits.total ? from / hits.total : 0}
          now={hitAt(from)?.mtime ?? null}
          onJump={(share) => rows.scrollToIndex(lineOf(lines, Math.floor(share * (total - 1))), { align: 'start' })}
        />
      )}
    </div>
  );
}
