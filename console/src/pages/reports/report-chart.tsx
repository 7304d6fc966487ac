import type { ReportRun } from '../../api/types.ts';
import { figuresOf } from './findings.tsx';
import s from './reports.module.css';

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
