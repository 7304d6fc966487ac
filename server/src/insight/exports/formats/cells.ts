import { isoTime } from '../../../catalog/libraries/index.ts';
import type { Cell, ReportColumn } from '../../reports/index.ts';

/** Columns of a table with their position in a row; ids behind a row are left out. */
export function shownColumns(columns: readonly ReportColumn[]): { column: ReportColumn; at: number }[] {
  return columns.map((column, at) => ({ column, at })).filter(({ column }) => !column.hidden);
}

/** A cell as text: times in ISO 8601, lists with one entry per line. */
export function textOf(cell: Exclude<Cell, null>, { type }: ReportColumn): string {
  if (typeof cell === 'string') return cell;
  if (Array.isArray(cell)) return cell.join('\n');
  if (type === 'time' && typeof cell === 'number') return isoTime(cell);
  return String(cell);
}

/** A cell as a JSON value. */
export function jsonOf(cell: Cell, { type }: ReportColumn): Cell {
  return type === 'time' && typeof cell === 'number' ? isoTime(cell) : cell;
}
