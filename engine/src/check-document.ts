import { EngineError } from './errors.ts';
import { fieldNames } from './schema.ts';
import type { Document, Schema } from './types.ts';

export const longestId = 128;
export const longestFingerprint = 16;
/** Keyword, sort and scope values; text has no such limit, it is cut into terms. */
export const longestValue = 8192;
export const mostValues = 10_000;

type Check = (value: unknown) => string | null;

const text: Check = (value) =>
  typeof value === 'string' || (Array.isArray(value) && value.length <= mostValues && value.every((each) => typeof each === 'string'))
    ? null
    : `a string or a list of at most ${mostValues} strings`;
const short = (value: unknown) => typeof value === 'string' && value.length <= longestValue;
const oneString: Check = (value) => (short(value) ? null : `a string of at most ${longestValue} characters`);
const manyStrings: Check = (value) =>
  short(value) || (Array.isArray(value) && value.length <= mostValues && value.every(short))
    ? null
    : `a string or a list of at most ${mostValues} strings of at most ${longestValue} characters`;
const number: Check = (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'a finite number');
const point: Check = (value) => {
  const { lat, lng } = (value ?? {}) as { lat?: unknown; lng?: unknown };
  const inside = (each: unknown, most: number) => typeof each === 'number' && each >= -most && each <= most;
  return inside(lat, 90) && inside(lng, 180) ? null : 'a point { lat: -90 … 90, lng: -180 … 180 }';
};
const vector =
  (dimension: number): Check =>
  (value) => {
    const wanted = `a Float32Array of ${dimension} finite numbers, not all zero`;
    if (!(value instanceof Float32Array) || value.length !== dimension) return wanted;
    let squares = 0;
    for (const each of value) squares += each * each;
    return Number.isFinite(squares) && squares > 0 ? null : wanted;
  };

/**
 * Prepares the checks of a schema once; the answer throws `bad_document` for the first thing wrong with a document, and otherwise says
 * how many characters it holds, so that large documents can cross to a thread alone.
 */
export function documentChecker(schema: Schema): (document: Document) => number {
  const checks = new Map<string, Check[]>();
  for (const { name, kind } of fieldNames(schema)) {
    const multi = kind === 'keyword' && schema.keyword.find((field) => field.name === name)?.multi === true;
    const check = {
      text,
      keyword: multi ? manyStrings : oneString,
      number,
      sortable: oneString,
      geo: point,
      scope: oneString,
      vector: vector(schema.vector?.dimension ?? 0),
    }[kind];
    checks.set(name, [...(checks.get(name) ?? []), check]);
  }
  return (document) => {
    if (typeof document !== 'object' || document === null) throw new EngineError('bad_document', 'A document must be an object.');
    const { id, fingerprint } = document;
    checkId(id);
    if (
      fingerprint !== undefined &&
      !(typeof fingerprint === 'string' && fingerprint.length <= longestFingerprint && fingerprint.isWellFormed())
    ) {
      throw new EngineError(
        'bad_document',
        `Document "${id}": the fingerprint must be a string of at most ${longestFingerprint} characters.`,
      );
    }
    let characters = 0;
    for (const name of Object.keys(document)) {
      if (name === 'id' || name === 'fingerprint') continue;
      const value = document[name];
      const own = checks.get(name);
      if (!own) throw new EngineError('bad_document', `Document "${id}": the schema has no field "${name}".`);
      if (value === undefined || value === null) continue;
      for (const check of own) {
        const wanted = check(value);
        if (wanted !== null) throw new EngineError('bad_document', `Document "${id}": field "${name}" must be ${wanted}.`);
      }
      characters += sizeOf(value);
    }
    return characters;
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Float32Array) return value.length * 4;
  if (!Array.isArray(value)) return 8;
  let characters = 0;
  for (const each of value as string[]) characters += each.length;
  return characters;
}

export function checkId(id: unknown): void {
  if (typeof id === 'string' && id.length >= 1 && id.length <= longestId && id.isWellFormed()) return;
  throw new EngineError('bad_document', `An id must be a string of 1 to ${longestId} code units without lone surrogates.`);
}
