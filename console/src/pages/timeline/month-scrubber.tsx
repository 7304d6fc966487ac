import { type KeyboardEvent, memo, type PointerEvent } from 'react';
import type { SearchTimeline } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { shortMonthName } from './timeline-months.ts';
import s from './timeline-page.module.css';

/** Labels closer than this many percent of the height would overlap. */
const MIN_LABEL_GAP = 3;

/** Where a month stands, in percent of the height. */
const placeOf = (month: number, last: number): number => (last === 0 ? 0 : (month / last) * 100);
const mostFiles = (months: SearchTimeline['months']): number => months.reduce((n, { count }) => Math.max(n, count), 1);
const barWidth = (count: number, most: number): string => `${4 + Math.sqrt(count / most) * 36}px`;

/** A slider at the right edge: one bar for each month that has files, with the years. Dragging it shows that month. Memoized, because the list renders with every scroll step. */
export const MonthScrubber = memo(function MonthScrubber({
  months,
  at,
  onMonth,
}: {
  months: SearchTimeline['months'];
  /** The month at the top of the list. */
  at: number;
  onMonth: (month: number) => void;
}) {
  const last = months.length - 1;
  const current = Math.min(at, last);
  const jump = (event: PointerEvent) => {
    const area = event.currentTarget.getBoundingClientRect();
    onMonth(Math.round(Math.min(1, Math.max(0, (event.clientY - area.top) / area.height)) * last));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const yearOf = (month: number) => new Date((months[month]?.from ?? 0) * 1000).getUTCFullYear();
    const nextYear = months.findIndex((_, month) => month > current && yearOf(month) !== yearOf(current));
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: nextYear < 0 ? last : nextYear,
      PageUp: Math.max(0, months.findIndex((_, month) => yearOf(month) === yearOf(current)) - 1),
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMonth(Math.min(last, Math.max(0, to)));
  };
  const now = months[current];
  return (
    <div
      className={s.scrubber}
      role="slider"
      tabIndex={0}
      aria-label={t('Jump to a month')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={now ? shortMonthName(now.from) : undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        jump(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && jump(event)}
      onKeyDown={onKeyDown}
    >
      <MonthBars months={months} />
      {now && (
        <>
          <span className={s.bar} style={{ top: `${placeOf(current, last)}%` }} data-current>
            <i style={{ width: barWidth(now.count, mostFiles(months)) }} />
          </span>
          <span className={s.now} style={{ top: `${placeOf(current, last)}%` }}>
            {shortMonthName(now.from)}
          </span>
        </>
      )}
    </div>
  );
});

/** The bars stay the same while the list is scrolled. */
const MonthBars = memo(function MonthBars({ months }: { months: SearchTimeline['months'] }) {
  const last = months.length - 1;
  const most = mostFiles(months);
  let labelled = Number.NEGATIVE_INFINITY;
  let year = Number.NaN;
  return months.map((month, index) => {
    const top = placeOf(index, last);
    const own = new Date(month.from * 1000).getUTCFullYear();
    const shown = own !== year && top - labelled >= MIN_LABEL_GAP;
    year = own;
    if (shown) labelled = top;
    return (
      <span key={month.from} className={s.bar} style={{ top: `${top}%` }}>
        {shown && <b>{own}</b>}
        <i style={{ width: barWidth(month.count, most) }} />
      </span>
    );
  });
});
