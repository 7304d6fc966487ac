import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory } from '../../test/temporary-index.ts';
import { createIndex, openWriter } from '../index.ts';
import { readManifest } from '../store/manifest.ts';
import type { Document, Schema } from '../types.ts';
import { openSegment, type Segment, shareSegment } from './open-segment.ts';
import { termSubset } from './term-subset.ts';

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

/** Two threads' views of the one segment that holds these documents. */
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

test('a subset holds the terms of its fields, and where they stand among all', async () => {
  await inSegment((first) => {
    const all = allTerms(first);
    for (const fields of [1, 2, 12, 15]) {
      const subset = termSubset(first, fields);
      expect(allTerms(subset)).toEqual(unique(termsOf(fields)));
      expect(Array.from(subset.places, (place) => all[place])).toEqual(allTerms(subset));
    }
  });
});

test('a subset that one thread has made is used by the other, without more memory', async () => {
  await inSegment((first, second) => {
    const places: number[] = [];
    termSubset(first, 5).within('char', (term) => places.push(term));
    expect(places).not.toEqual([]);
    const bytes = first.shared.memory.buffer.byteLength;
    const found: number[] = [];
    termSubset(second, 5).within('char', (term) => found.push(term));
    expect(found).toEqual(places);
    expect(termSubset(second, 5).places.byteOffset).toBe(termSubset(first, 5).places.byteOffset);
    expect(first.shared.memory.buffer.byteLength).toBe(bytes);
  });
});

test('however many sets of fields are asked for, each finds the terms of its fields', async () => {
  await inSegment((first, second) => {
    const all = allTerms(first);
    for (let fields = 1; fields < 16; fields++) {
      for (const segment of [first, second]) {
        const { places, near, within } = termSubset(segment, fields);
        const inside: string[] = [];
        within('arch', (term) => inside.push(all[places[term]!]!));
        const close: string[] = [];
        near('harbourc', 1, false, (from, to) => {
          for (let term = from; term < to; term++) close.push(all[places[term]!]!);
        });
        const own = unique(termsOf(fields)) as string[];
        expect(inside.filter((term) => own.includes(term))).toEqual(own.filter((term) => term.includes('arch')));
        expect(unique(close.filter((term) => own.includes(term)))).toEqual(own.filter((term) => /^harbour[^c]$/.test(term)));
      }
    }
    expect(first.shared.memory.buffer.byteLength).toBeLessThan(first.shared.table.residentEnd + 40 * 65_536);
  });
});
