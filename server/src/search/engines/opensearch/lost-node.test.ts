import type { Document, SearchResult } from '@catalog/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenSearchCluster, openSearchJars, startOpenSearch } from '../../../../test/opensearch-server.ts';
import { until } from '../../../../test/service.ts';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema } from '../conformance.ts';
import { SearchUnavailable } from '../port.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './index.ts';

const pageSize = 200;
const pageCount = 20;
const idOf = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const document = (n: number, word: string): Document => ({
  id: idOf(n),
  fingerprint: `f${n}`,
  filename: `${word} ${n}.pdf`,
  status: 'active',
  size: n,
});

/** Runs by `npm run test:engines`. */
describe.skipIf(!openSearchJars)('a cluster of three nodes that loses one', () => {
  let cluster: OpenSearchCluster;
  let settings: ReturnType<typeof settingsForTests>;
  beforeAll(async () => {
    cluster = await startOpenSearch(openSearchJars!, { nodes: 3, heap: '400m' });
    settings = settingsForTests({
      SVC_SEARCH_ENGINE: 'opensearch',
      SVC_SEARCH_URL: String(cluster.urls[0]),
      SVC_SEARCH_NODES: cluster.urls.slice(1).join(','),
      SVC_SEARCH_SHARDS: '3',
    });
  }, 240_000);
  afterAll(() => cluster.close());

  const isGreen = async () => ((await (await fetch(`${cluster.urls[0]}/_cluster/health`)).json()) as { status: string }).status === 'green';

  test('during a rebuild and during searches: no wrong answer, no lost document', { timeout: 300_000 }, async () => {
    const writer = openOpenSearchWriter(settings, conformanceSchema);
    const reader = openOpenSearchReader(settings, conformanceSchema);
    async function* pages(word: string, onPage: (page: number) => Promise<void> = async () => {}) {
      for (let page = 0; page < pageCount; page++) {
        await onPage(page);
        yield Array.from({ length: pageSize }, (_, at) => document(page * pageSize + at, word));
      }
    }
    const all = pageSize * pageCount;
    await writer.rebuild(pages('harbour'));
    await until(isGreen, 'all copies', 120_000);

    // Searches run all the time. Each answer is complete and from one index, or says that search is unavailable.
    let isOver = false;
    const totals = new Set<string>();
    let unavailable = 0;
    const searching = (async () => {
      while (!isOver)
        try {
          const [before, after] = [await reader.search({ text: 'harbour' }), await reader.search({ text: 'mooring' })];
          totals.add(String(before.total)).add(String(after.total));
        } catch (error) {
          if (!(error instanceof SearchUnavailable) || error.rebuild) throw error;
          unavailable += 1;
        }
    })();
    // A list that is read page by page is complete, or ends with an error that says so.
    const lengths = new Set<string>();
    let interrupted = 0;
    const paging = (async () => {
      while (!isOver)
        try {
          lengths.add(await lengthOfList(reader));
        } catch (error) {
          if (!(error instanceof SearchUnavailable) && (error as { code?: string }).code !== 'cursor_expired') throw error;
          interrupted += 1;
        }
    })();
    const rebuilt = await writer.rebuild(
      pages('mooring', async (page) => {
        if (page === 5) await cluster.kill(2);
      }),
    );
    expect(rebuilt).toEqual({ documents: all });
    // A write reaches the shards one after another, so a search in between may see one document more.
    isOver = true;
    await Promise.all([searching, paging]);
    await writer.write({ upsert: [document(all, 'mooring')], remove: [idOf(0)] });
    const isThere = async (n: number): Promise<boolean> => (await reader.search({ filter: { eq: ['id', idOf(n)] } })).total === 1;
    // The two documents are in different shards, which show their changes at different times.
    await until(async () => (await isThere(all)) && !(await isThere(0)), 'the write to be visible', 60_000);
    expect([...totals].sort()).toEqual(expect.arrayContaining(['0', String(all)]));
    expect([...totals].filter((total) => !['0', String(all)].includes(total))).toEqual([]);
    expect([...lengths]).toEqual([String(all)]);
    console.log(`${unavailable} searches were refused and ${interrupted} lists were interrupted while a node was lost`);

    const listed: string[] = [];
    for await (const page of reader.list()) listed.push(...page.map(({ id }) => id));
    expect(listed).toEqual(Array.from({ length: all }, (_, n) => idOf(n + 1)));
    await cluster.start(2);
    await until(isGreen, 'the node to return', 120_000);
    expect((await reader.search({ text: 'mooring' })).total).toBe(all);
  });
});

/** The number of distinct documents on all pages. */
async function lengthOfList(reader: ReturnType<typeof openOpenSearchReader>): Promise<string> {
  const seen = new Set<string>();
  for (let after: string | null = null; ; ) {
    const page: SearchResult = await reader.search({ limit: 500, sort: [{ field: 'size', order: 'asc' }], ...(after ? { after } : {}) });
    for (const { id } of page.hits) seen.add(id);
    if (page.degraded) return `${seen.size}, degraded`;
    after = page.after;
    if (after === null) return String(seen.size);
  }
}
