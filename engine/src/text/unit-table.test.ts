import { expect, test } from 'vitest';
import { createUnitTable, findUnits, finishHash, foldBit, hashUnits, numberOfUnits, textOf, unitsOf } from './unit-table.ts';

const look = (use: typeof findUnits, table: ReturnType<typeof createUnitTable>, text: string, bit = 0) => {
  const units = unitsOf(`<${text}>`);
  return use(table, units, 1, units.length - 1, finishHash(hashUnits(units, 1, units.length - 1, bit)), bit);
};

test('a text has one number, also after the table has grown', () => {
  const table = createUnitTable();
  const texts = Array.from({ length: 20_000 }, (_, index) => `w${index.toString(26)}-${'é'.repeat(index % 5)}`);
  const numbers = texts.map((text) => look(numberOfUnits, table, text));
  expect(numbers).toEqual(texts.map((_, index) => index + 1));
  expect(texts.map((text) => look(numberOfUnits, table, text))).toEqual(numbers);
  expect(texts.map((text) => look(findUnits, table, text))).toEqual(numbers);
  const start = table.starts[777]!;
  expect(textOf(table.units, start, start + texts[777]!.length)).toBe(texts[777]);
});

test('what is not in the table has number 0 and does not enter it by being looked for', () => {
  const table = createUnitTable();
  expect(look(findUnits, table, 'a')).toBe(0);
  expect(table.count).toBe(0);
});

test('capital letters are small ones where the table folds, and others where it does not', () => {
  const folding = createUnitTable();
  expect([look(numberOfUnits, folding, 'Report', foldBit), look(numberOfUnits, folding, 'rEPORT', foldBit)]).toEqual([1, 1]);
  const exact = createUnitTable();
  expect([look(numberOfUnits, exact, 'Report'), look(numberOfUnits, exact, 'report')]).toEqual([1, 2]);
});
