import { useElementSize } from '@mantine/hooks';
import { type MouseEvent, type Ref, useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import type { SearchTimeline } from '../../api/types.ts';
import { classNames } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import { gridLayout, type Months } from '../search/grid-layout.ts';
import list from '../search/results-list.module.css';
import type { ResultsHandle } from '../search/results-list.tsx';
import type { Selection } from '../search/selection.ts';
import { type Hits, useLoadedPageCount } from '../search/use-hits.ts';
import { useSlots, useVirtualList } from '../search/use-virtual-list.ts';
import { MonthScrubber } from './month-scrubber.tsx';
import { dayOf, formatWeekday, sectionOf, type TimelineDate } from './timeline-months.ts';
import s from './timeline-page.module.css';
import { TimelineTile } from './timeline-tile.tsx';

export interface TimelineHandle extends ResultsHandle {
  /** Scrolls so that a section is at the top. */
  showSection: (section: number) => void;
  /** The section at the top. */
  section: () => number;
}

const HEADING = 44;
const GAP = 6;

/** Months of pictures in justified rows. Each row has the same number of pictures, so the layout is known before they are loaded. */
export function TimelineList({
  hits,
  months,
  timeline,
  date,
  selection,
  phone,
  monthHref,
  onSection,
  onPick,
  onOpen,
  ref,
}: {
  hits: Hits;
  months: Months;
  timeline: SearchTimeline;
  date: TimelineDate;
  selection: Selection;
  phone: boolean;
  monthHref: (section: number) => string | null;
  /** The section at the top has changed. */
  onSection: (section: number) => void;
  onPick: (index: number, event: MouseEvent) => void;
  onOpen: (index: number) => void;
  ref: Ref<TimelineHandle>;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const height = phone ? 112 : 168;
  const columns = phone ? 3 : Math.max(2, Math.round((Math.max(width, 320) - 32) / (height * 1.4)));
  const { first, hitAt, setVisibleRows, total } = hits;
  const version = useLoadedPageCount(hits);
  const settled = useDeferredValue(version);
  const layout = useMemo(
    () => gridLayout(total, columns, months, { heading: HEADING, cards: height + GAP }),
    [total, columns, months, height],
  );
  const lines = useVirtualList(scroll, layout, 2);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts at the top
  useEffect(() => lines.reveal(0, 'start'), [hits.queryId]);
  const topLine = layout.count ? layout.lineAt(Math.min(lines.from, layout.count - 1)) : null;
  const from = topLine?.from ?? 0;
  const last = layout.count && lines.to > 0 ? layout.lineAt(lines.to - 1) : null;
  const to = last ? (last.kind === 'cards' ? last.to : last.from) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported again after each loaded page, to load the next missing one
  useEffect(() => setVisibleRows(from, to, lines.jumped), [from, to, lines.jumped, setVisibleRows, version, first]);

  // The overscan above the viewport belongs to the month before.
  const visibleTop = layout.count ? layout.lineAt(Math.min(layout.count - 1, lines.from + (lines.from > 0 ? 2 : 0))) : null;
  // The last months may be too short to reach the top.
  const box = lines.to === layout.count ? scroll.current : null;
  const atEnd = box !== null && box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  const section = atEnd ? Math.max(0, timeline.months.length - 1) : sectionOf(months, visibleTop?.from ?? 0);
  useEffect(() => onSection(section), [section, onSection]);
  const { reveal } = lines;
  const showSection = useCallback(
    (at: number) => {
      const file = months.list[at]?.from ?? 0;
      reveal(Math.max(0, layout.lineOf(file) - 1), 'start');
    },
    [months, layout, reveal],
  );
  const inView = lines.fullyVisible(height + GAP);
  useImperativeHandle(
    ref,
    () => ({
      focus: () => scroll.current?.focus(),
      reveal: (index) => reveal(layout.lineOf(index)),
      columns,
      page: inView * columns,
      showSection,
      section: () => section,
    }),
    [reveal, layout, columns, inView, showSection, section],
  );

  const { topOf } = lines;
  const slotCount = lines.slotCount(height + GAP);
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
        const style = { transform: `translateY(${topOf(at)}px)`, height: layout.top(at + 1) - layout.top(at) };
        if (line.kind === 'heading') {
          const href = monthHref(sectionOf(months, line.from));
          return (
            <div key={slot} className={s.line} style={style} role="row" aria-rowindex={at + 1}>
              <div className={s.heading} role="gridcell">
                <h2 className="h3">{line.title}</h2>
                {line.count !== null && <span className="muted">{t('{n|# file|# files}', { n: line.count })}</span>}
                <span className="grow" />
                {href && (
                  <a className={s.open} href={href}>
                    {t('Open in search')}
                    <span className="visually-hidden"> {line.title}</span>
                  </a>
                )}
              </div>
            </div>
          );
        }
        const files = Array.from({ length: line.to - line.from }, (_, k) => hitAt(line.from + k));
        const loaded = files.every((hit) => hit !== undefined);
        return (
          <div key={slot} className={s.line} style={style} role="row" aria-rowindex={at + 1}>
            {loaded ? (
              <div className={s.tiles} role="presentation" style={{ height }}>
                {files.map((hit, k) => {
                  const index = line.from + k;
                  const day = dayOf(hit, date);
                  const before = index > 0 ? hitAt(index - 1) : undefined;
                  const newDay = day !== null && (!before || dayOf(before, date) !== day);
                  return (
                    <TimelineTile
                      // biome-ignore lint/suspicious/noArrayIndexKey: scrolling reuses the elements of a line
                      key={`tile ${k}`}
                      hit={hit}
                      index={index}
                      day={newDay ? formatWeekday(day) : ''}
                      selected={selection.files.has(hit.id)}
                      current={selection.current === index}
                      onPick={onPick}
                      onOpen={onOpen}
                    />
                  );
                })}
                {/* The last row of a month keeps the usual size of its pictures. */}
                {files.length < columns && <span aria-hidden style={{ flexGrow: (columns - files.length) * 1.4 }} />}
              </div>
            ) : (
              <div className={s.waiting} role="gridcell" aria-busy style={{ height, width: `${(files.length / columns) * 100}%` }} />
            )}
          </div>
        );
      }),
    [slotLines, topOf, layout, settled, first, hitAt, selection, height, columns, months, date, monthHref, onPick, onOpen],
  );

  return (
    <div className={s.frame}>
      <div
        ref={scroll}
        className={classNames(list.scroll, hits.stale && list.stale)}
        role="grid"
        aria-label={t('Timeline')}
        aria-rowcount={layout.count}
        aria-multiselectable
        aria-busy={hits.stale}
        aria-activedescendant={selection.current !== null ? `tile-${selection.current}` : undefined}
        tabIndex={0}
      >
        <div className={list.inner} ref={sizeRef} style={{ height: lines.height }} role="rowgroup">
          {/* Until the width is known, lines would have another number of pictures. */}
          {width > 0 && rendered}
        </div>
      </div>
      {!phone && timeline.months.length > 1 && <MonthScrubber months={timeline.months} at={section} onMonth={showSection} />}
    </div>
  );
}

/** Grey tiles where the first pictures will be. */
export function TimelineSkeleton() {
  return (
    <div className={s.skeleton} role="status" aria-busy>
      <span className="visually-hidden">{t('Loading {what}…', { what: t('the timeline') })}</span>
      {[10, 15].map((tiles) => (
        <div key={tiles}>
          <i className={s.greyHeading} />
          <div className={s.greyTiles}>
            {Array.from({ length: tiles }, (_, at) => `tile ${at}`).map((tile) => (
              <i key={tile} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
