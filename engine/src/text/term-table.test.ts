import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTermTable, numberTokens } from './term-table.ts';
import { type Token, tokenize } from './tokenize.ts';

test('numbered tokens are the tokens, and a term has one number', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('quarterlyReport', 'C++', 'Été', '東京タワー', 'x'.repeat(80), '\u{10428}'.repeat(40)),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(piece, { maxLength: 8 }).map((list) => list.join(' ')),
        { maxLength: 30 },
      ),
      (texts) => {
        const table = createTermTable();
        for (const text of texts) {
          const seen: Token[] = [];
          const next = numberTokens(
            text,
            table,
            (term, position, extra) => seen.push({ term: table.values[term - 1]!, position, extra }),
            5,
          );
          const expected = tokenize(text);
          expect(seen).toEqual(expected.map((token) => ({ ...token, position: token.position + 5 })));
          expect(next).toBe(5 + expected.filter((token) => !token.extra).length);
        }
        expect(new Set(table.values).size).toBe(table.values.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('a table grows past its first sizes', () => {
  const table = createTermTable();
  const words = Array.from({ length: 20_000 }, (_, index) => `w${'abcdefghij'[index % 10]}${index.toString(26).replace(/[0-9]/g, 'z')}q`);
  const numbers = words.map((word) => {
    let first = 0;
    numberTokens(word, table, (term, _position, extra) => {
      if (!extra) first = term;
    });
    return first;
  });
  words.forEach((word, index) => {
    expect(table.values[numbers[index]! - 1]).toBe(tokenize(word).findLast((token) => !token.extra)?.term);
  });
  expect(new Set(table.values).size).toBe(table.values.length);
});
