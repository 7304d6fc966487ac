import { jsonOf } from './cells.ts';
import type { TextFormat } from './contract.ts';

/** One compact object per line with all members, the ids included. */
export const ndjson: TextFormat = {
  mediaType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  open({ columns }) {
    const members = columns.map((column, at) => ({ column, at, name: `${at === 0 ? '{' : ','}${JSON.stringify(column.key)}:` }));
    return {
      head: '',
      rows(batch) {
        let lines = '';
        for (const row of batch) {
          for (const { column, at, name } of members) lines += name + JSON.stringify(jsonOf(row[at] ?? null, column));
          lines += '}\n';
        }
        return lines;
      },
      tail: '',
    };
  },
};
