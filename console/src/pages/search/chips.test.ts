import { expect, test } from 'vitest';
import { filterChips, type ParsedFilter } from './chips.ts';
import { EMPTY_SEARCH } from './search-state.ts';

const names = (id: string) => ({ a: 'Photos', b: 'Studio' })[id] ?? id;
const text = (state: Parameters<typeof filterChips>[0], parsed?: ParsedFilter[]) =>
  filterChips(state, names, parsed).map((c) => `${c.or ? 'or ' : ''}${c.field} ${c.values.join(' or ')}`);

test('each filter has a chip with plain labels', () => {
  expect(text({ ...EMPTY_SEARCH, q: 'harbour crane modified:2022..2024 kind:3d', libraries: ['a', 'b'], tags: ['x', 'y'] })).toEqual([
    'contains harbour crane',
    'modified 2022 – 2024',
    'file type 3D & CAD',
    'library Photos or Studio',
    'tag x or y',
  ]);
});

test('a sign without a word has no chip', () => {
  expect(text({ ...EMPTY_SEARCH, q: 'harbour -' })).toEqual(['contains harbour']);
  expect(text({ ...EMPTY_SEARCH, q: '!' })).toEqual([]);
});

test('the filters parsed by the server take precedence over the local ones', () => {
  const q = 'notes: year:2024';
  expect(text({ ...EMPTY_SEARCH, q }, [])).toEqual(['contains notes: year:2024']);
  const year = { field: 'year', value: '2024', negated: false, start: 7, end: 16 };
  expect(text({ ...EMPTY_SEARCH, q }, [year])).toEqual(['contains notes:', 'year 2024']);
  // The server receives the query without leading blanks, so positions are shifted by them.
  const [, chip] = filterChips({ ...EMPTY_SEARCH, q: `  ${q}` }, names, [year]);
  expect(chip!.edit).toEqual({ start: 9, end: 18 });
  expect(chip!.without.q).toBe('notes:');
});

test('positions of the server count the parentheses around a query with OR', () => {
  const state = { ...EMPTY_SEARCH, q: 'kind:image OR ext:pdf', owners: ['anna'] };
  const image = { field: 'kind', value: 'image', negated: false, start: 1, end: 11 };
  const pdf = { field: 'ext', value: 'pdf', negated: false, start: 15, end: 22 };
  const anna = { field: 'owner', value: 'anna', negated: false, start: 25, end: 37 };
  expect(text(state, [image, pdf, anna])).toEqual(['file type Image', 'or extension pdf', 'owner anna']);
  expect(filterChips(state, names, [image, pdf, anna])[0]!.without.q).toBe('ext:pdf');
});

test('a filter whose quote was closed behind it ends with the query', () => {
  const state = { ...EMPTY_SEARCH, q: 'tag:"old', owners: ['anna'] };
  const tag = { field: 'tag', value: 'old', negated: false, start: 0, end: 9 };
  const anna = { field: 'owner', value: 'anna', negated: false, start: 11, end: 23 };
  expect(text(state, [tag, anna])).toEqual(['tag old', 'owner anna']);
});

test('filters of facets have one chip each, although an operator at the end of the query is left out', () => {
  const state = { ...EMPTY_SEARCH, q: 'pier NOT', owners: ['anna'] };
  const anna = { field: 'owner', value: 'anna', negated: false, start: 6, end: 18 };
  expect(text(state, [anna])).toEqual(['contains pier', 'owner anna']);
});

test('sizes, ages and lists have readable labels', () => {
  expect(text({ ...EMPTY_SEARCH, q: 'size:>10m modified:<30d created:>=2024-05 ext:doc;docx has:error -tag:old' })).toEqual([
    'size over 10 MB',
    'modified in the last 30 days',
    'created since 2024-05',
    'extension doc or docx',
    'has an error',
    'not tag old',
  ]);
});

test('each chip removes exactly its own filter', () => {
  const state = { ...EMPTY_SEARCH, q: 'harbour size:>1g -kind:image', tags: ['x', 'y'], sizeFrom: 10 };
  const chips = filterChips(state, names);
  const without = (field: string) => chips.find((c) => c.field === field)!.without;
  expect(without('contains').q).toBe('size:>1g -kind:image');
  expect(without('not file type').q).toBe('harbour size:>1g');
  expect(without('tag').tags).toEqual([]);
  expect(chips.at(-1)!.without.sizeFrom).toBeNull();
  for (const chip of chips) expect(filterChips(chip.without, names)).toHaveLength(chips.length - 1);
});

test('chips joined by OR say so, and removing one keeps a valid query', () => {
  const state = { ...EMPTY_SEARCH, q: 'pier (kind:image OR NOT ext:pdf OR size:>1m)' };
  expect(text(state)).toEqual(['contains pier', 'file type Image', 'or extension pdf', 'or size over 1 MB']);
  const chips = filterChips(state, names);
  expect(chips[1]!.without.q).toBe('pier (NOT ext:pdf OR size:>1m)');
  expect(chips[2]!.without.q).toBe('pier (kind:image OR size:>1m)');
  expect(chips[1]!.without.q).not.toContain('( OR');
  expect(filterChips({ ...EMPTY_SEARCH, q: '(kind:image)' }, names)[0]!.without.q).toBe('');
});

test('filters by permissions are chips too', () => {
  expect(
    text({ ...EMPTY_SEARCH, q: 'readable-by:anna perm-changed:<30d', owners: ['root'], principal: 'EXAMPLE\\staff', world: 'false' }),
  ).toEqual([
    'readable by anna',
    'permissions changed in the last 30 days',
    'owner root',
    'readable by EXAMPLE\\staff',
    'everyone cannot read',
  ]);
});
