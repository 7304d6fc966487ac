import { isContentFact } from '../../catalog/items/index.ts';
import { numericFacts } from '../documents/index.ts';
import { type FilterKey, type FilterTerm, plainKeys, type ValueTest } from './ast.ts';
import type { QueryToken } from './lexer.ts';
import { queryError } from './query-error.ts';
import { abbreviate, numberBounds, sizeBounds, timeBounds, type ValueSource } from './values.ts';

/** Reads `key:value` into a test. This file alone defines which values each key accepts. */
export const statusValues = ['active', 'missing', 'trashed'] as const;
export const isValues = [...statusValues, 'sidecar'] as const;
export const hasValues = ['error', 'encrypted', 'text', 'members', 'tags', 'notes', 'origin', 'parent'] as const;

const names = new Set<string>(plainKeys);
const maxValues = 100;
const maxStars = 8;

export function isKey(name: string): boolean {
  return names.has(name.toLowerCase()) || /^(?:meta|cf)\./i.test(name);
}

type TextToken = Extract<QueryToken, { kind: 'text' }>;

export function readFilterTerm(token: TextToken, now: Date): FilterTerm {
  const written = token.key ?? '';
  if (token.fuzzy) throw queryError('fuzzy_on_filter', token.start, '~ can be used before words only. Remove it from this filter.');
  const source: ValueSource = { value: token.value, at: token.valueStart };
  if (token.value.trim() === '') throw queryError('empty_value', token.valueStart, `The value is missing. Write one after ${written}:`);
  if (token.value.includes('\0'))
    throw queryError('bad_character', token.valueStart, 'The value contains a NUL character, which no file name can have. Remove it.');
  const dot = written.indexOf('.');
  const key = (dot < 0 ? written : written.slice(0, dot)).toLowerCase() as FilterKey;
  const name = dot < 0 ? '' : written.slice(dot + 1);
  const term = (test: ValueTest): FilterTerm => ({
    kind: 'filter',
    key,
    name,
    test,
    value: token.value,
    start: token.start,
    end: token.end,
  });
  switch (key) {
    case 'size':
      return term({ type: 'range', bounds: sizeBounds(source) });
    case 'year':
      return term({ type: 'range', bounds: numberBounds(source) });
    case 'modified':
    case 'created':
    case 'taken':
    case 'perm-changed':
      return term({ type: 'range', bounds: timeBounds(source, now) });
    case 'hash':
      return term(hashTest(source));
    case 'is':
      return term(checkKnown(listOf(token), isValues, source));
    case 'has':
      return term(checkKnown(listOf(token), hasValues, source));
    case 'owner':
    case 'readable-by':
    case 'writable-by':
      return term(withoutGlobs(listOf(token), source));
    case 'kind':
    case 'group':
      return term(checkKnown(listOf(token), null, source));
    case 'ext':
      return term(listOf(token, (value) => value.toLowerCase().replace(/^\./, '')));
    case 'path':
      return term(globOf(token, textOf(token).replace(/^\/+|\/+$/g, '')));
    case 'meta':
      return {
        ...term(isPlainNumber(name, token) ? { type: 'range', bounds: numberBounds(source) } : factTest(token, now)),
        name: metaName(name, token.start),
      };
    case 'cf':
      return { ...term(factTest(token, now)), name: customName(name, token.start) };
    default:
      return term(listOf(token));
  }
}

function valuesTest(all: readonly string[], quoted: boolean, at: number): ValueTest {
  const globs = quoted ? [] : all.filter((value) => value.includes('*'));
  for (const glob of globs)
    if (glob.split('*').length - 1 > maxStars) throw queryError('too_long', at, `A value can have at most ${maxStars} stars (*).`);
  return { type: 'values', exact: all.filter((value) => !globs.includes(value)), globs };
}

/** The value without the sign of `tag:=x`. A sign inside quotes belongs to the value. */
function textOf({ value, quoted, comparator }: TextToken): string {
  return quoted && comparator === '' ? value : value.replace(/^=/, '');
}

/** `a;b;c` is a list of alternatives; a quoted value is taken literally. */
function listOf(token: TextToken, normalise = (value: string): string => value): ValueTest {
  const text = textOf(token);
  const all = (token.quoted ? [text] : text.split(';')).map((value) => normalise(value.trim())).filter((value) => value !== '');
  if (all.length === 0) throw queryError('empty_value', token.valueStart, 'The value is missing. Add one.');
  if (all.length > maxValues) throw queryError('too_long', token.valueStart, `A filter can have at most ${maxValues} values.`);
  return valuesTest(all, token.quoted, token.valueStart);
}

function globOf(token: TextToken, value: string): ValueTest {
  return valuesTest([value], token.quoted, token.valueStart);
}

function withoutGlobs(test: ValueTest, { at }: ValueSource): ValueTest {
  if (test.type === 'values' && test.globs.length > 0)
    throw queryError('unknown_value', at, 'This key does not accept stars (*). Write the full name.');
  return test;
}

function checkKnown(test: ValueTest, allowed: readonly string[] | null, source: ValueSource): ValueTest {
  if (test.type !== 'values') return test;
  if (test.globs.length > 0) throw queryError('unknown_value', source.at, 'This key does not accept stars (*). Write the full value.');
  const exact = test.exact.map((value) => value.toLowerCase());
  const wrong = allowed && exact.find((value) => !allowed.includes(value));
  if (allowed && wrong)
    throw queryError('unknown_value', source.at, `"${abbreviate(wrong)}" is not a value of this key. Use one of: ${allowed.join(', ')}.`);
  return { ...test, exact };
}

function hashTest({ value, at }: ValueSource): ValueTest {
  const hash = value.toLowerCase().replace(/^=/, '');
  if (!/^[0-9a-f]{8,64}$/.test(hash)) throw queryError('bad_hash', at, 'Write the first 8 to 64 digits of a hash, 0-9 and a-f.');
  return { type: 'values', exact: [hash], globs: [] };
}

/** The test of a fact or custom field: `*` means any value, a comparator or range compares, anything else is the value itself. */
function factTest(token: TextToken, now: Date): ValueTest {
  const source: ValueSource = { value: token.value, at: token.valueStart };
  if (!token.quoted && token.value === '*') return { type: 'present' };
  const compares = /^[<>]/.test(token.quoted ? token.comparator : token.value) || (!token.quoted && /\d\.\.|\.\.[+-]?\d/.test(token.value));
  if (!compares) return listOf(token);
  if (/\d{4}-\d/.test(token.value)) {
    const { gte, gt, lte, lt } = timeBounds(source, now);
    const [low, high] = [gte ?? gt, lt ?? lte];
    return { type: 'dates', ...(low === undefined ? {} : { gte: isoDay(low) }), ...(high === undefined ? {} : { lt: isoDay(high) }) };
  }
  return { type: 'range', bounds: numberBounds(source) };
}

/** True when the value must be compared as a number, because the index stores this fact as one. */
function isPlainNumber(name: string, { value, quoted }: TextToken): boolean {
  return (numericFacts as readonly string[]).includes(name) && !quoted && /^=?-?\d+(?:\.\d+)?$/.test(value);
}

function isoDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Checks a dotted fact name, whose last part may be `*`. Facts that are content cannot be filtered; their words are searched. */
function metaName(name: string, at: number): string {
  if (name.length > 64 || !/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*(?:\.\*)?$|^\*$/.test(name))
    throw queryError('bad_meta_key', at, 'Write meta. and the name of a fact, such as meta.width or meta.exif.iso.');
  if (isContentFact(name) || /(?:^|\.)_.*$/.test(name))
    throw queryError(
      'bad_meta_key',
      at,
      'This fact cannot be used as a filter. To find text, type its words; to find errors, use has:error.',
    );
  return name;
}

function customName(name: string, at: number): string {
  if (name.length > 64 || !/^[A-Za-z0-9_]+$/.test(name))
    throw queryError('bad_cf_key', at, 'Write cf. and the name of a custom field, such as cf.rating.');
  return name;
}
