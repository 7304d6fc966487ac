import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { compileKernels, moduleText } from './compile.ts';
import { createMemory, loadKernels } from './index.ts';
import type { Kernels } from './kernels.ts';
import { referenceBitmaps } from './reference/bitmaps.ts';
import { referenceColumns } from './reference/columns.ts';
import { referencePostings } from './reference/postings.ts';
import { referenceRank } from './reference/rank.ts';
import { referenceSubsets } from './reference/subsets.ts';
import { referenceTerms } from './reference/terms.ts';
import { wasmBase64 } from './wasm.ts';
import { wasmBase64 as wordsBase64 } from './words-wasm.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

const blocks = 40;
const documents = blocks * 128;
/** One memory layout for all tests: four bitmaps, then columns, then results. */
const bitmap = (index: number) => 1024 + index * blocks * 16;
const postings = 16_384;
const codes = 49_152;
const numbers = 81_920;
const out = 131_072;
const markFilter = 200_704;

/** Runs a kernel and its reference implementation on identical random memory, and compares the results and the whole memory. */
function agree(seed: number, prepare: (memory: WebAssembly.Memory) => void, call: (kernels: Kernels) => unknown): void {
  const results = [true, false].map((reference) => {
    const memory = createMemory(4 * 65_536);
    const words = new Uint32Array(memory.buffer);
    let state = seed | 1;
    for (let i = 0; i < numbers / 4; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      // Words with no bits and with all bits are the edge cases of loops.
      words[i] = i % 7 === 0 ? 0 : i % 11 === 0 ? 0xffffffff : state;
    }
    prepare(memory);
    const result = call(loadKernels(memory, { reference }));
    return { result, bytes: Buffer.from(memory.buffer) };
  });
  expect(results[1]!.result).toEqual(results[0]!.result);
  expect(results[1]!.bytes.equals(results[0]!.bytes)).toBe(true);
}

const seeds = fc.integer();
const lengths = fc.integer({ min: 0, max: blocks });
const nothing = () => {};
const check = (property: fc.IProperty<never>) => fc.assert(property, { numRuns: 150 });

const lists = fc.array(fc.integer({ min: 0, max: documents - 1 }), { maxLength: 400 });

test.each(['and', 'andNot', 'or', 'xor', 'andCount', 'andNotCount'] as const)(
  '%s of two bitmaps equals the reference implementation',
  (operation) => {
    check(
      fc.property(seeds, lengths, (seed, length) =>
        agree(seed, nothing, (kernels) => kernels[operation](bitmap(2), bitmap(0), bitmap(1), length)),
      ) as never,
    );
    check(
      fc.property(seeds, lengths, (seed, length) =>
        agree(seed, nothing, (kernels) => kernels[operation](bitmap(0), bitmap(0), bitmap(1), length)),
      ) as never,
    );
  },
);

test('the intersection count of two bitmaps equals the reference', () => {
  check(
    fc.property(seeds, lengths, (seed, length) =>
      agree(seed, nothing, (kernels) => kernels.andPopcount(bitmap(0), bitmap(1), length)),
    ) as never,
  );
});

test('counting, clearing, setting ranges and listing bits equal the reference', () => {
  const bits = fc.integer({ min: 0, max: documents });
  check(fc.property(seeds, lengths, (seed, length) => agree(seed, nothing, (kernels) => kernels.popcount(bitmap(0), length))) as never);
  check(fc.property(seeds, lengths, (seed, length) => agree(seed, nothing, (kernels) => kernels.clear(bitmap(0), length))) as never);
  check(
    fc.property(seeds, bits, bits, (seed, from, to) => agree(seed, nothing, (kernels) => kernels.setRange(bitmap(1), from, to))) as never,
  );
  check(
    fc.property(seeds, lengths, bits, fc.integer({ min: 0, max: 500 }), (seed, length, skip, most) =>
      agree(seed, nothing, (kernels) => kernels.takeBits(bitmap(0), length, skip, most, out)),
    ) as never,
  );
});

test('facet counts by bitmap, list and column equal the reference', () => {
  check(
    fc.property(seeds, lists, lengths, fc.constantFrom(1, 2, 4), (seed, list, length, width) => {
      agree(seed, nothing, (kernels) => kernels.countDense(bitmap(1), 3, bitmap(0), length, out));
      const small = (memory: WebAssembly.Memory) => {
        new Uint32Array(memory.buffer, numbers, list.length).set(list);
        const words = new Uint32Array(memory.buffer, codes, (width === 4 ? documents : (documents * width) / 4) + 1);
        words.forEach((word, index) => {
          words[index] = width === 4 ? word % 300 : width === 2 ? word & 0x01ff01ff : word;
        });
      };
      agree(seed, small, (kernels) => kernels.histogram(numbers, list.length, codes, width, out));
      const many = (memory: WebAssembly.Memory) => {
        new Uint32Array(memory.buffer, numbers, list.length).set(list);
        const offsets = new Uint32Array(memory.buffer, postings, documents + 1);
        for (let d = 1; d <= documents; d++) offsets[d] = offsets[d - 1]! + (offsets[d]! % 2);
        offsets[0] = 0;
        for (let d = 1; d <= documents; d++) offsets[d] = Math.max(offsets[d - 1]!, Math.min(offsets[d]!, d));
        const values = new Uint32Array(memory.buffer, codes, documents);
        values.forEach((word, index) => {
          values[index] = word % 200;
        });
      };
      agree(seed, many, (kernels) => kernels.histogramMany(numbers, list.length, postings, codes, width, out));
      agree(seed, many, (kernels) => kernels.setCodes(bitmap(0), codes, width, length * 100, list.length % 200, list.length));
    }) as never,
  );
});

type Posting = { document: number; fields: number };

/** Packs a list of documents, or the `grouped` postings of a term, as FORMAT.md describes. */
function packPostings(documentsOfTerm: readonly Posting[], grouped: boolean): number[] {
  const varint = (value: number): number[] => (value > 127 ? [(value & 127) | 128, ...varint(value >>> 7)] : [value]);
  const list = (own: readonly Posting[]) =>
    own.flatMap(({ document }, at) => varint(document - (at === 0 ? -1 : own[at - 1]!.document) - 1));
  if (!grouped) return list(documentsOfTerm);
  const groups = [...Map.groupBy(documentsOfTerm, ({ fields }) => fields)];
  return groups.flatMap(([fields, own], at) => {
    const only = fields >>> 16;
    const isLast = at === groups.length - 1;
    const gaps = list(own);
    const head = varint((fields & 0xffff) * 4 + (only > 0 ? 2 : 0) + (isLast ? 1 : 0));
    return [...head, ...(only > 0 ? varint(only) : []), ...(isLast ? [] : varint(gaps.length)), ...gaps];
  });
}

test('decoding packed postings and lists equals the reference and restores the packed values', () => {
  const postingList = fc
    .uniqueArray(
      fc.record({ document: fc.integer({ min: 0, max: documents - 1 }), fields: fc.constantFrom(1, 2, 3, 6, 0x10001, 0x20007) }),
      {
        selector: (posting) => posting.document,
        maxLength: 60,
      },
    )
    .map((list) => list.sort((a, b) => a.document - b.document));
  check(
    fc.property(seeds, fc.array(postingList, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 2, 5, 7), (seed, terms, mask) => {
      const prepare = (masked: boolean) => (memory: WebAssembly.Memory) => {
        let at = 0;
        const offsets = new Uint32Array(memory.buffer, codes, terms.length + 1);
        offsets[0] = 0;
        terms.forEach((term, index) => {
          const bytes = packPostings(term, masked);
          new Uint8Array(memory.buffer, postings + at, bytes.length).set(bytes);
          at += bytes.length;
          offsets[index + 1] = at;
        });
        // All terms except the second.
        new Uint32Array(memory.buffer, numbers, 4).set([0, 1, Math.min(2, terms.length), terms.length]);
      };
      agree(seed, prepare(true), (kernels) => kernels.orPacked(codes, 0, terms.length, postings, mask, bitmap(0)));
      agree(seed, prepare(true), (kernels) => kernels.orPackedRanges(codes, numbers, 2, postings, mask, bitmap(0)));
      agree(seed, prepare(true), (kernels) => kernels.orPackedByField(codes, numbers, 2, postings, mask, bitmap(0), blocks * 16));
      agree(seed, prepare(false), (kernels) => kernels.countLists(codes, 0, terms.length, postings, bitmap(0), out));
      agree(seed, prepare(false), (kernels) => kernels.orList(postings, postings + packPostings(terms[0]!, false).length, bitmap(1)));
      const memory = createMemory(4 * 65_536);
      prepare(true)(memory);
      const kernels = loadKernels(memory);
      kernels.orPacked(codes, 0, terms.length, postings, mask, bitmap(0));
      const count = kernels.takeBits(bitmap(0), blocks, 0, documents, out);
      const expected = new Set(terms.flatMap((term) => term.filter(({ fields }) => (fields & mask) !== 0).map(({ document }) => document)));
      expect([...new Uint32Array(memory.buffer, out, count)]).toEqual([...expected].sort((a, b) => a - b));
    }) as never,
  );
});

test('number statistics and buckets equal the reference; ordinal 0 means no value', () => {
  const values = fc.uniqueArray(fc.oneof(fc.integer({ min: -20, max: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    minLength: 1,
    maxLength: 200,
  });
  check(
    fc.property(
      seeds,
      values,
      lists,
      fc.constantFrom(1, 2, 4),
      fc.constantFrom(0, 1, 3, 5),
      fc.array(fc.nat(210), { minLength: 31, maxLength: 31 }),
      (seed, distinct, list, width, steps, limits) => {
        const prepare = (memory: WebAssembly.Memory) => {
          const column =
            width === 1
              ? new Uint8Array(memory.buffer, codes)
              : width === 2
                ? new Uint16Array(memory.buffer, codes)
                : new Uint32Array(memory.buffer, codes);
          for (let d = 0; d < documents; d++) column[d] = ((Math.abs(seed | 0) % 1000) + d * 7919) % (distinct.length + 1);
          new Float64Array(memory.buffer, numbers, distinct.length).set([...distinct].sort((a, b) => a - b));
          const bounds = limits.slice(0, 2 ** steps - 1).map((limit) => limit + 1);
          new Uint32Array(memory.buffer, postings, bounds.length).set(bounds.sort((a, b) => a - b));
          new Uint32Array(memory.buffer, bitmap(0), list.length).set(list);
        };
        const natural = Math.abs(seed | 0) % 1000;
        agree(natural, prepare, (kernels) =>
          kernels.countNumbers(bitmap(0), list.length, codes, width, numbers, postings, steps, out + 64, out),
        );
      },
    ) as never,
  );
});

test('vector products equal the reference to the last bit', () => {
  check(
    fc.property(
      seeds,
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.float({ noNaN: true, min: -4, max: 4 }), { minLength: 1 }),
      (seed, size, floats) => {
        const documentsOfRows = (memory: WebAssembly.Memory) =>
          new Uint32Array(memory.buffer, codes, 21).forEach((_, index, list) => {
            list[index] = index * 13;
          });
        agree(seed, documentsOfRows, (kernels) => kernels.hamming(bitmap(0), bitmap(1), 21, size, codes, bitmap(2), out, out + 64));
        agree(seed, nothing, (kernels) => kernels.rowsBelow(bitmap(0), 21, 30_000, out));
        const prepare = (memory: WebAssembly.Memory) => {
          const column = new Float32Array(memory.buffer, numbers, 2048);
          column.forEach((_, index) => {
            column[index] = floats[(index * 7) % floats.length]! * (1 + (index % 3));
          });
          new Uint32Array(memory.buffer, codes, 3).set([2, 0, 5]);
        };
        agree(seed, prepare, (kernels) => kernels.estimateRows(postings, bitmap(0), bitmap(1), size % 4, codes, 3, out));
        agree(seed, prepare, (kernels) => kernels.dot(numbers, numbers + 256, size));
        agree(seed, prepare, (kernels) => kernels.dotRows(numbers, numbers, size, codes, 3, out));
        agree(seed, prepare, (kernels) => kernels.largestProducts(numbers, 3, numbers + 512, 8, size, out));
      },
    ) as never,
  );
});

test('document ranks and marked tokens equal the reference', () => {
  const token = fc.oneof(
    { arbitrary: fc.integer({ min: 2, max: 9 }).map((code) => [code]), weight: 8 },
    { arbitrary: fc.constantFrom([0x82, 1], [0xac, 2]), weight: 2 },
    { arbitrary: fc.constant([1]), weight: 1 },
    {
      arbitrary: fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 2 })).map(([code, back]) => [2, 3, 0, code, back]),
      weight: 1,
    },
  );
  const stream = fc.uniqueArray(
    fc.record({
      field: fc.integer({ min: 0, max: 5 }),
      bytes: fc.array(token, { minLength: 1, maxLength: 12 }).map((tokens) => tokens.flat()),
    }),
    { selector: ({ field }) => field, maxLength: 4 },
  );
  const level = fc.constantFrom(0, 1, 2, 3, 9, 9, 128);
  const shape = fc.integer({ min: 1, max: 4 }).chain((words) =>
    fc.record({
      words: fc.constant(words),
      patterns: fc.array(level, { minLength: words * 4 * 4, maxLength: words * 4 * 4 }),
      variantFields: fc.integer({ min: 0, max: 63 }),
    }),
  );
  const fields = fc.integer({ min: 0, max: 63 });
  check(
    fc.property(
      fc.array(stream, { minLength: 1, maxLength: 5 }),
      shape,
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 }),
      fields,
      fields,
      fields,
      fc.constantFrom(5, 70),
      (streams, { words, patterns, variantFields }, marks, searchedFields, typoFields, infixFields, count) => {
        const prepare = (memory: WebAssembly.Memory) => {
          const u32 = new Uint32Array(memory.buffer);
          let at = 0;
          streams.forEach((parts, document) => {
            const bytes = parts.sort((a, b) => a.field - b.field).flatMap((part) => [part.field, part.bytes.length, ...part.bytes]);
            new Uint8Array(memory.buffer, postings + at, bytes.length).set(bytes);
            u32[codes / 4 + document] = at;
            at += bytes.length;
            u32[codes / 4 + document + 1] = at;
          });
          for (let i = 0; i < count; i++) u32[codes / 4 + 100 + i] = i % streams.length;
          const table = new Uint16Array(memory.buffer, codes + 1024, 301);
          table.fill(0);
          table.set([0, 0, ...marks]);
          table[130] = marks[0]!;
          table[300] = marks[1]!;
          table.forEach((mark, code) => {
            if (mark !== 0) u32[markFilter / 4 + (code >>> 5)]! |= 1 << (code & 31);
          });
          new Uint8Array(memory.buffer, codes + 2048, patterns.length).set(patterns);
        };
        const rank = (memory: WebAssembly.Memory, reference: boolean) => {
          prepare(memory);
          loadKernels(memory, { reference }).rankDocuments(
            codes + 400,
            count,
            postings,
            codes,
            codes + 1024,
            markFilter,
            codes + 2048,
            words,
            0,
            searchedFields,
            typoFields,
            infixFields,
            variantFields,
            numbers,
            out,
          );
          return [...new Uint32Array(memory.buffer, out, count)];
        };
        expect(rank(createMemory(4 * 65_536), false)).toEqual(rank(createMemory(4 * 65_536), true));
        const tokens = (reference: boolean) => {
          const memory = createMemory(4 * 65_536);
          prepare(memory);
          const end = postings + new Uint32Array(memory.buffer)[codes / 4 + 1]!;
          const found = loadKernels(memory, { reference }).markedTokens(
            postings,
            end,
            codes + 1024,
            markFilter,
            searchedFields,
            out,
            count,
          );
          return [...new Uint32Array(memory.buffer, out, found * 2)];
        };
        expect(tokens(false)).toEqual(tokens(true));
      },
    ) as never,
  );
});

test('setting and clearing marks equals the reference', () => {
  const marked = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 60, maxLength: 60 });
  const places = fc.uniqueArray(fc.nat(30), { minLength: 4, maxLength: 4 });
  check(
    fc.property(marked, fc.uniqueArray(fc.nat(59), { minLength: 30 }), places, (marks, order, ends) => {
      const prepare = (memory: WebAssembly.Memory) => {
        const table = new Uint16Array(memory.buffer, postings, 32_900);
        table.fill(0);
        table.set(marks);
        table.copyWithin(32_768 + 60, 0, 30);
        // Codes below and above the size of the mark filter.
        const own = order.map((code) => (code % 2 === 0 ? code : 32_768 + 60 + (code >> 1)));
        new Uint32Array(memory.buffer, bitmap(0), own.length).set(own);
        const ranges = ends.map((end) => Math.min(end, order.length)).sort((a, b) => a - b);
        new Uint32Array(memory.buffer, numbers, 4).set(ranges);
        new Uint16Array(memory.buffer, out, 4).fill(0);
      };
      agree(1, prepare, (kernels) => kernels.markRanges(bitmap(0), numbers, 2, postings, markFilter, out, 7));
      agree(1, prepare, (kernels) => kernels.clearMarks(bitmap(0), numbers, 2, postings));
    }) as never,
  );
});

test('every kernel has a reference implementation', () => {
  const memory = createMemory(65_536);
  const twins = {
    ...referenceBitmaps(memory),
    ...referenceColumns(memory),
    ...referencePostings(memory),
    ...referenceRank(memory),
    ...referenceTerms(memory),
    ...referenceSubsets(memory),
  };
  const fast = Object.keys(loadKernels(memory)).filter((name) => name !== 'memory');
  expect(Object.keys(twins).sort()).toEqual(fast.sort());
});

test('without SIMD the reference implementations are loaded', async () => {
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  vi.resetModules();
  const { loadKernels: loadFresh } = await import('./index.ts');
  const kernels = loadFresh(createMemory(65_536));
  expect(kernels.and.toString()).not.toContain('native code');
  kernels.setRange(0, 3, 70);
  expect(kernels.popcount(0, 1)).toBe(67);
});

test.each([
  ['wasm.ts', wasmBase64],
  ['words-wasm.ts', wordsBase64],
] as const)(
  'the checked-in bytes of %s equal a fresh compile',
  async (module, checkedIn) => {
    const fresh = await compileKernels(module);
    expect(moduleText(fresh)).toContain(Buffer.from(fresh).toString('base64').slice(0, 100));
    expect(Buffer.from(fresh).toString('base64')).toBe(checkedIn);
  },
  60_000,
);
