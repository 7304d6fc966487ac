import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { pluralize } from '../../format/numbers.ts';
import { classNames } from '../../components/button.tsx';
import { DateScrubber } from './date-scrubber.tsx';
import { GridCard } from './grid-card.tsx';
import { gridStrip, noMonths, readMonths } from './grid-layout.ts';
import g from './results-grid.module.css';
import type { ResultsProps } from './results-list.tsx';
import s from './results-list.module.css';
import { useHeldLines, useStripWindow } from './use-virtual-list.ts';
import { useArrivals } from './use-hits.ts';

/** The results as pictures, under their months when sorted by date. */
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
  const { first, hitAt, show, total } = hits;
  const version = useArrivals(hits);
  // As in the list: what arrives is drawn piece by piece, what scrolls into view at once.
  const settled = useDeferredValue(version);

  // An answer that is renewed has the same months, unless files came or went.
  const answered = `${total} ${hits.question}`;
  const months = useRef({ of: answered, known: noMonths() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the months grow when a page of hits arrives
  const strip = useMemo(() => {
    if (months.current.of !== answered) months.current = { of: answered, known: noMonths() };
    if (byMonth) months.current.known = readMonths(months.current.known, total, hitAt);
    return gridStrip(total, columns, byMonth ? months.current.known : noMonths(), { heading: 36, cards: cardLine });
  }, [total, columns, cardLine, hitAt, byMonth, settled, answered]);
  const lines = useStripWindow(scroll, strip, 2);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts at its top
  useEffect(() => lines.reveal(0, 'start'), [hits.question]);
  const from = strip.count ? strip.lineAt(Math.min(lines.from, strip.count - 1)).from : 0;
  const last = strip.count && lines.to > 0 ? strip.lineAt(lines.to - 1) : null;
  const to = last ? (last.kind === 'cards' ? last.to : last.from) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also asked again when a page arrived
  useEffect(() => show(from, to, lines.leapt), [from, to, lines.leapt, show, version, first]);

  const inView = lines.whole(cardLine);
  useImperativeHandle(
    ref,
    () => ({
      focus: () => scroll.current?.focus(),
      reveal: (index) => lines.reveal(strip.lineOf(index)),
      columns,
      page: inView * columns,
    }),
    [lines.reveal, strip, columns, inView],
  );

  const { topOf } = lines;
  const slots = lines.slots(cardLine);
  const slotOf = useCallback(
    (at: number) => {
      const { kind, nth } = strip.lineAt(at);
      return `${kind}${nth % slots}`;
    },
    [strip, slots],
  );
  const held = useHeldLines(lines, strip.count, slotOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrived is read through hitAt
  const drawn = useMemo(
    () =>
      held.map(([slot, at]) => {
        const line = strip.lineAt(at);
        return (
          <div
            key={slot}
            className={g.line}
            style={{ transform: `translateY(${topOf(at)}px)`, height: strip.top(at + 1) - strip.top(at) }}
            role="row"
            aria-rowindex={at + 1}
          >
            {line.kind === 'heading' ? (
              <div className={g.heading} role="gridcell">
                <span className="b">{line.title}</span>
                {line.count !== null && <span className="meta muted">{pluralize(line.count, 'file')}</span>}
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
      }),
    [held, topOf, strip, settled, first, hitAt, selection, words, phone, side, gap, cardWidth, byMonth, onPick, onOpen],
  );

  return (
    <div className={g.frame}>
      <div
        ref={scroll}
        className={classNames(s.scroll, hits.stale && s.stale)}
        role="grid"
        aria-label="Results"
        aria-rowcount={strip.count}
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
          {drawn}
        </div>
      </div>
      {byMonth && !phone && first?.histograms?.['mtime'] && (
        <DateScrubber
          bars={first.histograms['mtime']}
          at={total ? from / total : 0}
          now={hitAt(from)?.mtime ?? null}
          onJump={(share) => lines.reveal(strip.lineOf(Math.floor(share * (total - 1))), 'start')}
        />
      )}
    </div>
  );
}
