import type { ReportRun } from '../../api/types.ts';
import { formatDate } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { figuresOf, growthSeries } from './findings.tsx';
import s from './reports.module.css';

const COLORS = [
  'var(--accent)',
  'var(--c-image, var(--ok-fill))',
  'var(--c-video, var(--danger-fill))',
  'var(--c-archive, var(--warn-fill))',
  'var(--active-fill)',
  'var(--idle-fill)',
];

/** Rows with a label, a bar and a number. The table below holds the same numbers, so the bars are hidden from screen readers. */
export function FigureRows({ run, most }: { run: ReportRun; most: number }) {
  const figures = figuresOf(run, most);
  const largest = Math.max(1, ...figures.map(({ value }) => value));
  return (
    <div className={s.figures} aria-hidden>
      {figures.map(({ label, value, shown }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a fixed order
        <div key={at}>
          <span className="cut">{label}</span>
          <span className={s.track}>
            <i style={{ width: `${Math.max(1, (100 * value) / largest)}%` }} />
          </span>
          <span className={s.number}>{shown}</span>
        </div>
      ))}
    </div>
  );
}

/** The size of each library over the weeks. */
export function GrowthChart({ run, height, legend }: { run: ReportRun; height: number; legend: boolean }) {
  const series = growthSeries(run).slice(0, COLORS.length);
  const weeks = [...new Set(series.flatMap(({ points }) => points.map(({ week }) => week)))].sort();
  const largest = Math.max(1, ...series.flatMap(({ points }) => points.map(({ bytes }) => bytes)));
  const x = (week: string): number => (weeks.length > 1 ? (1000 * weeks.indexOf(week)) / (weeks.length - 1) : 0);
  const y = (bytes: number): number => height - 4 - ((height - 8) * bytes) / largest;
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <figure className={s.growth}>
      {legend && (
        <figcaption className={s.legend}>
          <span className="grow meta muted">Up to {formatBytes(largest)}</span>
          {series.map(({ label }, at) => (
            <span key={label}>
              <i style={{ background: COLORS[at] }} />
              {label}
            </span>
          ))}
        </figcaption>
      )}
      <svg viewBox={`0 0 1000 ${height}`} height={height} preserveAspectRatio="none" aria-hidden>
        {legend &&
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
        {series.map(({ label, points }, at) => {
          const line = points.map(({ week, bytes }) => `${x(week)},${y(bytes)}`).join(' ');
          return points.length > 1 ? (
            <polyline key={label} points={line} fill="none" stroke={COLORS[at]} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
          ) : (
            <line
              key={label}
              x1={0}
              x2={1000}
              y1={y(points[0]?.bytes ?? 0)}
              y2={y(points[0]?.bytes ?? 0)}
              stroke={COLORS[at]}
              strokeWidth={1.5}
              vectorEffect="non-scaling-stroke"
            />
          );
        })}
      </svg>
      {legend && first && last && (
        <div className={`${s.axis} meta muted`} aria-hidden>
          <span>{formatDate(`${first}T12:00:00`)}</span>
          <span>{formatDate(`${last}T12:00:00`)}</span>
        </div>
      )}
    </figure>
  );
}
