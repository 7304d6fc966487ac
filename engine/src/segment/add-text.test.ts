import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUnitTable, textOf, type Token, tokenize, type UnitTable, unitsOf } from '../text/index.ts';
import { addValue } from './add-text.ts';
import { extraMark, firstCode } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { spansOfTable } from './values.ts';
import { endOf } from './texts.ts';

function termAt(table: UnitTable, entry: number): string {
  const spans = spansOfTable(table);
  const number = entry - firstCode;
  return textOf(spans.units, spans.starts[number]!, endOf(spans, number));
}

/** The stream's entries read back as tokens. */
function tokensIn(stream: GrowingU32, table: UnitTable): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (let at = 0; at < stream.length; at++) {
    const entry = stream.items[at]!;
    if (entry !== extraMark) tokens.push({ term: termAt(table, entry), position: position++, extra: false });
    else {
      tokens.push({ term: termAt(table, stream.items[at + 1]!), position: position - stream.items[at + 2]!, extra: true });
      at += 2;
    }
  }
  return tokens;
}

test('a value is cut into the tokens of the rules, by the short way for plain text and by the long one, and a term has one number', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aBcDXYz019 _-.#++/'), maxLength: 60 });
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('quarterlyReport', 'C++', 'MyF#', 'Été#', '東京タワー', 'x'.repeat(80), `${'y'.repeat(64)}#`, `${'aB'.repeat(20)}#`),
  );
  const value = fc.oneof(
    plain,
    fc.array(piece, { maxLength: 8 }).map((list) => list.join(' ')),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 30 }), (texts) => {
      const table = createUnitTable();
      for (const text of texts) {
        const stream = new GrowingU32();
        // Something before and after: a value is a stretch of a longer array.
        const units = unitsOf(`a${text}b`);
        addValue(stream, table, units, 1, units.length - 1);
        expect(tokensIn(stream, table)).toEqual(tokenize(text));
      }
      const terms = Array.from({ length: table.count }, (_, number) => termAt(table, number + firstCode));
      expect(new Set(terms).size).toBe(terms.length);
    }),
    { numRuns: 600 },
  );
});

test('a value holds at most 65,535 tokens', () => {
  const stream = new GrowingU32();
  const units = unitsOf('a '.repeat(70_000));
  addValue(stream, createUnitTable(), units, 0, units.length);
  expect(stream.length).toBe(65_535);
  // The longest stream there can be for its tokens, and room for it, but not for the rest of a long text.
  const longest = new GrowingU32();
  const pairs = unitsOf('aB#'.repeat(200_000));
  addValue(longest, createUnitTable(), pairs, 0, pairs.length);
  expect(longest.length).toBeGreaterThan(65_535 * 5);
  expect(longest.length).toBeLessThanOrEqual(longest.items.length);
  expect(longest.items.length).toBeLessThan(65_535 * 8);
});
