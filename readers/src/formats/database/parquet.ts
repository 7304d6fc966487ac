import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { boundedText } from '../text-head.ts';
import { readThriftStruct, type ThriftValue } from './thrift-compact.ts';

const maxFooter = 64 * 1024 * 1024;
const maxColumns = 1000;

/** Parquet: rows and columns from the footer. */
export const parquet: Extractor = {
  name: 'parquet',
  version: 1,
  extensions: ['parquet'],
  tools: [],
  keys: [
    'database',
    'database.format',
    'database.rows',
    'database.columns',
    'database.column_count',
    'database.row_groups',
    'database.created_by',
    'database.encrypted',
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const tail = file.size >= 12 ? file.need(file.size - 8, 8) : Buffer.alloc(8);
      const mark = tail.toString('latin1', 4, 8);
      if (mark === 'PARE') return { metadata: { database: { format: 'parquet', encrypted: true } } };
      if (mark !== 'PAR1') throw new ExtractError('corrupt', 'The end of the table is missing.');
      const length = tail.readUInt32LE(0);
      if (length > maxFooter) throw new ExtractError('guard', 'The description of the table is larger than 64 MiB.');
      if (length + 12 > file.size) throw new ExtractError('corrupt', 'The file ends too early.');
      const footer = readThriftStruct(file.need(file.size - 8 - length, length));
      const columns = leafColumns(footer.get(2));
      const groups = footer.get(4);
      const createdBy = footer.get(6);
      return {
        metadata: {
          database: {
            format: 'parquet',
            rows: typeof footer.get(3) === 'number' ? footer.get(3) : 0,
            columns: columns.slice(0, maxColumns),
            column_count: columns.length,
            row_groups: Array.isArray(groups) ? groups.length : 0,
            ...(Buffer.isBuffer(createdBy) ? { created_by: createdBy.toString('utf8').slice(0, 200) } : {}),
          },
        },
        ...boundedText(columns.map((column) => column.name).join(' '), source.limits.bodyTextMaxChars),
      };
    }),
};

const types = ['boolean', 'int32', 'int64', 'int96', 'float', 'double', 'byte_array', 'fixed_len_byte_array'];

/** The schema is a flattened tree; its leaves, which have a type, are the columns. */
function leafColumns(schema: ThriftValue | undefined): { name: string; type: string }[] {
  if (!Array.isArray(schema)) return [];
  const leaves: { name: string; type: string }[] = [];
  for (const element of schema) {
    if (!(element instanceof Map)) continue;
    const name = element.get(4);
    const type = element.get(1);
    if (typeof type === 'number' && Buffer.isBuffer(name))
      leaves.push({ name: name.toString('utf8').slice(0, 200), type: types[type] ?? 'unknown' });
  }
  return leaves;
}
