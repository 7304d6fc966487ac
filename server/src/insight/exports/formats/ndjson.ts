import type { Cell, ReportColumn } from '../../reports/index.ts';
import { createTimes } from './cells.ts';
import type { TextFormat } from './contract.ts';

/** Characters that JSON escapes. */
const needsEscape = /["\\\u0000-\u001F\uD800-\uDFFF]/;

/** How the cells of a column are written; chosen once, because a large export has millions of cells. */
function cellEncoder({ type }: ReportColumn): (cell: Cell) => string {
  const times = createTimes();
  return (cell) => {
    if (typeof cell === 'string') return needsEscape.test(cell) ? JSON.stringify(cell) : `"${cell}"`;
    if (cell === null) return 'null';
    return type === 'time' && typeof cell === 'number' ? `"${times(cell)}"` : JSON.stringify(cell);
  };
}

/** One compact object per line with all members, the ids included. */
export const ndjson: TextFormat = {
  mediaType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  open({ columns }) {
    const members = columns.map((column, at) => ({
      at,
      name: `${at === 0 ? '{' : ','}${JSON.stringify(column.key)}:`,
      encode: cellEncoder(column),
    }));
    return {
      head: '',
      rows(batch) {
        let lines = '';
        for (const row of batch) {
          for (const { at, name, encode } of members) lines += name + encode(row[at] ?? null);
          lines += '}\n';
        }
        return lines;
      },
      tail: '',
    };
  },
};
