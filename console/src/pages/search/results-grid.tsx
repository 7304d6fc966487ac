import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { classNames } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { DateScrubber } from './date-scrubber.tsx';
import { GridCard } from './grid-card.tsx';
import { emptyMonths, extendMonths, gridLayout } from './grid-layout.ts';
import g from './results-grid.module.css';
import s from './results-list.module.css';
import type { ResultsProps } from './results-list.tsx';
import { useLoadedPageCount } from './use-hits.ts';
import { useSlots, useVirtualList } from './use-virtual-list.ts';

/** The results as thumbnails, grouped by month when sorted by date. */
export function ResultsGrid({ hits, words, selection, phone, onPick, onOpen, ref, byMonth }: ResultsProps & { byMonth: boolean }) {
  const scroll = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const gap = phone ? 4 : 12;
  const side = phone ? 12 : 16;
  const inner = Math.max(200, width - side * 2);
  const columns = phone ? 3 : Math.max(2, Math.floor((inner + gap) / (176 + gap)));
  const cardWidth = (inner - gap * (columns - 1)) / columns;
  const media = Math.round(phone ? cardWidth : cardWidth * 0.75);
  const cardLine = phone ? media + 4 : media + 44 + 16;
  const { first, hitAt, setVisibleRows, total } = hits;
  const version = useLoadedPageCount(hits);
  // As in ResultsList, newly loaded hits render with low priority.
  const settled = useDeferredValue(version);

  // After a refetch with the same total, the months are assumed to be the same.
  const resultId = `${total} ${hits.queryId}`;
  const months = useRef({ resultId, known: emptyMonths() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a loaded page extends the months
  const layout = useMemo(() => {
    if (months.current.resultId !== resultId) months.current = { resultId, known: emptyMonths() };
    if (byMonth) months.current.known = extendMonths(months.current.known, total, hitAt);
    return gridLayout(total, columns, byMonth ? months.current.known : emptyMonths(), { heading: 36, cards: cardLine });
  }, [total, columns, cardLine, hitAt, byMonth, settled, resultId]);
  const lines = useVirtualList(scroll, layout, 2);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts at the top
  useEffect(() => lines.reveal(0, 'start'), [hits.queryId]);
  const from = layout.count ? layout.lineAt(Math.min(lines.from, layout.count - 1)).from : 0;
  const last = layout.count && lines.to > 0 ? layout.lineAt(lines.to - 1) : null;
  const to = last ? (last.kind === 'cards' ? last.to : last.from) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported again after each loaded page, to load the next missing one
  useEffect(() => setVisibleRows(from, to, lines.jumped), [from, to, lines.jumped, setVisibleRows, version, first]);

  const inView = lines.fullyVisible(cardLine);
  useImperativeHandle(
    ref,
    () => ({
      focus: () => scroll.current?.focus(),
      reveal: (index) => lines.reveal(layout.lineOf(index)),
      columns,
      page: inView * columns,
    }),
    [lines.reveal, layout, columns, inView],
  );

  const { topOf } = lines;
  const slotCount = lines.slotCount(cardLine);
  const slotOf = useCallback(
    (at: number) => {
      const { kind, nth } = layout.lineAt(at);
      return `${kind}${nth % slotCount}`;
    },
    [layout, slotCount],
  );
  const slotLines = useSlots(lines, layout.count, slotOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: hitAt returns the loaded hits
  const rendered = useMemo(
    () =>
      slotLines.map(([slot, at]) => {
        const line = layout.lineAt(at);
        return (
          <div
            key={slot}
            className={g.line}
            style={{ transform: `translateY(${topOf(at)}px)`, height: layout.top(at + 1) - layout.top(at) }}
            role="row"
            aria-rowindex={at + 1}
          >
            {line.kind === 'heading' ? (
              <div className={g.heading} role="gridcell">
                <span className="b">{line.title}</span>
                {line.count !== null && <span className="meta muted">{t('{n|# file|# files}', { n: line.count })}</span>}
              </div>
            ) : (
              <div role="presentation">
                {Array.from({ length: line.to - line.from }, (_, k) => {
                  const index = line.from + k;
                  const hit = hitAt(index);
                  return (
                    <GridCard
                      key={index - line.from}
                      left={side + k * (cardWidth + gap)}
                      hit={hit}
                      index={index}
                      words={words}
                      selected={hit ? selection.files.has(hit.id) : false}
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
      }),
    [slotLines, topOf, layout, settled, first, hitAt, selection, words, phone, side, gap, cardWidth, byMonth, onPick, onOpen],
  );

  return (
    <div className={g.frame}>
      <div
        ref={scroll}
        className={classNames(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label={t('Results')}
        aria-rowcount={layout.count}
        aria-multiselectable
        aria-busy={hits.stale}
        aria-activedescendant={selection.current !== null ? `card-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div
          className={s.inner}
          ref={sizeRef}
          style={{ height: lines.height, '--card': `${cardWidth}px`, '--media': `${media}px` } as CSSProperties}
          role="rowgroup"
        >
          {rendered}
        </div>
      </div>
      {byMonth && !phone && first?.histograms?.['mtime'] && (
        <DateScrubber
          bars={first.histograms['mtime']}
          at={total ? from / total : 0}
          now={hitAt(from)?.mtime ?? null}
          onJump={(share) => lines.reveal(layout.lineOf(Math.floor(share * (total - 1))), 'start')}
        />
      )}
    </div>
  );
}
