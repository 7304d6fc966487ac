import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Where a page ends: the sort values of its last hit, and the snapshot of the index that the pages are read from. */
interface Position {
  /** Identifies the order of the hits. */
  order: string;
  snapshot: string | null;
  values: unknown[];
}

/** The id of a snapshot names every shard. Packed, that of 30 shards still fits into a URL. */
const maxPackedLength = 2000;
const maxUnpackedBytes = 100_000;

/** A cursor is the order it was made for, the snapshot and the sort values of the last hit. */
export function cursorOf({ order, snapshot, values }: Position): string {
  const packed = snapshot === null ? null : pack(snapshot);
  return Buffer.from(JSON.stringify([order, packed, ...values])).toString('base64url');
}

/** True if a cursor can name this snapshot. */
export const fitsCursor = (snapshot: string): boolean => pack(snapshot).length <= maxPackedLength;

/** Throws for a cursor that was not made for this order. */
export function readCursor(cursor: string, order: string, length: number): Position {
  const [given, packed, ...values] = parsed(cursor);
  const isValid =
    values.length === length &&
    given === order &&
    (packed === null || typeof packed === 'string') &&
    values.every((value) => value === null || typeof value === 'string' || typeof value === 'number');
  const snapshot = typeof packed === 'string' ? unpack(packed) : null;
  if (!isValid || (packed !== null && snapshot === null)) throw foreignCursor();
  return { order, snapshot, values };
}

export const foreignCursor = (): Error => Object.assign(new Error('The cursor does not belong to this query.'), { code: 'bad_query' });

/** The server has discarded the snapshot, or has lost a node that held a part of it. */
export const expiredCursor = (): Error =>
  Object.assign(new Error('The snapshot that the cursor belongs to is gone.'), { code: 'cursor_expired' });

/** Ids are base64 of mostly repeated names, which shrink better as bytes. */
function pack(snapshot: string): string {
  const bytes = Buffer.from(snapshot, 'base64url');
  const isText = base64Of(bytes) !== snapshot;
  return `${isText ? 't' : 'b'}${deflateRawSync(isText ? Buffer.from(snapshot) : bytes, { level: 9 }).toString('base64url')}`;
}

/** With padding, as the server writes it. */
const base64Of = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

function unpack(packed: string): string | null {
  try {
    const bytes = inflateRawSync(Buffer.from(packed.slice(1), 'base64url'), { maxOutputLength: maxUnpackedBytes });
    const text = packed.startsWith('t') ? bytes.toString() : base64Of(bytes);
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
