import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EMPTY_SEARCH,
  fromSavedParams,
  inParentheses,
  readState,
  type SearchState,
  sameQuery,
  searchHref,
  toParams,
  writeState,
} from './search-state.ts';

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((s) => s.isWellFormed());
const words = fc.uniqueArray(word, { maxLength: 3 });
const limit = fc.option(fc.integer({ min: 0, max: 2 ** 40 }), { nil: null });
const degrees = fc.integer({ min: -800, max: 800 }).map((n) => n / 10);

const anyState: fc.Arbitrary<SearchState> = fc.record({
  q: fc.string({ unit: 'grapheme', maxLength: 60 }).filter((s) => s.isWellFormed()),
  libraries: words,
  categories: words,
  groups: words,
  extensions: words,
  tags: words,
  cameras: words,
  facts: fc
    .record({ lens: words, album: words })
    .map((facts) => Object.fromEntries(Object.entries(facts).filter(([, values]) => values.length > 0))),
  owners: words,
  principal: fc.oneof(fc.constant(''), word),
  world: fc.constantFrom('', 'true', 'false'),
  status: fc.constantFrom('', 'missing', 'trashed', 'any'),
  sidecars: fc.constantFrom('', 'true'),
  path: fc.oneof(fc.constant(''), word),
  sizeFrom: limit,
  sizeTo: limit,
  modifiedFrom: limit,
  modifiedTo: limit,
  takenFrom: limit,
  takenTo: limit,
  box: fc.option(fc.record({ top: degrees, right: degrees, bottom: degrees, left: degrees }), { nil: null }),
  sort: fc.constantFrom('', 'newest', 'size:desc'),
  searchIn: fc.constantFrom('', 'names', 'content'),
  semantic: fc.constantFrom(0, 0.3, 1),
  viewMode: fc.constantFrom('list', 'grid', 'map'),
  item: fc.constantFrom('', 'abc'),
  saved: fc.constantFrom('', 'xyz'),
});

test('the address holds the complete state of a search', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(readState(writeState(state))).toEqual(state);
    }),
  );
});

test('a saved search makes the same request when it is opened again', () => {
  const noCommas = anyState.filter((s) => !s.tags.some((t) => t.includes(',')) && s.q === s.q.trim());
  fc.assert(
    fc.property(noCommas, (state) => {
      const reopened = { ...EMPTY_SEARCH, ...fromSavedParams(JSON.parse(JSON.stringify(toParams(state)))) };
      expect(sameQuery(reopened, state)).toBe(true);
    }),
  );
});

test('invalid parameters in the address are ignored', () => {
  const state = readState('lens=hologram&in=dreams&size_from=big&box=1,2&semantic=7&q=%E0%A4%A');
  expect(state).toMatchObject({ viewMode: 'list', searchIn: '', sizeFrom: null, box: null, semantic: 1 });
});

test('parameters with default values are left out of the address', () => {
  expect(searchHref({})).toBe('/');
  expect(searchHref({ q: 'harbour' })).toBe('/?q=harbour');
});

test('the open file and the view mode do not change the request', () => {
  expect(sameQuery({ ...EMPTY_SEARCH, q: 'a', item: 'x', viewMode: 'grid' }, { ...EMPTY_SEARCH, q: 'a' })).toBe(true);
  expect(sameQuery({ ...EMPTY_SEARCH, q: 'a' }, { ...EMPTY_SEARCH, q: 'b' })).toBe(false);
});

test('several tags become an OR clause of the query', () => {
  expect(toParams({ ...EMPTY_SEARCH, tags: ['print'] })).toEqual({ tags: 'print' });
  expect(toParams({ ...EMPTY_SEARCH, q: 'pier', tags: ['print', 'old town'] })).toEqual({ q: 'pier (tag:"print" OR tag:"old town")' });
  expect(fromSavedParams({ q: 'pier (tag:"print" OR tag:"old town")' })).toMatchObject({ q: 'pier', tags: ['print', 'old town'] });
});

test('quotes and backslashes of a tag or an owner stay what they are', () => {
  expect(toParams({ ...EMPTY_SEARCH, tags: ['12" vinyl'] })).toEqual({ tags: '12" vinyl' });
  const state = { ...EMPTY_SEARCH, tags: ['12" vinyl', 'C:\\'], owners: ['EXAMPLE\\anna'] };
  const { q } = toParams(state);
  expect(q).toBe('(tag:"12\\" vinyl" OR tag:"C:\\\\") (owner:"EXAMPLE\\\\anna")');
  expect(fromSavedParams({ q })).toMatchObject({ q: '', tags: state.tags, owners: state.owners });
});

test('a tag or owner narrows every alternative of the query', () => {
  const q = 'kind:image OR kind:video';
  expect(toParams({ ...EMPTY_SEARCH, q, owners: ['anna'] })).toEqual({ q: `(${q}) (owner:"anna")` });
  expect(toParams({ ...EMPTY_SEARCH, q, tags: ['print'] })).toEqual({ q, tags: 'print' });
  expect(toParams({ ...EMPTY_SEARCH, q: `pier (${q})`, owners: ['anna'] })).toEqual({ q: `pier (${q}) (owner:"anna")` });
});

test('a quote or parenthesis that is still open does not take in the filters behind it', () => {
  const owners = ['anna'];
  const clause = '(owner:"anna")';
  for (const [typed, sent] of [
    ['"old har', `"old har" ${clause}`],
    ['pier tag:"old', `pier tag:"old" ${clause}`],
    ['pier -"old\\', `pier -"old\\\\" ${clause}`],
    ['pier OR tag:"old', `(pier OR tag:"old") ${clause}`],
    ['(kind:image OR kind:video', `(kind:image OR kind:video) ${clause}`],
    ['12"disk copy(2).jpg', `12"disk copy(2).jpg ${clause}`],
    ['"old" pier', `"old" pier ${clause}`],
  ] as const)
    expect(toParams({ ...EMPTY_SEARCH, q: typed, owners }).q, typed).toBe(sent);
  expect(toParams({ ...EMPTY_SEARCH, q: '"old har' }).q).toBe('"old har');
});

test('an operator or key whose operand is not typed yet does not take in the filters behind it', () => {
  const owners = ['anna'];
  const clause = '(owner:"anna")';
  for (const [typed, sent] of [
    ['pier NOT', `pier ${clause}`],
    ['NOT ', clause],
    ['kind:image OR NOT', `(kind:image OR) ${clause}`],
    ['pier (kind:image OR NOT', `pier (kind:image OR) ${clause}`],
    ['pier NOT kind:', `pier ${clause}`],
    ['pier NOT kind:image', `pier NOT kind:image ${clause}`],
    ['pier not', `pier not ${clause}`],
    ['pier "NOT"', `pier "NOT" ${clause}`],
  ] as const)
    expect(toParams({ ...EMPTY_SEARCH, q: typed, owners }).q, typed).toBe(sent);
  expect(toParams({ ...EMPTY_SEARCH, q: 'pier NOT' }).q).toBe('pier NOT');
  expect(inParentheses('pier NOT')).toBe('pier');
});

test('a query with an OR gets parentheses before a filter is added to it', () => {
  expect(['pier', 'kind:image OR kind:video', '(kind:image OR kind:video)'].map(inParentheses)).toEqual([
    'pier',
    '(kind:image OR kind:video)',
    '(kind:image OR kind:video)',
  ]);
});
