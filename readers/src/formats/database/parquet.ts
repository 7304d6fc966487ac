import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { boundedText } from '../result.ts';

const maxFooter = 64 * 1024 * 1024;
const maxColumns = 1000;

/** Parquet: rows and columns from the footer. */
export const parquet: Extractor = {
  name: 'parquet',
  version: 1,
  text: true,
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
      const signature = tail.toString('latin1', 4, 8);
      if (signature === 'PARE') return { metadata: { database: { format: 'parquet', encrypted: true } } };
      if (signature !== 'PAR1') throw new ExtractError('corrupt', 'The footer of the table is missing.');
      const length = tail.readUInt32LE(0);
      if (length > maxFooter) throw new ExtractError('guard', 'The metadata of the table is larger than 64 MiB.');
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

/** The schema is a flattened tree. Its leaves, which have a type, are the columns. */
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

type ThriftValue = number | boolean | Buffer | ThriftValue[] | Map<number, ThriftValue>;

const maxDepth = 32;
const maxValues = 5_000_000;

/** Decodes a struct in Thrift compact encoding to a map from field number to value. */
function readThriftStruct(bytes: Buffer): Map<number, ThriftValue> {
  let at = 0;
  let values = 0;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The metadata of the table is damaged.');
  };
  const byte = (): number => {
    const value = bytes[at++];
    return value === undefined ? damaged() : value;
  };
  const varint = (): number => {
    let value = 0;
    for (let shift = 1, i = 0; i < 10; i++, shift *= 128) {
      const next = byte();
      value += (next & 0x7f) * shift;
      if (next < 0x80) return value;
    }
    return damaged();
  };
  const zigzag = (): number => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const binary = (): Buffer => {
    const length = varint();
    if (at + length > bytes.length) damaged();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (type: number, depth: number): ThriftValue => {
    if (depth > maxDepth || ++values > maxValues) throw new ExtractError('guard', 'The metadata of the table is too large.');
    if (type === 1 || type === 2) return type === 1;
    if (type === 3) return byte();
    if (type >= 4 && type <= 6) return zigzag();
    if (type === 7) {
      at += 8;
      return at > bytes.length ? damaged() : bytes.readDoubleLE(at - 8);
    }
    if (type === 8) return binary();
    if (type === 9 || type === 10) return list(depth);
    if (type === 11) return map(depth);
    return type === 12 ? struct(depth) : damaged();
  };
  const list = (depth: number): ThriftValue[] => {
    const head = byte();
    const size = head >> 4 === 15 ? varint() : head >> 4;
    if (size > bytes.length - at) damaged();
    const out: ThriftValue[] = [];
    for (let i = 0; i < size; i++) out.push((head & 15) <= 2 ? byte() === 1 : read(head & 15, depth + 1));
    return out;
  };
  const map = (depth: number): ThriftValue[] => {
    const size = varint();
    if (size === 0) return [];
    const kinds = byte();
    if (size > bytes.length - at) damaged();
    const out: ThriftValue[] = [];
    for (let i = 0; i < size; i++) out.push(read(kinds >> 4, depth + 1), read(kinds & 15, depth + 1));
    return out;
  };
  const struct = (depth: number): Map<number, ThriftValue> => {
    const fields = new Map<number, ThriftValue>();
    let field = 0;
    for (;;) {
      const head = byte();
      if (head === 0) return fields;
      field = head >> 4 === 0 ? zigzag() : field + (head >> 4);
      fields.set(field, read(head & 15, depth + 1));
    }
  };
  return struct(0);
}
