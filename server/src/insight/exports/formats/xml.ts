import { textOf } from './cells.ts';
import type { TextFormat } from './contract.ts';

const special = /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\r\ufffe\uffff]|[\ud800-\udfff]/;
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text for XML 1.0. Characters that it forbids, which occur in file names, become the replacement character. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(forbidden, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

export const xml: TextFormat = {
  mediaType: 'application/xml; charset=utf-8',
  extension: 'xml',
  open({ columns, name }, { generatedAt }) {
    const starts = columns.map((column, at) => ({ column, at, start: `<col name="${escapeXml(column.key)}"` }));
    return {
      head: `<?xml version="1.0" encoding="UTF-8"?>\n<report id="${escapeXml(name)}" generated="${generatedAt.toISOString()}">\n`,
      rows(batch) {
        let lines = '';
        for (const row of batch) {
          lines += '<row>';
          for (const { column, at, start } of starts) {
            const cell = row[at] ?? null;
            lines += cell === null ? `${start}/>` : `${start}>${escapeXml(textOf(cell, column))}</col>`;
          }
          lines += '</row>\n';
        }
        return lines;
      },
      tail: '</report>\n',
    };
  },
};
