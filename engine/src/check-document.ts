import { EngineError } from './errors.ts';
import { schemaFields } from './schema.ts';
import type { Document, Schema } from './types.ts';

export const maxIdLength = 128;
const maxFingerprintLength = 16;
/** Limit of keyword, sort and scope values. Text has no such limit, because it is split into terms. */
const maxValueLength = 8192;
const maxValues = 10_000;

type Check = (value: unknown) => string | null;

const text: Check = (value) =>
  typeof value === 'string' || (Array.isArray(value) && value.length <= maxValues && value.every((each) => typeof each === 'string'))
    ? null
    : `a string or a list of at most ${maxValues} strings`;
const short = (value: unknown) => typeof value === 'string' && value.length <= maxValueLength;
const oneString: Check = (value) => (short(value) ? null : `a string of at most ${maxValueLength} characters`);
const manyStrings: Check = (value) =>
  short(value) || (Array.isArray(value) && value.length <= maxValues && value.every(short))
    ? null
    : `a string or a list of at most ${maxValues} strings of at most ${maxValueLength} characters`;
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

/** Returns a function that throws `bad_document` for the first error in a document, and otherwise returns its size in characters. */
export function createDocumentChecker(schema: Schema): (document: Document) => number {
  const checks = new Map<string, Check[]>();
  for (const { name, kind } of schemaFields(schema)) {
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
      !(typeof fingerprint === 'string' && fingerprint.length <= maxFingerprintLength && fingerprint.isWellFormed())
    ) {
      throw new EngineError(
        'bad_document',
        `Document "${id}": the fingerprint must be a string of at most ${maxFingerprintLength} characters.`,
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
  if (typeof id === 'string' && id.length >= 1 && id.length <= maxIdLength && id.isWellFormed()) return;
  throw new EngineError('bad_document', `An id must be a string of 1 to ${maxIdLength} code units without lone surrogates.`);
}
