import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemory, loadKernels } from './index.ts';

const token = fc.constantFrom([2], [9], [0x82, 1], [0xac, 0x82, 3]);
/** A token, the gap between two values, or an extra token after its parts. */
const entry = fc.oneof(
  { arbitrary: token.map((bytes) => ({ bytes, plain: 1 })), weight: 6 },
  { arbitrary: fc.constant({ bytes: [1], plain: 0 }), weight: 1 },
  {
    arbitrary: fc.tuple(token, fc.constantFrom([1], [0x81, 1])).map(([bytes, back]) => ({ bytes: [0, ...bytes, ...back], plain: 0 })),
    weight: 1,
  },
);
const field = fc.record({ number: fc.integer({ min: 0, max: 5 }), entries: fc.array(entry, { minLength: 1, maxLength: 6 }) });
const document = fc.uniqueArray(field, { selector: ({ number }) => number, maxLength: 3 });
const dst = 1024;
const starts = 4096;
const forward = 16_384;

test.each(['with', 'without'])('documents with a field of the given number of tokens are found, %s SIMD', (how) => {
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 40, size: 'max' }),
      fc.integer({ min: 0, max: 63 }),
      fc.integer({ min: 1, max: 5 }),
      (documents, searchedFields, tokens) => {
        const memory = createMemory(65_536);
        const u8 = new Uint8Array(memory.buffer);
        const u32 = new Uint32Array(memory.buffer);
        let at = 0;
        documents.forEach((fields, doc) => {
          const bytes = fields.flatMap(({ number, entries }) => {
            const own = entries.flatMap((each) => each.bytes);
            return [number, own.length, ...own];
          });
          u8.set(bytes, forward + at);
          u32[starts / 4 + doc] = at;
          at += bytes.length;
          u32[starts / 4 + doc + 1] = at;
        });
        loadKernels(memory, { reference: how === 'without' }).setLengths(dst, documents.length, forward, starts, searchedFields, tokens);
        documents.forEach((fields, doc) => {
          const expected = fields.some(
            ({ number, entries }) =>
              ((searchedFields >>> number) & 1) === 1 && entries.reduce((sum, { plain }) => sum + plain, 0) === tokens,
          );
          expect(((u8[dst + (doc >>> 3)]! >>> (doc & 7)) & 1) === 1).toBe(expected);
        });
      },
    ),
    { numRuns: 300 },
  );
});
