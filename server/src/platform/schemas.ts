import { type TSchema, Type } from 'typebox';
import { problem } from './problem.ts';

/** Pieces that request and answer schemas share. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time' });
export const NoContent = Type.Null();
export const JsonObject = Type.Record(Type.String(), Type.Unknown());
/** Request bodies name every field they take; a typing mistake is told, not ignored. */
export const noExtraFields = { additionalProperties: false };

/** One value or several of a repeated query parameter. */
export const repeatedParameter = <T extends TSchema>(schema: T, maxItems = 50) => Type.Array(schema, { maxItems });

/** The one shape of lists: `{ items, total, limit, next_cursor }`. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });
}

export function pageQuery(maximum = 200, fallback = 50) {
  return {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum, default: fallback })),
    cursor: Type.Optional(Type.String({ maxLength: 2048 })),
  };
}

/** Cursors are opaque to clients: a JSON value in base64url. */
export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function decodeCursor<T>(cursor: string | undefined, fits: (value: unknown) => value is T): T | null {
  if (cursor === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (fits(value)) return value;
  } catch {
    // falls through to the problem below
  }
  throw problem('cursor_invalid');
}
