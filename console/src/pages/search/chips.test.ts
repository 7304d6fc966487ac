import { expect, test } from 'vitest';
import { chipsOf } from './chips.ts';
import { EMPTY } from './search-state.ts';

const names = (id: string) => ({ a: 'Photos', b: 'Studio' })[id] ?? id;
const text = (state: Parameters<typeof chipsOf>[0]) => chipsOf(state, names).map((c) => `${c.field} ${c.values.join(' or ')}`);

test('chips echo what was understood in words', () => {
  expect(text({ ...EMPTY, q: 'harbour crane modified:2022..2024 kind:3d', libraries: ['a', 'b'] })).toEqual([
    'contains harbour crane',
    'modified 2022 – 2024',
    'kind 3D & CAD',
    'library Photos or Studio',
  ]);
});

test('each chip removes exactly its own filter', () => {
  const state = { ...EMPTY, q: 'harbour size:>1g', tags: ['x', 'y'], sizeFrom: 10 };
  const chips = chipsOf(state, names);
  const without = (field: string) => chips.find((c) => c.field === field)!.without;
  expect(without('contains').q).toBe('size:>1g');
  expect(without('tag').tags).toEqual(['y']);
  expect(chips.at(-1)!.without.sizeFrom).toBeNull();
  for (const chip of chips) expect(chipsOf(chip.without, names)).toHaveLength(chips.length - 1);
});

test('a query with OR and parentheses stays one chip', () => {
  expect(text({ ...EMPTY, q: '(harbour OR pier) kind:image' })).toEqual(['query (harbour OR pier) kind:image']);
});
