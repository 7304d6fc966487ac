import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inDirectory } from '../../test/temporary-index.ts';
import { createIndex, openWriter } from '../index.ts';
import { createMemory, loadKernels } from '../kernels/index.ts';
import { readManifest } from '../store/manifest.ts';
import { buildDictionary, encodeTerm } from '../text/index.ts';
import type { Document, Schema } from '../types.ts';
import { openSegment, shareSegment } from './open-segment.ts';
import { groupTerms, nextGroup, rowWords, termSubset, trigramIndexBytes, trigramRows } from './term-subset.ts';
import type { Segment } from './types.ts';

const schema: Schema = {
  version: 1,
  text: ['a', 'b', 'c', 'd'].map((name) => ({ name, infix: true })),
  keyword: [],
  number: [],
  sortable: [],
};
const stems = ['harbour', 'harvest', 'charter', 'orchard', 'parchment'];
const documents: Document[] = Array.from({ length: 64 }, (_, index) => ({
  id: `d${index}`,
  [['a', 'b', 'c', 'd'][index % 4]!]: `${stems[index % 5]}${'abcdefgh'[index % 8]}`,
}));

/** Opens the segment of these documents in two threads' views. */
async function inSegment(use: (first: Segment, second: Segment) => void): Promise<void> {
  await inDirectory(async (directory) => {
    await createIndex(directory, schema);
    const writer = await openWriter(directory, schema);
    await writer.upsert(documents);
    await writer.commit();
    await writer.close();
    const [entry] = (await readManifest(directory)).segments;
    const first = await openSegment(join(directory, entry!.file), entry!.bytes, schema);
    const second = shareSegment(first.shared, schema);
    use(first, second);
    first.close();
    second.close();
  });
}

const decoder = new TextDecoder();
const allTerms = ({ dictionary: { bytes, offsets, size } }: Pick<Segment, 'dictionary'>) =>
  Array.from({ length: size }, (_, term) => decoder.decode(bytes.slice(offsets[term], offsets[term + 1])));
const termsOf = (fields: number) =>
  documents.flatMap((document) => ['a', 'b', 'c', 'd'].flatMap((name, bit) => ((fields >> bit) & 1 ? (document[name] ?? []) : [])));
const unique = (terms: unknown[]) => [...new Set(terms)].sort();

test('a subset contains the terms of its fields and their dictionary indexes, or is the dictionary when they are most of it', async () => {
  await inSegment((first) => {
    const all = allTerms(first);
    const areMost: boolean[] = [];
    for (const fields of [1, 2, 12, 15]) {
      const subset = termSubset(first, fields);
      const own = unique(termsOf(fields));
      const isMost = own.length >= (all.length * 2) / 3;
      areMost.push(isMost);
      expect(allTerms(subset)).toEqual(isMost ? all : own);
      expect(allTerms(subset).map((_, term) => all[subset.dictionaryIndex(term)])).toEqual(allTerms(subset));
      expect(subset.dictionary.offsets.byteOffset === first.dictionary.offsets.byteOffset).toBe(isMost);
    }
    expect(new Set(areMost).size).toBe(2);
  });
});

test('a subset created by one thread is used by another without more memory', async () => {
  await inSegment((first, second) => {
    const dictionaryIndexes: number[] = [];
    termSubset(first, 5).within('char', (term) => dictionaryIndexes.push(term));
    expect(dictionaryIndexes).not.toEqual([]);
    const bytes = first.shared.memory.buffer.byteLength;
    const found: number[] = [];
    termSubset(second, 5).within('char', (term) => found.push(term));
    expect(found).toEqual(dictionaryIndexes);
    expect(termSubset(second, 5).dictionary.bytes.byteOffset).toBe(termSubset(first, 5).dictionary.bytes.byteOffset);
    expect(first.shared.memory.buffer.byteLength).toBe(bytes);
  });
});

test('every combination of fields finds its terms, even beyond the number of subset slots', async () => {
  await inSegment((first, second) => {
    const all = allTerms(first);
    for (let fields = 1; fields < 16; fields++) {
      for (const segment of [first, second]) {
        const { dictionaryIndex, near, within } = termSubset(segment, fields);
        const inside: string[] = [];
        within('arch', (term) => inside.push(all[dictionaryIndex(term)]!));
        const close: string[] = [];
        near('harbourc', 1, false, (from, to) => {
          for (let term = from; term < to; term++) close.push(all[dictionaryIndex(term)]!);
        });
        const own = unique(termsOf(fields)) as string[];
        expect(inside.filter((term) => own.includes(term))).toEqual(own.filter((term) => term.includes('arch')));
        expect(unique(close.filter((term) => own.includes(term)))).toEqual(own.filter((term) => /^harbour[^c]$/.test(term)));
      }
    }
    expect(first.shared.memory.buffer.byteLength).toBeLessThan(first.shared.table.residentEnd + 40 * 65_536);
  });
});

const letters = fc.constantFrom(...'abcdeé東');
const term = fc.array(letters, { minLength: 1, maxLength: 12 }).map((list) => list.join(''));

/** Returns the groups that have a bit in every row of the word. */
function groupsFor(terms: readonly string[], word: string) {
  const dictionary = buildDictionary(terms);
  const words = rowWords(dictionary.size);
  const [bytes, offsets, work, index] = [0, 65_536, 131_072, 135_168];
  const memory = createMemory(index + trigramIndexBytes(dictionary.size));
  new Uint8Array(memory.buffer).set(dictionary.bytes, bytes);
  new Uint32Array(memory.buffer).set(dictionary.offsets, offsets / 4);
  loadKernels(memory).fillTrigrams(bytes, offsets, dictionary.size, index, words, work);
  const rows = new Uint32Array(memory.buffer, index);
  const wanted = trigramRows(encodeTerm(word));
  const isPromising = (group: number) => wanted.every((row) => ((rows[row * words + (group >>> 5)]! >>> (group & 31)) & 1) === 1);
  return { dictionary, isPromising };
}

test('every term that contains the word is in a group with all its trigrams', () => {
  fc.assert(
    fc.property(
      fc.array(term, { minLength: 1, maxLength: 400, size: 'max' }),
      fc.array(letters, { minLength: 3, maxLength: 25 }),
      (terms, word) => {
        const wanted = word.join('');
        const { dictionary, isPromising } = groupsFor([...terms, `x${wanted}y`], wanted);
        let matching = 0;
        for (let dictionaryIndex = 0; dictionaryIndex < dictionary.size; dictionaryIndex++) {
          const text = Buffer.from(dictionary.bytes).toString(
            'utf8',
            dictionary.offsets[dictionaryIndex]!,
            dictionary.offsets[dictionaryIndex + 1]!,
          );
          if (!text.includes(wanted)) continue;
          matching++;
          expect(isPromising(nextGroup(dictionaryIndex) / groupTerms - 1)).toBe(true);
        }
        expect(matching).toBeGreaterThan(0);
      },
    ),
  );
});

test('groups without the trigrams of the word are skipped', () => {
  const terms = Array.from({ length: 6400 }, (_, index) => `${String.fromCharCode(97 + Math.floor(index / 320))}${index.toString(36)}`);
  const { dictionary, isPromising } = groupsFor([...terms, 'zzzquarterly'], 'quarterly');
  const groups = Array.from({ length: Math.ceil(dictionary.size / groupTerms) }, (_, group) => group);
  const read = groups.filter(isPromising).length;
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(groups.length / 10);
});
