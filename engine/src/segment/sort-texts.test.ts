import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromCodeUnits, toCodeUnits } from '../text/index.ts';
import { codePointAlphabet, codeUnitAlphabet, pathAlphabet, sortTexts, spanEnd } from './sort-texts.ts';
import { byBytes, byCaseFold, byCodeUnits, byPath, type Compare } from './string-order.ts';
import { appendText, createTextList, sortCaseFolded, sortTextList, spansOfList, type TextList } from './values.ts';

const unit = fc.constantFrom(...'aAbB/.-0 ', '\0', 'é', 'É', 'ý', 'þ', 'ÿ', 'Ā', '\ue000', '𐐀', '東');
const text = fc.oneof(
  fc.string({ unit, maxLength: 14 }),
  fc.string({ unit, maxLength: 3 }).map((end) => `folder/IMG_000${end}`),
  fc.constantFrom('', 'folder/IMG_0001', 'folder/IMG_00'),
);
const texts = fc.array(text, { maxLength: 120, size: 'max' });

function textList(values: string[]): TextList {
  const list = createTextList();
  for (const value of values) appendText(list, toCodeUnits(value), 0, value.length);
  return list;
}

const orders = [
  ['code units', codeUnitAlphabet, byCodeUnits],
  ['code points', codePointAlphabet, byBytes],
  ['paths', pathAlphabet, byPath],
] as const;

test.each(orders)('texts are sorted by %s', (_, alphabet, compare) => {
  fc.assert(
    fc.property(texts, (values) => {
      const spans = spansOfList(textList(values));
      const sorted = Array.from(sortTexts(spans, alphabet), (at) => fromCodeUnits(spans.units, spans.starts[at]!, spanEnd(spans, at)));
      expect(sorted).toEqual([...values].sort(compare));
    }),
    { numRuns: 400 },
  );
});

test.each(orders)('enough texts for radix sort are sorted by %s', (_, alphabet, compare) => {
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
  const spans = spansOfList(textList(values));
  const sorted = Array.from(sortTexts(spans, alphabet), (at) => fromCodeUnits(spans.units, spans.starts[at]!, spanEnd(spans, at)));
  expect(sorted).toEqual(values.sort(compare));
});

const sorters: [string, (list: TextList) => ReturnType<typeof sortTextList>, Compare][] = [
  ['paths', (list) => sortTextList(list, pathAlphabet), byPath],
  ['readings', sortCaseFolded, byCaseFold],
];
test.each(sorters)('equal values get one number, in order of %s', (_, sort, compare) => {
  fc.assert(
    fc.property(texts, (values) => {
      const { texts: sorted, renumber } = sort(textList(values));
      const distinct = [...new Set(values)].sort(compare);
      expect(sorted.size).toBe(distinct.length);
      expect(Array.from(renumber)).toEqual([0, ...values.map((value) => distinct.indexOf(value) + 1)]);
    }),
    { numRuns: 400 },
  );
});

test('lone surrogates are stored as the replacement character', () => {
  const list = textList(['a\ud800b', '\udc00']);
  expect(fromCodeUnits(list.units.items, 0, list.units.length)).toBe('a\ufffdb\ufffd');
});
