import type { ReportRun } from '../../api/types.ts';
import { formatDate, formatDayMonth, formatShortMonth } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { growthSeries, type Series } from './findings.tsx';
import s from './reports.module.css';

export const COLORS = [
  'var(--accent)',
  'var(--c-image, var(--ok-fill))',
  'var(--c-video, var(--danger-fill))',
  'var(--c-archive, var(--warn-fill))',
  'var(--active-fill)',
  'var(--idle-fill)',
];

const WEEK_MS = 7 * 86_400_000;
/** Weeks that a forecast looks back and ahead. */
const FORECAST_WEEKS = 13;
const LEAST_WEEKS = 3;
const LABEL_HEIGHT = 16;

const timeOf = (week: string): number => Date.parse(`${week}T12:00:00`);

/** Bytes per week in the last 13 weeks. Null for a library that is too new; its first week holds what was there already. */
export function weeklyPace({ points }: Series): number | null {
  const known = points.slice(1).slice(-FORECAST_WEEKS - 1);
  const [from, to] = [known[0], known.at(-1)];
  if (!from || !to || known.length < LEAST_WEEKS) return null;
  return (to.bytes - from.bytes) / (known.length - 1);
}

interface GrowthChartProps {
  run: ReportRun;
  height: number;
  /** With axes, names and a forecast. */
  detailed?: boolean;
  /** When the disk of a library is full, by the name of the library. */
  fullOn?: ReadonlyMap<string, string>;
}

/** The size of each library over the weeks. The table below holds the same numbers, so the drawing is hidden from screen readers. */
export function GrowthChart({ run, height, detailed = false, fullOn = new Map() }: GrowthChartProps) {
  const series = growthSeries(run).slice(0, COLORS.length);
  const times = series.flatMap(({ points }) => points.map(({ week }) => timeOf(week)));
  const [start, today] = [Math.min(...times), Math.max(...times)];
  const paces = series.map((each) => (detailed ? weeklyPace(each) : null));
  const end = paces.some((pace) => pace !== null) ? today + FORECAST_WEEKS * WEEK_MS : today;
  const last = ({ points }: Series): number => points.at(-1)?.bytes ?? 0;
  const ahead = (at: number): number => {
    const each = series[at];
    return each ? Math.max(0, last(each) + (paces[at] ?? 0) * FORECAST_WEEKS) : 0;
  };
  const largest = Math.max(1, ...series.flatMap(({ points }, at) => [...points.map(({ bytes }) => bytes), ahead(at)]));
  // A single week is drawn as a line across the whole chart.
  const x = (time: number): number => (end > start ? (1000 * (time - start)) / (end - start) : 1000);
  const y = (bytes: number): number => height - 4 - ((height - 8) * bytes) / largest;
  // One label per date, at the largest library of that disk, and none on top of another.
  const labels: { date: string; top: number }[] = [];
  for (const [at, { label }] of series.entries()) {
    const [date, top] = [fullOn.get(label), Math.max(0, y(ahead(at)) - 20)];
    if (date && paces[at] !== null && labels.every((each) => each.date !== date && Math.abs(each.top - top) > LABEL_HEIGHT))
      labels.push({ date, top });
  }
  const line = (points: string, at: number, dashed: boolean) => (
    <polyline
      key={`${at} ${dashed}`}
      points={points}
      fill="none"
      stroke={COLORS[at]}
      strokeWidth={1.5}
      strokeDasharray={dashed ? '4 4' : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
  return (
    <figure className={s.growth} aria-hidden>
      <div className={detailed ? s.plot : undefined}>
        {detailed && (
          <div className={s.scale} style={{ height }}>
            {[1, 0.75, 0.5, 0.25, 0].map((part) => (
              <span key={part}>{part === 0 ? '0' : formatBytes(part * largest)}</span>
            ))}
          </div>
        )}
        <div className={s.lines}>
          <svg viewBox={`0 0 1000 ${height}`} height={height} preserveAspectRatio="none" aria-hidden>
            {detailed &&
              [0, 0.25, 0.5, 0.75, 1].map((part) => (
                <line
                  key={part}
                  x1={0}
                  x2={1000}
                  y1={y(part * largest)}
                  y2={y(part * largest)}
                  stroke="var(--line-1)"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
            {end > today && (
              <line
                x1={x(today)}
                x2={x(today)}
                y1={0}
                y2={height}
                stroke="var(--text-3)"
                strokeDasharray="2 3"
                vectorEffect="non-scaling-stroke"
              />
            )}
            {series.map(({ points }, at) =>
              line(
                points.length > 1
                  ? points.map(({ week, bytes }) => `${x(timeOf(week))},${y(bytes)}`).join(' ')
                  : `0,${y(points[0]?.bytes ?? 0)} ${x(today)},${y(points[0]?.bytes ?? 0)}`,
                at,
                false,
              ),
            )}
            {series.map((each, at) =>
              paces[at] === null ? null : line(`${x(today)},${y(last(each))} ${x(end)},${y(ahead(at))}`, at, true),
            )}
          </svg>
          {labels.map(({ date, top }) => (
            <span key={date} className={s.full} style={{ top }}>
              {t('Full on {dayMonth}', { dayMonth: formatDayMonth(`${date}T12:00:00`) })}
            </span>
          ))}
          {end > today && (
            <span className={s.today} style={{ left: `${x(today) / 10}%` }}>
              {t('Today')}
            </span>
          )}
        </div>
      </div>
      {detailed && end > start && (
        <div className={`${s.axis} meta muted`}>
          {monthsBetween(start, end).map((time, at, all) => (
            <span key={time}>{at === 0 || at === all.length - 1 ? formatDate(new Date(time)) : formatShortMonth(new Date(time))}</span>
          ))}
        </div>
      )}
    </figure>
  );
}

/** At most twelve dates at equal distances. */
function monthsBetween(start: number, end: number): number[] {
  const steps = Math.max(1, Math.min(11, Math.round((end - start) / (4.35 * WEEK_MS))));
  return Array.from({ length: steps + 1 }, (_, at) => start + ((end - start) * at) / steps);
}

/** The names and colours of the lines. */
export function GrowthLegend({ run }: { run: ReportRun }) {
  const series = growthSeries(run).slice(0, COLORS.length);
  return (
    <span className={s.legend}>
      {series.map(({ label }, at) => (
        <span key={label}>
          <i style={{ background: COLORS[at] }} />
          {label}
        </span>
      ))}
      {series.some((each) => weeklyPace(each) !== null) && (
        <span>
          <i className={s.dashed} />
          {t('Forecast')}
        </span>
      )}
    </span>
  );
}
