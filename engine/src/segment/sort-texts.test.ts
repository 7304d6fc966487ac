import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf, unitsOf } from '../text/index.ts';
import { codePointAlphabet, codeUnitAlphabet, pathAlphabet, sortTexts, endOf } from './sort-texts.ts';
import { byBytes, byCodeUnits, byPath, byReading, type Compare } from './string-order.ts';
import { appendUnits, createUnitList, settleList, settleReadings, spansOfList, type UnitList } from './values.ts';

const unit = fc.constantFrom(...'aAbB/.-0 ', '\0', 'é', 'É', 'ý', 'þ', 'ÿ', 'Ā', '\ue000', '𐐀', '東');
const text = fc.oneof(
  fc.string({ unit, maxLength: 14 }),
  fc.string({ unit, maxLength: 3 }).map((end) => `folder/IMG_000${end}`),
  fc.constantFrom('', 'folder/IMG_0001', 'folder/IMG_00'),
);
const texts = fc.array(text, { maxLength: 120, size: 'max' });

function listOf(values: string[]): UnitList {
  const list = createUnitList();
  for (const value of values) appendUnits(list, unitsOf(value), 0, value.length);
  return list;
}

const orders = [
  ['code units', codeUnitAlphabet, byCodeUnits],
  ['code points', codePointAlphabet, byBytes],
  ['paths', pathAlphabet, byPath],
] as const;

test.each(orders)('texts stand in the order of %s', (_, alphabet, compare) => {
  fc.assert(
    fc.property(texts, (values) => {
      const spans = spansOfList(listOf(values));
      const sorted = Array.from(sortTexts(spans, alphabet), (at) => textOf(spans.units, spans.starts[at]!, endOf(spans, at)));
      expect(sorted).toEqual([...values].sort(compare));
    }),
    { numRuns: 400 },
  );
});

test.each(orders)('so many texts that they are sorted by digits stand in the order of %s', (_, alphabet, compare) => {
  const units = [...'abcdefgh/', '\0', 'é', 'ÿ', '\ue000', '𐐀', '東'];
  let state = 7;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % below;
  };
  const values = Array.from(
    { length: 24_000 },
    (_each, at) => (at % 2 === 0 ? 'library/folder/' : '') + Array.from({ length: next(9) }, () => units[next(units.length)]).join(''),
  );
  const spans = spansOfList(listOf(values));
  const sorted = Array.from(sortTexts(spans, alphabet), (at) => textOf(spans.units, spans.starts[at]!, endOf(spans, at)));
  expect(sorted).toEqual(values.sort(compare));
});

const settlings: [string, (list: UnitList) => ReturnType<typeof settleList>, Compare][] = [
  ['paths', (list) => settleList(list, pathAlphabet), byPath],
  ['readings', settleReadings, byReading],
];
test.each(settlings)('equal values get one number, in the order of %s', (_, settle, compare) => {
  fc.assert(
    fc.property(texts, (values) => {
      const { texts: settled, renumber } = settle(listOf(values));
      const distinct = [...new Set(values)].sort(compare);
      expect(settled.size).toBe(distinct.length);
      expect(Array.from(renumber)).toEqual([0, ...values.map((value) => distinct.indexOf(value) + 1)]);
    }),
    { numRuns: 400 },
  );
});

test('lone surrogates are kept as the replacement character', () => {
  const list = listOf(['a\ud800b', '\udc00']);
  expect(textOf(list.units.items, 0, list.units.length)).toBe('a\ufffdb\ufffd');
});
