import type { Cell, ReportColumn } from '../../reports/index.ts';
import { createTimes, shownColumns, textOf } from './cells.ts';
import type { TextFormat } from './contract.ts';

/** Characters with which a spreadsheet takes a text for a formula, the full-width forms included. */
const formulaStarts = new Set(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
const plainNumber = /^[-+]?\d+(?:[.,]\d+)?$/;
const needsQuotes = /[",\r\n]/;

/** An apostrophe keeps a spreadsheet from running a text as a formula. A text that is only a number, such as -5, is left as it is. */
export function defuse(text: string): string {
  if (!formulaStarts.has(text.charAt(0)) || plainNumber.test(text)) return text;
  return `'${text}`;
}

function quote(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** How the cells of a column are written; chosen once, because a large export has millions of cells. */
function cellEncoder(column: ReportColumn): (cell: Cell) => string {
  if (column.type === 'time') {
    const times = createTimes();
    return (cell) => (cell === null ? '' : typeof cell === 'number' ? times(cell) : quote(textOf(cell, column)));
  }
  const isText = column.type === 'text' || column.type === 'list';
  return (cell) => {
    if (cell === null) return '';
    if (typeof cell === 'number') return String(cell);
    const text = textOf(cell, column);
    return quote(isText ? defuse(text) : text);
  };
}

/** RFC 4180 with a header line. A byte order mark, if asked for, makes Excel read it as UTF-8. */
export const csv: TextFormat = {
  mediaType: 'text/csv; charset=utf-8',
  extension: 'csv',
  open({ columns }, { byteOrderMark = false }) {
    const shown = shownColumns(columns);
    const encoders = shown.map(({ column, at }) => ({ at, encode: cellEncoder(column) }));
    return {
      head: `${byteOrderMark ? '\uFEFF' : ''}${shown.map(({ column }) => quote(defuse(column.key))).join(',')}\r\n`,
      rows(batch) {
        let lines = '';
        for (const row of batch) {
          let separator = '';
          for (const { at, encode } of encoders) {
            lines += separator + encode(row[at] ?? null);
            separator = ',';
          }
          lines += '\r\n';
        }
        return lines;
      },
      tail: '',
    };
  },
};
