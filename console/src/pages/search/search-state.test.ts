import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY, fromSavedParams, readState, sameQuestion, searchHref, type SearchState, toParams, writeState } from './search-state.ts';

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((s) => s.isWellFormed());
const words = fc.uniqueArray(word, { maxLength: 3 });
const positive = fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: null });
const degrees = fc.integer({ min: -800, max: 800 }).map((n) => n / 10);

const anyState: fc.Arbitrary<SearchState> = fc.record({
  q: fc.string({ unit: 'grapheme', maxLength: 60 }).filter((s) => s.isWellFormed()),
  libraries: words,
  categories: words,
  groups: words,
  extensions: words,
  tags: words,
  status: fc.constantFrom('', 'missing', 'trashed', 'any'),
  path: fc.oneof(fc.constant(''), word),
  sizeFrom: positive,
  sizeTo: positive,
  modifiedFrom: positive,
  modifiedTo: positive,
  box: fc.option(fc.record({ top: degrees, right: degrees, bottom: degrees, left: degrees }), { nil: null }),
  sort: fc.constantFrom('', 'newest', 'size:desc'),
  searchIn: fc.constantFrom('', 'names', 'content'),
  semantic: fc.constantFrom(0, 0.3, 1),
  lens: fc.constantFrom('list', 'grid', 'map'),
  item: fc.constantFrom('', 'abc'),
  saved: fc.constantFrom('', 'xyz'),
});

test('the address holds the whole state of a search', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(readState(writeState(state))).toEqual(state);
    }),
  );
});

test('a saved search asks the same question when it is opened again', () => {
  const noCommas = anyState.filter((s) => !s.tags.some((t) => t.includes(',')) && s.q === s.q.trim());
  fc.assert(
    fc.property(noCommas, (state) => {
      const reopened = { ...EMPTY, ...fromSavedParams(JSON.parse(JSON.stringify(toParams(state)))) };
      expect(sameQuestion(reopened, state)).toBe(true);
    }),
  );
});

test('nonsense in the address is left out and does not fail the page', () => {
  const state = readState('lens=hologram&in=dreams&size_from=big&box=1,2&semantic=7&q=%E0%A4%A');
  expect(state).toMatchObject({ lens: 'list', searchIn: '', sizeFrom: null, box: null, semantic: 1 });
});

test('the plain search has a plain address', () => {
  expect(searchHref({})).toBe('/');
  expect(searchHref({ q: 'harbour' })).toBe('/?q=harbour');
});

test('the chosen file and the lens are not part of the question', () => {
  expect(sameQuestion({ ...EMPTY, q: 'a', item: 'x', lens: 'grid' }, { ...EMPTY, q: 'a' })).toBe(true);
  expect(sameQuestion({ ...EMPTY, q: 'a' }, { ...EMPTY, q: 'b' })).toBe(false);
});

test('inside one filter the choices add up, tags too', () => {
  expect(toParams({ ...EMPTY, tags: ['print'] })).toEqual({ tags: 'print' });
  expect(toParams({ ...EMPTY, q: 'pier', tags: ['print', 'old "town"'] })).toEqual({ q: 'pier (tag:"print" OR tag:"old town")' });
  expect(fromSavedParams({ q: 'pier (tag:"print" OR tag:"old town")' })).toMatchObject({ q: 'pier', tags: ['print', 'old town'] });
});
