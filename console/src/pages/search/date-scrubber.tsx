import { type PointerEvent, useRef } from 'react';
import type { HistogramBar } from '../../api/types.ts';
import { formatShortMonth, toDate } from '../../format/dates.ts';
import s from './date-scrubber.module.css';

interface Stop {
  /** Share of the files that are newer. */
  share: number;
  year: number | null;
}

/** Two marks closer than this lie on each other. */
const APART = 0.006;

/** Where along the list each stretch of time begins, newest first; a year where its newest file stands. */
export function stopsOf(bars: HistogramBar[]): Stop[] {
  const total = bars.reduce((sum, bar) => sum + bar.count, 0) || 1;
  const stops: Stop[] = [];
  let newer = 0;
  let lastYear: number | null = null;
  for (const bar of bars.filter((one) => one.count > 0).reverse()) {
    // The end of a bar is the beginning of the next one.
    const year = toDate(bar.to - 1).getUTCFullYear();
    const share = newer / total;
    newer += bar.count;
    if (year === lastYear && share - stops.at(-1)!.share < APART) continue;
    stops.push({ share, year: year === lastYear ? null : year });
    lastYear = year;
  }
  return stops;
}

/** Jump to a date: the years at the right edge of the grid, spaced by how many files each holds. */
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
  const box = useRef<HTMLDivElement>(null);
  const jump = (event: PointerEvent) => {
    const area = box.current!.getBoundingClientRect();
    onJump(Math.min(1, Math.max(0, (event.clientY - area.top) / area.height)));
  };
  let lastLabel = -1;
  return (
    <div
      ref={box}
      className={s.scrub}
      role="slider"
      tabIndex={0}
      aria-label="Jump to a date"
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
      {stopsOf(bars).map((stop) => {
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
