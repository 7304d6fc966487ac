import { describe, expect, test } from 'vitest';
import { Problem } from '../../platform/problem.ts';
import type { Expression } from './ast.ts';
import { parseQuery } from './parse.ts';
import { indexText } from './to-index.ts';

const now = new Date('2026-03-10T12:00:00Z');

function show(node: Expression): string {
  if (node.kind === 'not') return `!${show(node.part)}`;
  if (node.kind === 'and' || node.kind === 'or') return `(${node.parts.map(show).join(node.kind === 'and' ? ' & ' : ' | ')})`;
  if (node.kind === 'word') return `"${node.text}"`;
  const { key, name, test: asked } = node;
  const told =
    asked.type === 'values'
      ? [...asked.exact, ...asked.globs.map((glob) => `~${glob}`)].join(';')
      : asked.type === 'range'
        ? JSON.stringify(asked.bounds)
        : asked.type;
  return `${name ? `${key}.${name}` : key}=${told}`;
}

function read(query: string, typing = false): string {
  const parsed = parseQuery(query, { now, typing });
  return [indexText(parsed).trim(), ...parsed.filters.map(show)].filter(Boolean).join(' / ');
}

function mistake(query: string): [code: unknown, position: unknown] {
  try {
    parseQuery(query, { now });
  } catch (error) {
    if (error instanceof Problem) return [error.extras['reason'], error.extras['position']];
    throw error;
  }
  throw new Error(`understood: ${query}`);
}

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;

describe('words and filters in one query', () => {
  test.each([
    ['harbour fee', 'harbour fee'],
    ['harbour kind:image', 'harbour / kind=image'],
    ['kind:image harbour "mooring fee" -draft', '-draft harbour "mooring fee" / kind=image'],
    ['12:30 re:invent C:\\temp', '12:30 re:invent C:\\temp'],
    ['IMG_20240301-final.v2.PSD', 'IMG_20240301-final.v2.PSD'],
    ['copy(2).jpg ext:jpg', 'copy(2).jpg / ext=jpg'],
    ['fish and chips or not', 'fish and chips or not'],
    ['KIND:image Ext:.PDF;docx', 'kind=image / ext=pdf;docx'],
    ['tag:"two words" library:"My Photos"', 'tag=two words / library=My Photos'],
    ['tag:pri* tag:"pri*"', 'tag=~pri* / tag=pri*'],
    ['tag:=print tag:="print" tag:"=print"', 'tag=print / tag=print / tag==print'],
    ['path:"=old" path:"/a/"', 'path==old / path=a'],
    ['cf.client:"<none>" cf.due:>"2024-05-01"', 'cf.client=<none> / cf.due=dates'],
    ['path:/2023/bergen/ path:*/raw', 'path=2023/bergen / path=~*/raw'],
    ['-kind:image !ext:pdf NOT is:missing', '!kind=image / !ext=pdf / !is=missing'],
    ['kind:image AND (tag:a OR tag:b)', 'kind=image / (tag=a | tag=b)'],
    ['tag:a tag:b OR tag:c', '((tag=a & tag=b) | tag=c)'],
    ['-(tag:a OR tag:b)', '!tag=a / !tag=b'],
    ['NOT (tag:a tag:b)', '!(tag=a & tag=b)'],
    ['NOT (boat OR tag:a)', '-boat / !tag=a'],
    ['(harbour kind:image)', 'harbour / kind=image'],
    ['hash:9F3AC41E', 'hash=9f3ac41e'],
    ['meta.exif.camera:nikon* cf.client:Acme meta.width:*', 'meta.exif.camera=~nikon* / cf.client=Acme / meta.width=present'],
    ['meta.width:4000 meta.iso:100', 'meta.width={"gte":4000,"lte":4000} / meta.iso=100'],
    ['-', '-'.repeat(0)],
    ['', ''],
  ])('%s', (query, expected) => {
    expect(read(query)).toBe(expected);
  });
});

describe('sizes and numbers', () => {
  test.each([
    ['size:>1g', { gt: 1024 ** 3 }],
    ['size:>=1.5KB', { gte: 1536 }],
    ['size:10m..20m', { gte: 10 * 1024 ** 2, lte: 20 * 1024 ** 2 }],
    ['size:..1k', { lte: 1024 }],
    ['size:0', { gte: 0, lte: 0 }],
    ['year:2020..2022', { gte: 2020, lte: 2022 }],
    ['meta.width:>4000', { gt: 4000 }],
    ['meta.frame_rate:23.9..', { gte: 23.9 }],
    ['meta.frame_rate:23.9..25.1', { gte: 23.9, lte: 25.1 }],
    ['cf.balance:..-5', { lte: -5 }],
  ])('%s', (query, bounds) => {
    expect(parseQuery(query, { now }).filters[0]).toMatchObject({ test: { type: 'range', bounds } });
  });
});

describe('times are UTC; an age is relative to now, a date is the whole day, month or year', () => {
  const at = now.getTime() / 1000;
  test.each([
    ['modified:<30d', { gt: at - 30 * 86_400 }],
    ['modified:>1w', { lt: at - 604_800 }],
    ['modified:>=30d', { lte: at - 30 * 86_400 }],
    ['modified:<=30d', { gte: at - 30 * 86_400 }],
    ['modified:7d', { gte: at - 7 * 86_400 }],
    ['modified:2022..2024', { gte: day('2022-01-01'), lt: day('2025-01-01') }],
    ['modified:2024-02', { gte: day('2024-02-01'), lt: day('2024-03-01') }],
    ['created:>2024-01-01', { gte: day('2024-01-02') }],
    ['created:>=2024-01-01', { gte: day('2024-01-01') }],
    ['created:<2024', { lt: day('2024-01-01') }],
    ['created:<=2024', { lt: day('2025-01-01') }],
    ['modified:today', { gte: day('2026-03-10'), lt: day('2026-03-11') }],
    ['modified:30d..7d', { gte: at - 30 * 86_400, lte: at - 7 * 86_400 }],
  ])('%s', (query, bounds) => {
    expect(parseQuery(query, { now }).filters[0]).toMatchObject({ test: { type: 'range', bounds } });
  });
});

describe('a mistake has a code and a position', () => {
  test.each([
    ['say "hello', 'unterminated_quote', 4],
    ['tag:"x', 'unterminated_quote', 4],
    ['kind:', 'empty_value', 5],
    ['size:>', 'empty_value', 6],
    ['boat ~tag:x', 'fuzzy_on_filter', 5],
    ['size:big', 'bad_size_value', 5],
    ['size:>10q', 'bad_size_suffix', 8],
    ['modified:soon', 'bad_time_value', 9],
    ['modified:2024-02-30', 'bad_date', 9],
    ['hash:xyz', 'bad_hash', 5],
    ['size:>1k..2k', 'bad_range', 5],
    ['size:9k..1k', 'bad_range', 5],
    ['size:..', 'bad_range', 5],
    ['year:soon', 'bad_number', 5],
    ['meta.a$b:1', 'words', 0],
    ['meta.:1', 'bad_meta_key', 0],
    ['meta.ocr_text:secret', 'bad_meta_key', 0],
    ['meta.archive.members:secret', 'bad_meta_key', 0],
    ['meta.archive.members.name:secret', 'bad_meta_key', 0],
    ['meta.archive.members.*:secret', 'bad_meta_key', 0],
    ['cf.a.b:1', 'bad_cf_key', 0],
    ['is:gone', 'unknown_value', 3],
    ['has:wheels', 'unknown_value', 4],
    ['tag:a\0b', 'bad_character', 4],
    ['(kind:image', 'unclosed_parenthesis', 0],
    ['kind:image )', 'stray_parenthesis', 11],
    ['kind:image OR', 'missing_operand', 11],
    ['AND kind:image', 'missing_operand', 0],
    ['kind:image NOT', 'missing_operand', 11],
    ['()', 'missing_operand', 0],
    ['kind:image OR boat', 'words_in_or', 14],
    ['-(boat kind:image)', 'words_in_or', 2],
    [`${'('.repeat(60)}kind:image${')'.repeat(60)}`, 'too_deep', 40],
    [`path:${'*/'.repeat(20)}`, 'too_long', 5],
  ])('%j', (query, code, position) => {
    if (code === 'words') expect(read(query)).toBe(query);
    else expect(mistake(query)).toEqual([code, position]);
  });
});

test('unfinished input is accepted while typing', () => {
  expect(
    ['say "hello', 'boat kind:', '(tag:a', 'tag:a OR', 'boat NOT', 'copy (2).jpg', 'tag:a )', '((('].map((query) => read(query, true)),
  ).toEqual(['say "hello"', 'boat', 'tag=a', 'tag=a', 'boat', 'copy 2 .jpg', 'tag=a', '']);
});

test('before < and > the colon may be left out where the filter is a range', () => {
  expect(['size>10m', '-year<2020', 'meta.width>=4000'].map((query) => read(query))).toEqual(
    ['size:>10m', '-year:<2020', 'meta.width:>=4000'].map((query) => read(query)),
  );
  expect(['tag<a', 'a<b>c'].map((query) => read(query))).toEqual(['tag<a', 'a<b>c']);
});

test('chips have field, value, negation and position', () => {
  const query = 'boat -tag:"two words" meta.width:>4000';
  expect(parseQuery(query, { now }).chips).toEqual([
    { field: 'tag', value: 'two words', negated: true, text: 'tag:"two words"', start: 6, end: 21 },
    { field: 'meta.width', value: '>4000', negated: false, text: 'meta.width:>4000', start: 22, end: 38 },
  ]);
});

test('ten thousand characters with unclosed parentheses are rejected or parsed in linear time', () => {
  // Scanning to the end from every character took seconds for each of these.
  for (let n = 0; n < 10; n += 1)
    for (const piece of ['(a', 'NOT(', 'a:(', '-(b', 'kind:x(']) {
      const line = piece.repeat(10_000 / piece.length);
      expect(() => parseQuery(line, { now: new Date(), typing: n % 2 === 0 }), piece).toThrow(/too long|never closed|deep/);
    }
}, 30_000);

test('a parenthesis inside a word is part of it; an unclosed one ends the word', () => {
  const words = (line: string) => parseQuery(line, { now: new Date(), typing: true }).words.map(({ text }) => text);
  expect(words('copy(2).jpg')).toEqual(['copy(2).jpg']);
  expect(words('copy(2')).toEqual(['copy', '2']);
  expect(words('f(g(x))y z')).toEqual(['f(g(x))y', 'z']);
  expect(words('a\u00a0b\u3000c')).toEqual(['a', 'b', 'c']);
});
