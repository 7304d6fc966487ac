import { hash } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { problem } from './problem.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time' });
export const NoContent = Type.Null();
export const JsonObject = Type.Record(Type.String(), Type.Unknown());
/** Rejects unknown fields in request bodies, so that a misspelled field is an error instead of being ignored. */
export const noExtraFields = { additionalProperties: false };

/** Clamps file times outside the years 1 to 9999, which ISO 8601 cannot express. */
export function isoTime(milliseconds: number): string {
  const latest = 253_402_300_799_999;
  return new Date(Math.min(latest, Math.max(-62_135_596_800_000, milliseconds))).toISOString();
}

/** A query parameter that may be given several times. */
export const repeatedParameter = <T extends TSchema>(schema: T, maxItems = 50) => Type.Array(schema, { maxItems });

/** The response of every paged list. */
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

/** A cursor is a JSON value in base64url. Clients must treat it as opaque. */
export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A short key of everything a cursor depends on, such as filter and rights. A cursor holds it and is valid only where it is the same. */
export function cursorKeyOf(identity: unknown): string {
  return hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 16);
}

export function decodeCursor<T>(cursor: string | undefined, isValid: (value: unknown) => value is T): T | null {
  if (cursor === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isValid(value)) return value;
  } catch {
    // Malformed base64 or JSON is reported below like any other invalid cursor.
  }
  throw problem('cursor_invalid');
}
