import { type TSchema, Type } from 'typebox';

/** Pieces that request and answer schemas share. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time' });
export const Nothing = Type.Null();
export const AnyObject = Type.Record(Type.String(), Type.Unknown());
/** Request bodies name every field they take; a typing mistake is told, not ignored. */
export const closed = { additionalProperties: false };

/** One value or several of a repeated query parameter. */
export const repeated = <T extends TSchema>(schema: T, maxItems = 50) => Type.Array(schema, { maxItems });
