import type { Document, Schema } from '@catalog/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchReader, SearchWriter } from './port.ts';
import { SearchUnavailable } from './port.ts';

/** The tests every engine adapter must pass, run against a real or fake engine. */
export interface EngineUnderTest {
  reader: SearchReader;
  writer: SearchWriter;
  /** Deletes the index behind the adapter's back. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

export const conformanceSchema: Schema = {
  version: 1,
  text: [{ name: 'title' }, { name: 'filename', infix: true }, { name: 'body_text' }],
  keyword: [{ name: 'status' }, { name: 'library_id' }, { name: 'tag', multi: true }, { name: 'perm_class' }],
  number: ['size', 'mtime_sort'],
  sortable: ['filename_sort'],
  geo: '_geo',
  scope: 'path_scope',
};

const document = (n: number, more: Partial<Document> = {}): Document => ({
  id: `0000000${n}-0000-4000-8000-000000000000`,
  fingerprint: `print${n}`,
  title: null,
  filename: `harbour ${n}.pdf`,
  filename_sort: `harbour ${n}.pdf`,
  status: 'active',
  library_id: 'photos',
  tag: [],
  perm_class: String(n % 2),
  size: n * 100,
  mtime_sort: n,
  path_scope: `photos/2023/harbour ${n}.pdf`,
  ...more,
});

async function* pages(...lists: Document[][]): AsyncGenerator<Document[]> {
  yield* lists;
}

export function engineConformance(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let candidate: EngineUnderTest;
    const numbers = (hits: readonly { id: string }[]): number[] => hits.map(({ id }) => Number(id[7]));
    const ask = async (query: Parameters<SearchReader['search']>[0]) => candidate.reader.search(query);
    const found = async (filter: Parameters<SearchReader['search']>[0]['filter']): Promise<number[]> =>
      numbers((await ask({ ...(filter ? { filter } : {}), limit: 50 })).hits).sort();

    beforeAll(async () => {
      candidate = await open();
    });
    afterAll(async () => {
      await candidate.close();
    });

    test('without an index it is not usable, a search says so, and only a rebuild cures it', async () => {
      expect(await candidate.writer.unusable()).toMatchObject({ rebuild: true });
      const refused = await ask({ text: 'x' }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(SearchUnavailable);
      expect((refused as SearchUnavailable).rebuild).toBe(true);
      expect(await candidate.writer.rebuild(pages([]))).toEqual({ documents: 0 });
      expect(await candidate.writer.unusable()).toBeNull();
      expect((await ask({})).total).toBe(0);
    });

    test('what is written is found; written again it is replaced, not doubled; removed it is gone', async () => {
      const all = [
        document(1, { tag: ['print', 'web'], _geo: { lat: 60.39, lng: 5.32 } }),
        document(2, { tag: ['print'], status: 'missing', path_scope: 'photos/2023/private/harbour 2.pdf' }),
        document(3, { library_id: 'studio', path_scope: 'studio/a "quoted" \\ path/harbour 3.pdf', _geo: { lat: 59.91, lng: 10.75 } }),
        document(4, { title: 'Quarterly plan', tag: ['private "x"'], body_text: 'the mooring fee rises' }),
        document(5, { size: null }),
      ];
      await candidate.writer.write({ upsert: all, remove: [] });
      await candidate.writer.write({ upsert: all.slice(0, 2), remove: [document(9).id] });
      await expect.poll(async () => (await ask({ text: 'harbour' })).total, { timeout: 30_000 }).toBe(5);
      await candidate.writer.write({ upsert: [document(6)], remove: [] });
      await candidate.reader.refresh();
      await expect.poll(async () => (await ask({})).total, { timeout: 30_000 }).toBe(6);
      await candidate.writer.write({ upsert: [], remove: [document(6).id] });
      await expect.poll(async () => (await ask({})).total, { timeout: 30_000 }).toBe(5);
    });

    test('words: every word must be there, the last may be a beginning, a minus excludes, fields can be chosen', async () => {
      expect(numbers((await ask({ text: 'mooring fe' })).hits)).toEqual([4]);
      expect((await ask({ text: 'mooring absent' })).total).toBe(0);
      expect((await ask({ text: '-mooring harbour' })).total).toBe(4);
      expect((await ask({ text: 'mooring', fields: ['filename'] })).total).toBe(0);
      const [hit] = (await ask({ text: 'mooring', matches: ['title', 'body_text'] })).hits;
      expect(hit?.matchedTerms).toEqual({ body_text: ['mooring'] });
      expect(hit?.score).toBeGreaterThan(0);
      expect(hit?.score).toBeLessThanOrEqual(1);
    });

    test('filters', async () => {
      expect(await found({ eq: ['status', 'missing'] })).toEqual([2]);
      expect(await found({ not: { eq: ['status', 'missing'] } })).toEqual([1, 3, 4, 5]);
      expect(await found({ in: ['tag', ['print', 'absent']] })).toEqual([1, 2]);
      expect(await found({ in: ['tag', []] })).toEqual([]);
      expect(await found({ eq: ['tag', 'private "x"'] })).toEqual([4]);
      expect(await found({ and: [{ eq: ['tag', 'print'] }, { eq: ['status', 'active'] }] })).toEqual([1]);
      expect(await found({ or: [{ eq: ['tag', 'web'] }, { eq: ['library_id', 'studio'] }] })).toEqual([1, 3]);
      expect(await found({ and: [] })).toEqual([1, 2, 3, 4, 5]);
      expect(await found({ or: [] })).toEqual([]);
      expect(await found({ range: ['size', { gte: 200, lt: 400 }] })).toEqual([2, 3]);
      expect(await found({ range: ['size', { gt: 200, lte: 400 }] })).toEqual([3, 4]);
      expect(await found({ exists: 'size' })).toEqual([1, 2, 3, 4]);
      expect(await found({ in: ['id', [document(1).id, document(4).id]] })).toEqual([1, 4]);
      expect(await found({ geoRadius: { lat: 59.91, lng: 10.75, metres: 1000 } })).toEqual([3]);
      expect(await found({ geoBox: { top: 61, right: 6, bottom: 60, left: 5 } })).toEqual([1]);
    });

    test('a search by principal: the classes of files that somebody can read, of which there may be thousands', async () => {
      expect(await found({ in: ['perm_class', ['1']] })).toEqual([1, 3, 5]);
      const many = Array.from({ length: 5000 }, (_, n) => String(n + 2));
      expect(await found({ in: ['perm_class', many] })).toEqual([]);
      expect(await found({ and: [{ in: ['perm_class', [...many, '0']] }, { scope: ['photos'] }] })).toEqual([2, 4]);
      expect(await found({ not: { in: ['perm_class', [...many, '0']] } })).toEqual([1, 3, 5]);
      expect((await ask({ facets: [{ field: 'perm_class', limit: 100_000 }], limit: 1 })).facets['perm_class']).toEqual([
        { value: '1', count: 3 },
        { value: '0', count: 2 },
      ]);
    });

    test('a scope holds what lies at or below a folder, and nothing whose name merely begins so', async () => {
      expect(await found({ scope: ['photos/2023'] })).toEqual([1, 2, 4, 5]);
      expect(await found({ scope: ['photos/2023/private', 'studio'] })).toEqual([2, 3]);
      expect(await found({ scope: ['photos/202'] })).toEqual([]);
      expect(await found({ scope: ['studio/a "quoted" \\ path'] })).toEqual([3]);
      expect(await found({ and: [{ scope: ['photos'] }, { not: { scope: ['photos/2023/private'] } }] })).toEqual([1, 4, 5]);
      expect(await found({ scope: [] })).toEqual([]);
      expect((await found({ scope: [''] })).length).toBe(5);
    });

    /** Runs the checks while the index has these documents besides the first five. */
    async function withMore(all: readonly Document[], checks: () => Promise<void>): Promise<void> {
      const holds = (total: number) => expect.poll(async () => (await ask({})).total, { timeout: 30_000 }).toBe(total);
      await candidate.writer.write({ upsert: all, remove: [] });
      await holds(5 + all.length);
      try {
        await checks();
      } finally {
        await candidate.writer.write({ upsert: [], remove: all.map(({ id }) => id) });
        await holds(5);
      }
    }

    test('a scope compares case and accents exactly, in hits, totals and facets', async () => {
      const [capital, small, combining] = ['studio/\u00c9t\u00e9', 'studio/\u00e9t\u00e9', 'studio/e\u0301te\u0301'];
      const all = [capital, small, combining].map((folder, n) => document(6 + n, { path_scope: `${folder}/harbour ${6 + n}.pdf` }));
      await withMore(all, async () => {
        expect(await found({ scope: [capital] })).toEqual([6]);
        expect(await found({ scope: [small] })).toEqual([7]);
        expect(await found({ scope: [combining] })).toEqual([8]);
        expect(await found({ scope: ['studio/ete', 'Studio'] })).toEqual([]);
        expect(await found({ and: [{ scope: ['studio'] }, { not: { scope: [small] } }] })).toEqual([3, 6, 8]);
        const counted = await ask({ filter: { scope: [small] }, facets: ['status', { field: 'perm_class', prefix: '1' }], limit: 0 });
        expect(counted).toMatchObject({
          total: 1,
          facets: { status: [{ value: 'active', count: 1 }], perm_class: [{ value: '1', count: 1 }] },
        });
      });
    });

    test('a scope compares long paths exactly', async () => {
      // Nearly 4,096 bytes, the longest path that Linux opens.
      const long = `studio/${Array.from({ length: 15 }, (_, n) => String(n % 10).repeat(255)).join('/')}`;
      await withMore([document(6, { path_scope: `${long}/private/harbour 6.pdf` })], async () => {
        expect(await found({ scope: [long] })).toEqual([6]);
        expect(await found({ scope: [`${long}/private`] })).toEqual([6]);
        expect(await found({ scope: [`${long}/Private`, `${long}/priv`, long.slice(0, -1)] })).toEqual([]);
        expect(await found({ and: [{ scope: ['studio'] }, { not: { scope: [`${long}/private`] } }] })).toEqual([3]);
      });
    });

    test('order, pages, totals, facets and statistics', async () => {
      expect(numbers((await ask({ sort: [{ field: 'size', order: 'desc' }] })).hits)).toEqual([4, 3, 2, 1, 5]);
      expect(numbers((await ask({ sort: [{ geo: { lat: 59.9, lng: 10.7 }, order: 'asc' }] })).hits).slice(0, 2)).toEqual([3, 1]);
      const seen: number[] = [];
      let after: string | null = null;
      do {
        const page = await ask({ sort: [{ field: 'filename_sort', order: 'asc' }], limit: 2, ...(after ? { after } : {}) });
        expect(page.total).toBe(5);
        seen.push(...numbers(page.hits));
        after = page.after;
      } while (after);
      expect(seen).toEqual([1, 2, 3, 4, 5]);
      const { facets, stats } = await ask({ facets: ['library_id', { field: 'tag', prefix: 'pri' }], stats: ['size'], limit: 1 });
      expect(facets['library_id']).toEqual([
        { value: 'photos', count: 4 },
        { value: 'studio', count: 1 },
      ]);
      expect(facets['tag']).toEqual([
        { value: 'print', count: 2 },
        { value: 'private "x"', count: 1 },
      ]);
      expect(stats['size']).toMatchObject({ min: 100, max: 400, sum: 1000, count: 4 });
      const { histograms } = await ask({ text: 'harbour', histograms: [{ field: 'size', bounds: [0, 150, 300, 1000] }], limit: 0 });
      expect(histograms['size']).toEqual([1, 1, 2]);
      expect((await ask({ limit: 0 })).total).toBe(5);
      await expect(ask({ after: 'forged!' })).rejects.toMatchObject({ code: 'bad_query' });
    });

    test('the listing has every id with its fingerprint, in order', async () => {
      const rows: { id: string; fingerprint: string }[] = [];
      for await (const page of candidate.reader.list()) rows.push(...page);
      expect(rows).toEqual([1, 2, 3, 4, 5].map((n) => ({ id: document(n).id, fingerprint: `print${n}` })));
    });

    test('a rebuild replaces everything at once, and a failed one changes nothing', async () => {
      async function* broken(): AsyncGenerator<Document[]> {
        yield [document(7)];
        throw new Error('the database went away');
      }
      await expect(candidate.writer.rebuild(broken())).rejects.toThrow();
      expect((await ask({})).total).toBe(5);
      expect(await candidate.writer.rebuild(pages([document(1)], [document(8)]))).toEqual({ documents: 2 });
      await expect.poll(async () => numbers((await ask({})).hits).sort(), { timeout: 30_000 }).toEqual([1, 8]);
      expect((await candidate.reader.stats()).documents).toBe(2);
      expect(await candidate.writer.reapShadows(-1)).toBe(0);
      await candidate.writer.compact();
      expect((await ask({})).total).toBe(2);
    });

    test('a wiped index is unavailable until it is built again', async () => {
      await candidate.wipe();
      expect(await candidate.writer.unusable()).toMatchObject({ rebuild: true });
      await expect(candidate.writer.write({ upsert: [document(1)], remove: [] })).rejects.toMatchObject({ rebuild: true });
      await candidate.writer.rebuild(pages([document(1)]));
      await expect.poll(async () => (await ask({}).catch(() => ({ total: -1 }))).total, { timeout: 30_000 }).toBe(1);
    });
  });
}
