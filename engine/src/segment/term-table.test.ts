import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { textOf, type Token, tokenize, unitsOf } from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { createPlainTermTable, type TermTable } from './reference-term-table.ts';
import { createTermTable } from './term-table.ts';
import { endOf, type UnitSpans } from './sort-texts.ts';

/** The kernels and their plain twin: each must pass. */
const tables = [
  ['by kernel', createTermTable],
  ['unit by unit', createPlainTermTable],
] as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

function termAt(spans: UnitSpans, entry: number): string {
  const number = entry - firstCode;
  return textOf(spans.units, spans.starts[number]!, endOf(spans, number));
}

/** The stream's entries read back as tokens. */
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

test.each(tables)('a value is cut into the tokens of the rules, %s, whatever its script, and a term has one number', (_, create) => {
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
        // Something before and after: a value is a stretch of a longer array.
        const units = unitsOf(`a${text}b`);
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

test('the kernels give the stream and the numbers of their twin, also when the table grows and is used again', () => {
  const [kernel, plain] = [createTermTable(), createPlainTermTable()];
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
    const units = unitsOf(values.join(''));
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
      return Array.from({ length: spans.size }, (_, number) => textOf(spans.units, spans.starts[number]!, endOf(spans, number)));
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
    const units = unitsOf('a '.repeat(words));
    create().addValue(stream, units, 0, units.length);
    expect(stream.length).toBe(65_535);
  }
  // The longest stream there can be for its tokens, and room for it, but not for the rest of a long text.
  const longest = new GrowingU32();
  const pairs = unitsOf('aB#'.repeat(200_000));
  create().addValue(longest, pairs, 0, pairs.length);
  expect(longest.length).toBeGreaterThan(65_535 * 5);
  expect(longest.length).toBeLessThanOrEqual(longest.items.length);
  expect(longest.items.length).toBeLessThan(65_535 * 8);
});

test('without SIMD the twin is used', async () => {
  vi.resetModules();
  const { createTermTable: createFresh } = await import('./term-table.ts');
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  const stream = new GrowingU32();
  const table = createFresh();
  table.addValue(stream, unitsOf('two words'), 0, 9);
  // Only the twin's records have heads.
  expect(table.spans().gap).toBeGreaterThan(0);
  expect(tokensIn(stream, table)).toEqual(tokenize('two words'));
});
