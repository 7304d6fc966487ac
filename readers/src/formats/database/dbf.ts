import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { boundedText } from '../result.ts';

const versions: Record<number, string> = {
  2: 'foxbase',
  3: 'dbase3',
  4: 'dbase4',
  5: 'dbase5',
  48: 'visual foxpro',
  49: 'visual foxpro',
  131: 'dbase3',
  139: 'dbase4',
  245: 'foxpro',
};

/** dBase tables: columns and number of records. */
export const dbf: Extractor = {
  name: 'dbf',
  version: 1,
  text: true,
  extensions: ['dbf'],
  tools: [],
  keys: [
    'database',
    'database.format',
    'database.variant',
    'database.rows',
    'database.columns',
    'database.column_count',
    'database.modified',
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const head = file.need(0, 32);
      const variant = versions[head.readUInt8(0)];
      const headerBytes = head.readUInt16LE(8);
      const recordBytes = head.readUInt16LE(10);
      const rows = head.readUInt32LE(4);
      if (variant === undefined || headerBytes < 33) throw new ExtractError('corrupt', 'The table has no valid header.');
      if (rows * recordBytes > file.size - headerBytes + 1)
        throw new ExtractError('corrupt', 'The table declares more records than the file contains.');
      const fields = file.need(32, headerBytes - 32);
      const columns: { name: string; type: string; length: number }[] = [];
      for (let at = 0; at + 32 <= fields.length && fields[at] !== 0x0d; at += 32) {
        const name = fields.toString('latin1', at, at + 11).replace(/\0.*$/s, '');
        columns.push({ name, type: fields.toString('latin1', at + 11, at + 12), length: fields.readUInt8(at + 16) });
      }
      const [twoDigitYear, month, day] = [head.readUInt8(1), head.readUInt8(2), head.readUInt8(3)];
      const year = twoDigitYear + (twoDigitYear < 80 ? 2000 : 1900);
      const modified =
        month >= 1 && month <= 12 && day >= 1 && day <= 31
          ? `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
          : undefined;
      return {
        metadata: { database: { format: 'dbf', variant, rows, columns, column_count: columns.length, ...(modified ? { modified } : {}) } },
        ...boundedText(columns.map((column) => column.name).join(' '), source.limits.bodyTextMaxChars),
      };
    }),
};
