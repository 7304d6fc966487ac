import { expect, test } from 'vitest';
import { correctedWords } from './corrections.ts';

test('a word that was found with a typo is reported with the word of the file', () => {
  expect(correctedWords('invioce', ['Invoice', 'invoice'])).toEqual([{ typed: 'invioce', found: 'invoice' }]);
  expect(correctedWords('harbour invioce', ['harbour', 'invoices'])).toEqual([{ typed: 'invioce', found: 'invoices' }]);
});

test('a word that was found as typed, as a prefix, inside a name or without accents is not a correction', () => {
  expect(correctedWords('invoice', ['Invoices'])).toEqual([]);
  expect(correctedWords('report', ['quarterlyReport'])).toEqual([]);
  expect(correctedWords('quarterlyReport', ['quarterly', 'Report'])).toEqual([]);
  expect(correctedWords('nuevo ano', ['Año', 'nuevo'])).toEqual([]);
});

test('phrases, filters, short words and words without a similar mark are not corrections', () => {
  expect(correctedWords('"invioce"', ['invoice'])).toEqual([]);
  expect(correctedWords('ext:pdf', ['invoice'])).toEqual([]);
  expect(correctedWords('tide', ['time'])).toEqual([]);
  expect(correctedWords('lighthouse', ['invoice'])).toEqual([]);
  expect(correctedWords('img4410', ['img4411'])).toEqual([]);
});
