import { isoTime } from '../../../platform/schemas.ts';
import type { Cell, ReportColumn } from '../../reports/index.ts';

/** Columns of a table with their position in a row; ids behind a row are left out. */
export function shownColumns(columns: readonly ReportColumn[]): { column: ReportColumn; at: number }[] {
  return columns.map((column, at) => ({ column, at })).filter(({ column }) => !column.hidden);
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const dayLength = 86_400_000;

/** Times as ISO 8601. Rows are often in the order of a time, so the date of the last one is kept: this takes a fifth of the time of Date. */
export function createTimes(): (milliseconds: number) => string {
  let [lastDay, date] = [Number.NaN, ''];
  return (milliseconds) => {
    const day = Math.floor(milliseconds / dayLength);
    if (day !== lastDay) {
      const whole = isoTime(milliseconds);
      // A time outside the years 1 to 9999 is clamped, and says nothing about its day.
      if (Date.parse(whole) !== milliseconds) return whole;
      [lastDay, date] = [day, whole.slice(0, 11)];
    }
    const rest = milliseconds - day * dayLength;
    const seconds = Math.floor(rest / 1000);
    const minutes = Math.floor(seconds / 60);
    const fraction = String(1000 + (rest % 1000)).slice(1);
    return `${date}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${fraction}Z`;
  };
}

/** A cell as text: times in ISO 8601, lists with one entry per line. */
export function textOf(cell: Exclude<Cell, null>, { type }: ReportColumn): string {
  if (typeof cell === 'string') return cell;
  if (Array.isArray(cell)) return cell.join('\n');
  if (type === 'time' && typeof cell === 'number') return isoTime(cell);
  return String(cell);
}
