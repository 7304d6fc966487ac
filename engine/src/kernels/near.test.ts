import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemory, loadKernels } from './index.ts';

const starts = 0;
const list = 1024;
const patterns = 4096;
const exactCodes = 8192;
const work = 8448;
const out = 16_384;
const forward = 65_536;

/** Codes of one, two and three bytes. */
const known = [2, 3, 4, 5, 130, 300, 20_000] as const;
const others = [6, 7, 8, 131, 428, 16_386];
const varint = (value: number): number[] => (value > 127 ? [(value & 127) | 128, ...varint(value >>> 7)] : [value]);

const code = fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 2 }, { arbitrary: fc.constantFrom(...others), weight: 5 });
const entry = fc.oneof(
  { arbitrary: code.map(varint), weight: 14 },
  { arbitrary: fc.constant([1]), weight: 1 },
  // A chunk of up to five parts, followed by its whole as an extra token.
  {
    arbitrary: fc
      .tuple(fc.array(code, { minLength: 2, maxLength: 5 }), code)
      .map(([parts, whole]) => [...parts.flatMap(varint), 0, ...varint(whole), ...varint(parts.length)]),
    weight: 2,
  },
);
const field = fc.array(entry, { minLength: 1, maxLength: 60 }).map((entries) => entries.flat());
const document = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), field), { selector: ([number]) => number, maxLength: 4 });
const query = fc.record({
  words: fc.array(fc.constantFrom(...known), { minLength: 2, maxLength: 4 }),
  /** Further codes of the last word, which makes it a prefix word. */
  begun: fc.option(fc.uniqueArray(fc.constantFrom(...known), { maxLength: 3 })),
  /** Whether the first word is not counted. */
  dropped: fc.boolean(),
  searchedFields: fc.constantFrom(63, 3, 62),
  variantFields: fc.constantFrom(0, 32, 48),
});

test('documents with every word at level 0 rank as in the reference, whatever their length', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 6 }),
      query,
      (documents, { words, begun, dropped, searchedFields, variantFields }) => {
        const count = words.length;
        const counted = dropped && count > 2 ? (1 << count) - 2 : (1 << count) - 1;
        const prefixed = begun === null ? 0 : 1 << (count - 1);
        const meant = words.map((own, word) => (begun !== null && word === count - 1 ? [own, ...begun] : [own]));
        const streams = documents.map((fields) => {
          // Every counted word must occur in a searched field.
          const own = new Map(fields);
          const last = 5 - (documents.indexOf(fields) % 2);
          const place = ((searchedFields >>> last) & 1) === 1 ? last : 1;
          own.set(place, [...(own.get(place) ?? []), ...words.flatMap(varint)]);
          return [...own].sort(([a], [b]) => a - b).flatMap(([number, bytes]) => [number, ...varint(bytes.length), ...bytes]);
        });
        const rank = (reference: boolean) => {
          const memory = createMemory(4 * 65_536);
          const u8 = new Uint8Array(memory.buffer as unknown as ArrayBuffer);
          const u32 = new Uint32Array(memory.buffer as unknown as ArrayBuffer);
          let at = 0;
          streams.forEach((bytes, index) => {
            u8.set(bytes, forward + at);
            u32[starts / 4 + index] = at;
            at += bytes.length;
            u32[starts / 4 + index + 1] = at;
            u32[list / 4 + index] = index;
          });
          const table = new Uint16Array(memory.buffer as unknown as ArrayBuffer, forward * 3, 20_001);
          u8.fill(9, patterns, patterns + (known.length + 1) * 4 * count);
          known.forEach((own, index) => {
            table[own] = index + 1;
            meant.forEach((codes, word) => {
              if (!codes.includes(own)) return;
              for (let kind = 0; kind < 4; kind++) u8[patterns + ((index + 1) * 4 + kind) * count + word] = own === words[word] ? 128 : 0;
            });
          });
          u32.set(words, exactCodes / 4);
          loadKernels(memory, { reference }).rankNear(
            list,
            streams.length,
            forward,
            starts,
            forward * 3,
            patterns,
            exactCodes,
            count,
            counted,
            prefixed,
            searchedFields,
            variantFields,
            work,
            out,
          );
          return [...u32.subarray(out / 4, out / 4 + streams.length)];
        };
        const slow = rank(true);
        rank(false).forEach((key, index) => {
          // Only texts that contain a word many times may be left to the other kernel.
          if (key === 0xffffffff) expect(streams[index]!.length).toBeGreaterThan(24);
          else {
            compared++;
            expect(key).toBe(slow[index]);
          }
        });
      },
    ),
    { numRuns: 3000 },
  );
  expect(compared).toBeGreaterThan(3000);
});
