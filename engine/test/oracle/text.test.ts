import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearchText, tokenize } from '../../src/text/index.ts';
import { plainQuery, plainTokens } from './plain-text.ts';

const pieces = [
  'a',
  'B',
  'report',
  'XML',
  'é',
  'É',
  'ß',
  'ﬁ',
  '1',
  '42',
  '½',
  '東',
  '京',
  'タ',
  'ー',
  'が',
  'สวัสดี',
  'ΟΔΟΣ',
  'ς',
  '한국',
  'ع',
  '\u0301',
  '𐐀',
  '𐐨',
];
const breaks = [' ', '_', '-', '.', '#', '++', '+', '/', '"', '\t', '\0', '\ud800', '\udc00', '’'];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces, ...pieces, ...breaks), { maxLength: 14 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('engine and oracle find the same tokens in any text', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(tokenize(value)).toEqual(plainTokens(value));
    }),
    { numRuns: 4000 },
  );
});

test('engine and oracle find the same words, phrases and exclusions in any query', () => {
  const query = fc
    .array(fc.oneof(text, fc.constantFrom('-', ' -', ' "', '" ', ' ', 'word ', 'other ')), { maxLength: 12 })
    .map((list) => list.join(''));
  fc.assert(
    fc.property(query, fc.boolean(), (value, prefix) => {
      const read = parseSearchText(value, { prefix });
      const parts = read.parts.map((part) =>
        part.kind === 'phrase'
          ? { terms: part.terms, phrase: true, prefix: false }
          : { terms: [part.term], phrase: false, prefix: part.prefix },
      );
      expect({ parts, exclusions: read.exclusions }).toEqual(plainQuery(value, prefix));
    }),
    { numRuns: 4000 },
  );
});
