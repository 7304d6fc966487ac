import { expect, test } from 'vitest';
import {
  caseBit,
  createInternTable,
  finalizeHash,
  findInterned,
  fromCodeUnits,
  hashCodeUnits,
  intern,
  toCodeUnits,
} from './intern-table.ts';

const look = (use: typeof findInterned, table: ReturnType<typeof createInternTable>, text: string, bit = 0) => {
  const units = toCodeUnits(`<${text}>`);
  return use(table, units, 1, units.length - 1, finalizeHash(hashCodeUnits(units, 1, units.length - 1, bit)), bit);
};

test('a text keeps its number when the table grows', () => {
  const table = createInternTable();
  const texts = Array.from({ length: 20_000 }, (_, index) => `w${index.toString(26)}-${'é'.repeat(index % 5)}`);
  const numbers = texts.map((text) => look(intern, table, text));
  expect(numbers).toEqual(texts.map((_, index) => index + 1));
  expect(texts.map((text) => look(intern, table, text))).toEqual(numbers);
  expect(texts.map((text) => look(findInterned, table, text))).toEqual(numbers);
  const start = table.starts[777]!;
  expect(fromCodeUnits(table.units, start, start + texts[777]!.length)).toBe(texts[777]);
});

test('an unknown text has number 0, and looking it up does not add it', () => {
  const table = createInternTable();
  expect(look(findInterned, table, 'a')).toBe(0);
  expect(table.count).toBe(0);
});

test('capital letters equal small ones only in tables that fold case', () => {
  const folding = createInternTable();
  expect([look(intern, folding, 'Report', caseBit), look(intern, folding, 'rEPORT', caseBit)]).toEqual([1, 1]);
  const exact = createInternTable();
  expect([look(intern, exact, 'Report'), look(intern, exact, 'report')]).toEqual([1, 2]);
});
