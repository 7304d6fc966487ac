import fc from 'fast-check';

export interface JsonSchema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Values that a schema may forget to exclude. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '..',
  '../../etc/passwd',
  '/',
  '/proc/self/mem',
  "'; drop table items; --",
  '%',
  '_',
  '\\',
  '"',
  '{"a":1}',
  '(((',
  'size:>10mb OR',
  'a'.repeat(300),
  '\u202e\u2066',
  '😀'.repeat(40),
  '9'.repeat(400),
  'NaN',
  '-1',
  '1e309',
  'null',
  'true',
  '2024-13-45T99:99:99Z',
  '*/0 * * * *',
];
const hostileValues = [null, true, -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e308, [], {}, [[]], { a: null }, { __proto: 1 }];
const hostile = fc.oneof(fc.constantFrom(...hostileTexts), fc.constantFrom<unknown>(...hostileValues));

/** Mostly values that satisfy the schema, so that requests get past validation, and sometimes ones that should not. */
export function valueFor(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: plausible(schema, depth) }, { weight: 1, arbitrary: hostile });
}

function plausible(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (depth > 5) return fc.constant(null);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((each) => valueFor(each, depth + 1)));
  switch (schema.type) {
    case 'string':
      return textFor(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: bound(schema.minimum, -1000), max: bound(schema.maximum, 100_000) }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 2 ** 31),
      );
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, depth + 1), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'object':
      return objectFor(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectFor(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  const required = schema.required ?? [];
  return fc.record(Object.fromEntries(properties.map(([name, each]) => [name, valueFor(each, depth + 1)])), { requiredKeys: required });
}

function textFor(schema: JsonSchema): fc.Arbitrary<string> {
  const texts: fc.Arbitrary<string> =
    schema.format === 'uuid'
      ? fc.uuid()
      : schema.format === 'date-time'
        ? fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((date) => date.toISOString())
        : fc.string({
            unit: 'grapheme',
            minLength: schema.minLength ?? 0,
            maxLength: Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 40, 40)),
          });
  return fc.oneof({ weight: 3, arbitrary: texts }, { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) });
}

function bound(given: number | undefined, fallback: number): number {
  return Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, given ?? fallback)));
}
