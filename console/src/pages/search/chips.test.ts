import { expect, test } from 'vitest';
import { chipsOf, type Understood } from './chips.ts';
import { EMPTY } from './search-state.ts';

const names = (id: string) => ({ a: 'Photos', b: 'Studio' })[id] ?? id;
const text = (state: Parameters<typeof chipsOf>[0], understood?: Understood[]) =>
  chipsOf(state, names, understood).map((c) => `${c.or ? 'or ' : ''}${c.field} ${c.values.join(' or ')}`);

test('chips echo what was understood in words', () => {
  expect(text({ ...EMPTY, q: 'harbour crane modified:2022..2024 kind:3d', libraries: ['a', 'b'], tags: ['x', 'y'] })).toEqual([
    'contains harbour crane',
    'modified 2022 – 2024',
    'kind 3D & CAD',
    'library Photos or Studio',
    'tag x or y',
  ]);
});

test('what the service understood stands before what the console guesses', () => {
  const q = 'notes: year:2024';
  expect(text({ ...EMPTY, q }, [])).toEqual(['contains notes: year:2024']);
  const year = { field: 'year', value: '2024', negated: false, start: 7, end: 16 };
  expect(text({ ...EMPTY, q }, [year])).toEqual(['contains notes:', 'year 2024']);
  // Blanks before the query are not sent; the places move with them.
  const [, chip] = chipsOf({ ...EMPTY, q: `  ${q}` }, names, [year]);
  expect(chip!.edit).toEqual({ start: 9, end: 18 });
  expect(chip!.without.q).toBe('notes:');
});

test('sizes, ages and lists are said as people say them', () => {
  expect(text({ ...EMPTY, q: 'size:>10m modified:<30d created:>=2024-05 ext:doc;docx has:error -tag:old' })).toEqual([
    'size over 10 MB',
    'modified in the last 30 days',
    'created since 2024-05',
    'type doc or docx',
    'has a problem',
    'not tag old',
  ]);
});

test('each chip removes exactly its own filter', () => {
  const state = { ...EMPTY, q: 'harbour size:>1g -kind:image', tags: ['x', 'y'], sizeFrom: 10 };
  const chips = chipsOf(state, names);
  const without = (field: string) => chips.find((c) => c.field === field)!.without;
  expect(without('contains').q).toBe('size:>1g -kind:image');
  expect(without('not kind').q).toBe('harbour size:>1g');
  expect(without('tag').tags).toEqual([]);
  expect(chips.at(-1)!.without.sizeFrom).toBeNull();
  for (const chip of chips) expect(chipsOf(chip.without, names)).toHaveLength(chips.length - 1);
});

test('an OR is told, and stays whole when one side of it goes', () => {
  const state = { ...EMPTY, q: 'pier (kind:image OR NOT ext:pdf OR size:>1m)' };
  expect(text(state)).toEqual(['contains pier', 'kind Image', 'or type pdf', 'or size over 1 MB']);
  const chips = chipsOf(state, names);
  expect(chips[1]!.without.q).toBe('pier (NOT ext:pdf OR size:>1m)');
  expect(chips[2]!.without.q).toBe('pier (kind:image OR size:>1m)');
  expect(chips[1]!.without.q).not.toContain('( OR');
  expect(chipsOf({ ...EMPTY, q: '(kind:image)' }, names)[0]!.without.q).toBe('');
});
