import type { Document, Query, Schema } from '@catalog/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/service.ts';
import { conformanceSchema, type EngineUnderTest } from './conformance.ts';

/** The tests that every engine adapter with vectors must pass. */
export const vectorSchema: Schema = { ...conformanceSchema, version: 7, vector: { name: 'meaning', dimension: 4 } };

const documents: Document[] = [
  ['boat', [1, 0, 0, 0], 'photos'],
  ['yacht', [0.9, 0.1, 0, 0], 'photos'],
  ['vessel', [0.8, 0, 0.3, 0], 'studio'],
  ['invoice', [0, 1, 0, 0], 'photos'],
  ['dog', [0, 0, 0, 1], 'photos'],
  ['boat without a vector', null, 'photos'],
].map(([name, vector, library], at) => ({
  id: `0000000${at + 1}-0000-4000-8000-000000000000`,
  fingerprint: `print${at}`,
  filename: String(name),
  filename_sort: String(name),
  status: 'active',
  library_id: String(library),
  size: at,
  mtime_sort: at,
  path_scope: `${library}/${name}`,
  ...(vector ? { meaning: Float32Array.from(vector as number[]) } : {}),
}));

const near = Float32Array.of(1, 0.05, 0, 0);

export function vectorConformance(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let candidate: EngineUnderTest;
    const search = async (query: Query) => candidate.reader.search({ limit: 10, matches: ['filename'], ...query });
    const names = async (query: Query): Promise<string[]> =>
      (await search(query)).hits.map(({ id }) => String(documents[Number(id[7]) - 1]?.['filename']));

    beforeAll(async () => {
      candidate = await open();
      async function* all() {
        yield documents;
      }
      await candidate.writer.rebuild(all());
      await until(async () => (await search({})).total === documents.length, 'the documents to be found');
    }, 120_000);
    afterAll(() => candidate.close());

    test('the nearest documents come first; those without a vector are not among them', async () => {
      const found = await names({ text: 'ship', vector: { near, ratio: 1 } });
      expect(found.slice(0, 3)).toEqual(['boat', 'yacht', 'vessel']);
      expect(found).not.toContain('boat without a vector');
    });

    test('filters and scopes apply inside the search by vector', async () => {
      const vector = { near, ratio: 1 };
      expect(await names({ text: 'ship', vector, filter: { eq: ['library_id', 'studio'] } })).toEqual(['vessel']);
      expect(await names({ text: 'ship', vector, filter: { scope: ['studio'] } })).toEqual(['vessel']);
      expect(await names({ text: 'ship', vector, filter: { in: ['library_id', []] } })).toEqual([]);
    });

    test('words and vectors are mixed, and a hit says which of them found it', async () => {
      const { hits } = await search({ text: 'boat', vector: { near, ratio: 0.5 } });
      const found = hits.map(({ id }) => String(documents[Number(id[7]) - 1]?.['filename']));
      expect(found).toEqual(expect.arrayContaining(['boat', 'yacht', 'vessel', 'boat without a vector']));
      const partsOf = (wanted: string) => hits[found.indexOf(wanted)]?.parts;
      expect(partsOf('yacht')).toMatchObject({ words: 0 });
      expect(partsOf('yacht')?.vector).toBeGreaterThan(0.8);
      expect(partsOf('boat without a vector')).toMatchObject({ vector: 0 });
      expect(partsOf('boat without a vector')?.words).toBeGreaterThan(0.5);
      expect(partsOf('boat')?.words).toBeGreaterThan(0.5);
    });

    test('similar documents are the neighbours of a document under the filter, without itself', async () => {
      const likeId = String(documents[0]?.id);
      expect((await names({ likeId })).slice(0, 2)).toEqual(['yacht', 'vessel']);
      expect(await names({ likeId, filter: { eq: ['library_id', 'studio'] } })).toEqual(['vessel']);
    });

    test('a changed vector is found, and a removed one is not', async () => {
      const [first] = documents as [Document];
      await candidate.writer.write({ upsert: [{ ...first, meaning: Float32Array.of(0, 0, 0, 1) }], remove: [] });
      await expect.poll(async () => (await names({ text: 'ship', vector: { near, ratio: 1 } }))[0], { timeout: 30_000 }).toBe('yacht');
      const { meaning: _, ...plain } = first;
      await candidate.writer.write({ upsert: [plain], remove: [] });
      await expect.poll(async () => names({ text: 'ship', vector: { near, ratio: 1 } }), { timeout: 30_000 }).not.toContain('boat');
    });
  });
}
