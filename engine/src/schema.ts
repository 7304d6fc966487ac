import { createHash } from 'node:crypto';
import { EngineError } from './errors.ts';
import type { Schema } from './types.ts';

/** Field masks in postings have sixteen bits. */
const maxTextFields = 16;
const maxFields = 200;
const maxNameLength = 64;
const maxDimension = 8192;

/** A hash that identifies the schema in every file that depends on it. */
export function schemaHash(schema: Schema): string {
  return createHash('sha256')
    .update(JSON.stringify(normalizeSchema(schema)))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the schema with all defaults filled in and unknown properties removed. */
export function normalizeSchema(schema: Schema): Schema {
  return {
    version: schema.version,
    text: schema.text.map((field) => ({
      name: field.name,
      typos: field.typos !== false,
      infix: field.infix === true,
      ...(field.variant === true ? { variant: true } : {}),
    })),
    keyword: schema.keyword.map((field) => ({ name: field.name, multi: field.multi === true })),
    number: [...schema.number],
    sortable: [...schema.sortable],
    ...(schema.geo === undefined ? {} : { geo: schema.geo }),
    ...(schema.scope === undefined ? {} : { scope: schema.scope }),
    ...(schema.vector === undefined
      ? {}
      : { vector: { name: schema.vector.name, dimension: schema.vector.dimension, quantise: schema.vector.quantise === true } }),
  };
}

export function checkSchema(schema: Schema): void {
  const refuse = (message: string) => {
    throw new EngineError('bad_schema', message);
  };
  if (typeof schema !== 'object' || schema === null) refuse('The schema must be an object.');
  if (!Number.isSafeInteger(schema.version)) refuse('The schema needs a whole number as its version.');
  for (const part of ['text', 'keyword', 'number', 'sortable'] as const) {
    if (!Array.isArray(schema[part])) refuse(`The schema needs a list of ${part} fields.`);
  }
  if (schema.text.length > maxTextFields) refuse(`The schema may have ${maxTextFields} text fields at most.`);
  const names = schemaFields(schema);
  if (names.length > maxFields) refuse(`The schema may have ${maxFields} fields at most.`);
  const kinds = new Map<string, FieldKind[]>();
  for (const { name, kind } of names) {
    if (typeof name !== 'string' || name.length === 0 || name.length > maxNameLength)
      refuse(`A ${kind} field needs a name of 1 to ${maxNameLength} characters.`);
    const others = kinds.get(name) ?? [];
    // String fields of different kinds may share a name; all other names must be unique.
    const shareable = [...others, kind].every((each) => stringKinds.has(each)) && !others.includes(kind);
    if (name === 'id' || name === 'fingerprint' || (others.length > 0 && !shareable))
      refuse(`The schema contains the field "${name}" twice, or the name is reserved.`);
    kinds.set(name, [...others, kind]);
  }
  const { vector } = schema;
  if (vector && !(Number.isSafeInteger(vector.dimension) && vector.dimension >= 1 && vector.dimension <= maxDimension)) {
    refuse(`The vector's dimension must be a whole number from 1 to ${maxDimension}.`);
  }
}

const stringKinds = new Set<string>(['text', 'keyword', 'sortable', 'scope']);

type FieldKind = 'text' | 'keyword' | 'number' | 'sortable' | 'geo' | 'scope' | 'vector';

export function schemaFields(schema: Schema): { name: string; kind: FieldKind }[] {
  return [
    ...schema.text.map(({ name }) => ({ name, kind: 'text' as const })),
    ...schema.keyword.map(({ name }) => ({ name, kind: 'keyword' as const })),
    ...schema.number.map((name) => ({ name, kind: 'number' as const })),
    ...schema.sortable.map((name) => ({ name, kind: 'sortable' as const })),
    ...(schema.geo === undefined ? [] : [{ name: schema.geo, kind: 'geo' as const }]),
    ...(schema.scope === undefined ? [] : [{ name: schema.scope, kind: 'scope' as const }]),
    ...(schema.vector === undefined ? [] : [{ name: schema.vector.name, kind: 'vector' as const }]),
  ];
}
