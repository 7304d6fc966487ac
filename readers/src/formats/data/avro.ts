import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';

const maxHeader = 4 * 1024 * 1024;

/** Avro container files: the schema in the header names the record and its fields. */
export function readAvro(file: FileBytes): Record<string, unknown> | undefined {
  const bytes = file.read(0, maxHeader);
  if (bytes.toString('latin1', 0, 4) !== 'Obj\x01') return undefined;
  const header = readMap(bytes, 4);
  const schema = parseSchema(header.get('avro.schema'));
  const fields = Array.isArray(schema?.['fields']) ? (schema['fields'] as Record<string, unknown>[]) : [];
  const columns = fields
    .slice(0, 1000)
    .map((field) => ({ name: String(field?.['name'] ?? '').slice(0, 200), type: typeName(field?.['type']) }));
  return withoutEmpty({
    format: 'avro',
    name: typeof schema?.['name'] === 'string' ? schema['name'].slice(0, 200) : undefined,
    columns,
    column_count: fields.length,
    codec: header.get('avro.codec')?.slice(0, 40),
  });
}

function parseSchema(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const schema: unknown = JSON.parse(text ?? 'null');
    return typeof schema === 'object' && schema !== null ? (schema as Record<string, unknown>) : undefined;
  } catch {
    throw new ExtractError('corrupt', 'The schema of the file is damaged.');
  }
}

function typeName(type: unknown): string {
  if (typeof type === 'string') return type.slice(0, 60);
  if (Array.isArray(type)) return type.map(typeName).slice(0, 8).join(' | ');
  return typeof type === 'object' && type !== null && 'type' in type ? typeName(type.type) : 'unknown';
}

/** Blocks of key and value pairs, each block led by its count; a negative count is followed by the block's size. */
function readMap(bytes: Buffer, from: number): Map<string, string> {
  const found = new Map<string, string>();
  let at = from;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The header of the file is damaged.');
  };
  const long = (): number => {
    let value = 0;
    for (let i = 0, factor = 1; i < 8; i++, factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) damaged();
      value += (byte! & 0x7f) * factor;
      if (byte! < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    return damaged();
  };
  const text = (): string => {
    const length = long();
    if (!(length >= 0) || at + length > bytes.length) damaged();
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  for (let count = long(); count !== 0; count = long()) {
    if (count < 0) long();
    if (Math.abs(count) > 1000) damaged();
    for (let i = 0; i < Math.abs(count); i++) found.set(text(), text());
  }
  return found;
}
