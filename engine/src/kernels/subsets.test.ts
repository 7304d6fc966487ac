// biome-ignore-all lint/style/noNonNullAssertion: the arrays are filled by the test
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDictionary } from '../text/index.ts';
import { createMemory, loadKernels } from './index.ts';

const at = { terms: 8192, offsets: 32_768, listed: 65_536, toTerms: 98_304, toOffsets: 131_072, shares: 163_840, index: 196_608 };
const kinds = [{ reference: false }, { reference: true }];

const letters = fc.constantFrom('a', 'a', 'b', 'é', '東');
const terms = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 60 });

test('copied terms are those listed, with the bytes that each shares with the one before', () => {
  fc.assert(
    fc.property(terms, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (all, isListed) => {
      for (const kind of kinds) {
        const memory = createMemory(at.index);
        const [u8, u32] = [new Uint8Array(memory.buffer), new Uint32Array(memory.buffer)];
        const { bytes, offsets, size } = buildDictionary(all);
        u8.set(bytes, at.terms);
        u32.set(offsets, at.offsets / 4);
        const listed = Array.from({ length: size }, (_, index) => index).filter((index) => isListed[index]);
        u32.set(listed, at.listed / 4);
        const expected = listed.map((index) => Buffer.from(bytes.subarray(offsets[index], offsets[index + 1])).toString());
        const length = Buffer.byteLength(expected.join(''));
        u8.fill(0xee, at.toTerms, at.toTerms + length + 32);
        const { copyTerms, sharedPrefixes, bytesOfTerms } = loadKernels(memory, kind);
        copyTerms(at.terms, at.offsets, at.listed, listed.length, at.toTerms, at.toOffsets);
        sharedPrefixes(at.toTerms, at.toOffsets, listed.length, at.shares);
        const borders = u32.subarray(at.toOffsets / 4, at.toOffsets / 4 + listed.length + 1);
        const copied = Buffer.from(u8.slice(at.toTerms, at.toTerms + length + 1));
        expect(listed.map((_, index) => copied.toString('utf8', borders[index], borders[index + 1]))).toEqual(expected);
        expect(copied[length]).toBe(0xee);
        const encoded = expected.map((text) => Buffer.from(text));
        const shares = encoded.map((text, index) => {
          const differs = text.findIndex((byte, place) => byte !== encoded[index - 1]?.[place]);
          return differs < 0 ? text.length : differs;
        });
        expect(bytesOfTerms(at.offsets, at.listed, listed.length)).toBe(length);
        expect(Array.from(u8.subarray(at.shares, at.shares + listed.length))).toEqual(shares);
      }
    }),
  );
});

interface Group {
  fields: number;
  hasLevel: boolean;
  length: number;
}

const groups = fc.array(
  fc.record({ fields: fc.integer({ min: 1, max: 0xffff }), hasLevel: fc.boolean(), length: fc.integer({ min: 0, max: 300 }) }),
  { minLength: 1, maxLength: 4 },
);

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

/** The groups of one term: a header, and for all but the last the length of what follows. */
function encode(list: readonly Group[]): number[] {
  return list.flatMap(({ fields, hasLevel, length }, index) => {
    const isLast = index === list.length - 1;
    const head = varint((fields << 2) | (hasLevel ? 2 : 0) | (isLast ? 1 : 0));
    const level = hasLevel ? varint(300) : [];
    return [...head, ...level, ...(isLast ? [] : varint(length)), ...new Array<number>(length).fill(0xff)];
  });
}

test('the terms with postings in a field are listed, whichever of their groups has it', () => {
  fc.assert(
    fc.property(fc.array(groups, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 0xffff }), (all, fields) => {
      const expected = all.flatMap((list, term) => (list.some((group) => (group.fields & fields) !== 0) ? [term] : []));
      for (const kind of kinds) {
        const memory = createMemory(at.index);
        const [u8, u32] = [new Uint8Array(memory.buffer), new Uint32Array(memory.buffer)];
        let end = 0;
        all.forEach((list, term) => {
          const bytes = encode(list);
          u8.set(bytes, at.terms + end);
          end += bytes.length;
          u32[at.offsets / 4 + term + 1] = end;
        });
        const found = loadKernels(memory, kind).listTerms(at.terms, at.offsets, all.length, fields, at.listed);
        expect(Array.from(u32.subarray(at.listed / 4, at.listed / 4 + found))).toEqual(expected);
      }
    }),
  );
});

test('both implementations set the same bits of a trigram index', () => {
  const many = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 1500, size: 'max' });
  fc.assert(
    fc.property(many, (all) => {
      const { bytes, offsets, size } = buildDictionary(all);
      const words = Math.ceil(size / 512);
      const [simd, reference] = kinds.map((kind) => {
        const memory = createMemory(at.index + 1024 * 4 * words);
        new Uint8Array(memory.buffer).set(bytes, at.terms);
        new Uint32Array(memory.buffer).set(offsets, at.offsets / 4);
        loadKernels(memory, kind).fillTrigrams(at.terms, at.offsets, size, at.index, words, 0);
        return Array.from(new Uint32Array(memory.buffer, at.index, 1024 * words));
      });
      expect(simd).toEqual(reference);
      expect(simd!.some((bits) => bits > 0)).toBe(all.some((text) => Buffer.byteLength(text) > 2));
    }),
  );
});
