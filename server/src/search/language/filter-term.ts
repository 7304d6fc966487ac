import { numericFacts } from '../documents/index.ts';
import { type FilterKey, type FilterTerm, plainKeys, type ValueTest } from './ast.ts';
import type { QueryToken } from './lexer.ts';
import { queryError } from './query-error.ts';
import { numberBounds, type ValueSource, abbreviate, sizeBounds, timeBounds } from './values.ts';

/** Reads `key:value` into a test. What each key takes is here and nowhere else. */
export const statusValues = ['active', 'missing', 'trashed'] as const;
export const isValues = [...statusValues, 'sidecar'] as const;
export const hasValues = ['error', 'text', 'members', 'tags', 'notes', 'origin', 'parent'] as const;

const names = new Set<string>(plainKeys);
const maxValues = 100;
const maxStars = 8;

export function isKey(name: string): boolean {
  return names.has(name.toLowerCase()) || /^(?:meta|cf)\./i.test(name);
}

type TextToken = Extract<QueryToken, { kind: 'text' }>;

export function readFilterTerm(token: TextToken, now: Date): FilterTerm {
  const written = token.key!;
  if (token.fuzzy) throw queryError('fuzzy_on_filter', token.start, 'A filter is exact; ~ goes before words only.');
  const place: ValueSource = { value: token.value, at: token.valueStart };
  if (token.value.trim() === '') throw queryError('empty_value', token.valueStart, `A value is missing after ${written}:`);
  if (token.value.includes('\0')) throw queryError('bad_character', token.valueStart, 'The value holds a character that no file can have.');
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
      return term({ type: 'range', bounds: sizeBounds(place) });
    case 'year':
      return term({ type: 'range', bounds: numberBounds(place) });
    case 'modified':
    case 'created':
      return term({ type: 'range', bounds: timeBounds(place, now) });
    case 'hash':
      return term(hashTest(place));
    case 'is':
      return term(checkKnown(listOf(token), isValues, place));
    case 'has':
      return term(checkKnown(listOf(token), hasValues, place));
    case 'kind':
    case 'group':
      return term(checkKnown(listOf(token), null, place));
    case 'ext':
      return term(listOf(token, (value) => value.toLowerCase().replace(/^\./, '')));
    case 'path':
      return term(globOf(token, token.value.replace(/^[=/]+|\/+$/g, '')));
    case 'meta':
      return {
        ...term(isPlainNumber(name, token) ? { type: 'range', bounds: numberBounds(place) } : factTest(token, now)),
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
    if (glob.split('*').length - 1 > maxStars) throw queryError('too_long', at, `A value takes at most ${maxStars} stars.`);
  return { type: 'values', exact: all.filter((value) => !globs.includes(value)), globs };
}

/** `a;b;c`, one of several; quoted, it is one value as it stands. */
function listOf(token: TextToken, fold = (value: string): string => value): ValueTest {
  const text = token.value.replace(/^=/, '');
  const all = (token.quoted ? [text] : text.split(';')).map((value) => fold(value.trim())).filter((value) => value !== '');
  if (all.length === 0) throw queryError('empty_value', token.valueStart, 'A value is missing.');
  if (all.length > maxValues) throw queryError('too_long', token.valueStart, `A filter takes at most ${maxValues} values.`);
  return valuesTest(all, token.quoted, token.valueStart);
}

function globOf(token: TextToken, value: string): ValueTest {
  return valuesTest([value], token.quoted, token.valueStart);
}

function checkKnown(test: ValueTest, allowed: readonly string[] | null, place: ValueSource): ValueTest {
  if (test.type !== 'values') return test;
  if (test.globs.length > 0) throw queryError('unknown_value', place.at, 'This key takes no stars.');
  const exact = test.exact.map((value) => value.toLowerCase());
  const wrong = allowed && exact.find((value) => !allowed.includes(value));
  if (wrong) throw queryError('unknown_value', place.at, `"${abbreviate(wrong)}" is not known here. There are: ${allowed!.join(', ')}.`);
  return { ...test, exact };
}

function hashTest({ value, at }: ValueSource): ValueTest {
  const hash = value.toLowerCase().replace(/^=/, '');
  if (!/^[0-9a-f]{8,64}$/.test(hash)) throw queryError('bad_hash', at, 'Give 8 to 64 digits of a hash, 0-9 and a-f.');
  return { type: 'values', exact: [hash], globs: [] };
}

/** Facts and custom fields: `*` asks for presence, a comparator or range compares, anything else is the value. */
function factTest(token: TextToken, now: Date): ValueTest {
  const place: ValueSource = { value: token.value, at: token.valueStart };
  if (!token.quoted && token.value === '*') return { type: 'present' };
  const compares = /^[<>]/.test(token.value) || (!token.quoted && /^[^.]*[\d]\.\.|\.\.[\d]/.test(token.value));
  if (!compares) return listOf(token);
  if (/\d{4}-\d/.test(token.value)) {
    const { gte, gt, lte, lt } = timeBounds(place, now);
    const [low, high] = [gte ?? gt, lt ?? lte];
    return { type: 'dates', ...(low === undefined ? {} : { gte: isoDay(low) }), ...(high === undefined ? {} : { lt: isoDay(high) }) };
  }
  return { type: 'range', bounds: numberBounds(place) };
}

/** Facts that the index keeps as numbers are compared as numbers: `meta.width:4000` is 4000, however it was written. */
function isPlainNumber(name: string, { value, quoted }: TextToken): boolean {
  return (numericFacts as readonly string[]).includes(name) && !quoted && /^=?-?\d+(?:\.\d+)?$/.test(value);
}

function isoDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Dotted names, the last of which may be `*`. Recognised text has its own search, with its own permission. */
function metaName(name: string, at: number): string {
  if (name.length > 64 || !/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*(?:\.\*)?$|^\*$/.test(name))
    throw queryError('bad_meta_key', at, 'Write meta. and the name of a fact: letters, digits and _, with dots between.');
  if (/(?:^|\.)(?:ocr_text|_.*)$/i.test(name))
    throw queryError('bad_meta_key', at, 'This fact is not filtered by. To find text, type its words; to find errors, use has:error.');
  return name;
}

function customName(name: string, at: number): string {
  if (name.length > 64 || !/^[A-Za-z0-9_]+$/.test(name))
    throw queryError('bad_cf_key', at, 'Write cf. and the name of a custom field: letters, digits and _.');
  return name;
}
