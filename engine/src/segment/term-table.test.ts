import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { fromCodeUnits, type Token, toCodeUnits, tokenize } from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { createReferenceTermTable, type TermTable } from './reference-term-table.ts';
import { spanEnd, type TextSpans } from './sort-texts.ts';
import { createTermTable } from './term-table.ts';

/** The kernels and their reference implementation must both pass. */
const tables = [
  ['by kernel', createTermTable],
  ['by reference implementation', createReferenceTermTable],
] as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

function termAt(spans: TextSpans, entry: number): string {
  const number = entry - firstCode;
  return fromCodeUnits(spans.units, spans.starts[number]!, spanEnd(spans, number));
}

/** Decodes the stream's entries to tokens. */
function tokensIn(stream: GrowingU32, table: TermTable): Token[] {
  const spans = table.spans();
  const tokens: Token[] = [];
  let position = 0;
  for (let at = 0; at < stream.length; at++) {
    const entry = stream.items[at]!;
    if (entry !== extraMark) tokens.push({ term: termAt(spans, entry), position: position++, extra: false });
    else {
      tokens.push({ term: termAt(spans, stream.items[at + 1]!), position: position - stream.items[at + 2]!, extra: true });
      at += 2;
    }
  }
  return tokens;
}

test.each(tables)('a value in any script yields the tokens of RULES.md, %s, and each term has one number', (_, create) => {
  const plain = fc.string({ unit: fc.constantFrom(...'aBcDXYz019 _-.#++/'), maxLength: 200 });
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
      const table = create();
      for (const text of texts) {
        const stream = new GrowingU32();
        // A value is part of a longer array, so there are units before and after it.
        const units = toCodeUnits(`a${text}b`);
        table.addValue(stream, units, 1, units.length - 1);
        expect(tokensIn(stream, table)).toEqual(tokenize(text));
      }
      const spans = table.spans();
      const terms = Array.from({ length: table.count() }, (_each, number) => termAt(spans, number + firstCode));
      expect(new Set(terms).size).toBe(terms.length);
    }),
    { numRuns: 600 },
  );
});

test('the kernels produce the stream and numbers of the reference, also when the table grows and is reused', () => {
  const [kernel, plain] = [createTermTable(), createReferenceTermTable()];
  for (let round = 0; round < 3; round++) {
    let state = round + 1;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return (state >>> 8) % below;
    };
    const word = () => Array.from({ length: 1 + next(next(6) === 0 ? 70 : 9) }, () => 'abcdefgXYZ0123'[next(14)]).join('');
    const joint = () => [' ', '_', '-', '', '#', '++ ', '. '][next(7)];
    const values = Array.from({ length: 3000 }, () => Array.from({ length: next(12) }, () => word() + joint()).join(''));
    values.push('é', Array.from({ length: 9000 }, () => word() + joint()).join(''), '');
    const units = toCodeUnits(values.join(''));
    const streams = [kernel, plain].map((table) => {
      const stream = new GrowingU32();
      let from = 0;
      for (const { length } of values) {
        table.addValue(stream, units, from, from + length);
        from += length;
      }
      return stream.view();
    });
    expect(streams[0]).toEqual(streams[1]);
    expect(kernel.count()).toBe(plain.count());
    expect(kernel.count()).toBeGreaterThan(10_000);
    const terms = [kernel, plain].map((table) => {
      const spans = table.spans();
      return Array.from({ length: spans.size }, (_, number) => fromCodeUnits(spans.units, spans.starts[number]!, spanEnd(spans, number)));
    });
    expect(terms[0]).toEqual(terms[1]);
    for (const table of [kernel, plain]) table.clear();
    expect([kernel.count(), plain.count()]).toEqual([0, 0]);
  }
});

test.each(tables)('a value holds at most 65,535 tokens, %s', (_, create) => {
  const stream = new GrowingU32();
  for (const words of [70_000, 700_000]) {
    stream.length = 0;
    const units = toCodeUnits('a '.repeat(words));
    create().addValue(stream, units, 0, units.length);
    expect(stream.length).toBe(65_535);
  }
  // The longest possible stream for this number of tokens must fit, without reserving space for the rest of a long text.
  const longest = new GrowingU32();
  const pairs = toCodeUnits('aB#'.repeat(200_000));
  create().addValue(longest, pairs, 0, pairs.length);
  expect(longest.length).toBeGreaterThan(65_535 * 5);
  expect(longest.length).toBeLessThanOrEqual(longest.items.length);
  expect(longest.items.length).toBeLessThan(65_535 * 8);
});

test('without SIMD the reference implementation is used', async () => {
  vi.resetModules();
  const { createTermTable: createFresh } = await import('./term-table.ts');
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  const stream = new GrowingU32();
  const table = createFresh();
  table.addValue(stream, toCodeUnits('two words'), 0, 9);
  // Only the reference implementation has record headers between terms.
  expect(table.spans().gap).toBeGreaterThan(0);
  expect(tokensIn(stream, table)).toEqual(tokenize('two words'));
});
