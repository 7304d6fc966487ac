import type { PointerEvent } from 'react';
import type { HistogramBar } from '../../api/types.ts';
import { formatShortMonth, toDate } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './date-scrubber.module.css';

interface Stop {
  /** Fraction of the files that are newer. */
  share: number;
  year: number | null;
}

/** Marks closer than this would overlap. */
const MIN_DISTANCE = 0.006;

/** The marks of the scrubber, newest first; each year is labeled at its newest file. */
export function scrubberStops(bars: HistogramBar[]): Stop[] {
  const total = bars.reduce((sum, bar) => sum + bar.count, 0) || 1;
  const stops: Stop[] = [];
  let newer = 0;
  let lastYear: number | null = null;
  for (const bar of bars.filter((one) => one.count > 0).reverse()) {
    // `to` is exclusive.
    const year = toDate(bar.to - 1).getUTCFullYear();
    const share = newer / total;
    newer += bar.count;
    if (year === lastYear && share - (stops.at(-1)?.share ?? 0) < MIN_DISTANCE) continue;
    stops.push({ share, year: year === lastYear ? null : year });
    lastYear = year;
  }
  return stops;
}

/** A date slider at the right edge of the grid. Years are spaced by their number of files. */
export function DateScrubber({
  bars,
  at,
  now,
  onJump,
}: {
  bars: HistogramBar[];
  at: number;
  now: number | string | null;
  onJump: (share: number) => void;
}) {
  const jump = (event: PointerEvent) => {
    const area = event.currentTarget.getBoundingClientRect();
    onJump(Math.min(1, Math.max(0, (event.clientY - area.top) / area.height)));
  };
  let lastLabel = -1;
  return (
    <div
      className={s.scrub}
      role="slider"
      tabIndex={0}
      aria-label={t('Jump to date')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at * 100)}
      aria-valuetext={now === null ? undefined : formatShortMonth(now)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        jump(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && jump(event)}
      onKeyDown={(event) => {
        const step =
          event.key === 'ArrowDown' || event.key === 'PageDown' ? 0.04 : event.key === 'ArrowUp' || event.key === 'PageUp' ? -0.04 : 0;
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        onJump(Math.min(1, Math.max(0, at + step)));
      }}
    >
      {scrubberStops(bars).map((stop) => {
        const labelled = stop.year !== null && stop.share - lastLabel > 0.04;
        if (labelled) lastLabel = stop.share;
        return (
          <span key={stop.share} style={{ top: `${stop.share * 100}%` }} className={s.stop} data-year={labelled}>
            {labelled && <b>{stop.year}</b>}
          </span>
        );
      })}
      {now !== null && (
        <span className={s.now} style={{ top: `${at * 100}%` }}>
          {formatShortMonth(now)}
        </span>
      )}
    </div>
  );
}
