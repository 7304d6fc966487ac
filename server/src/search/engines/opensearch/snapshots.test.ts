import type { Document } from '@catalog/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenSearchCluster, openSearchJars, startOpenSearch } from '../../../../test/opensearch-server.ts';
import { until } from '../../../../test/service.ts';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema } from '../conformance.ts';
import type { SearchReader } from '../port.ts';
import { cursorOf, fitsCursor, readCursor } from './cursor.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './index.ts';

const idOf = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const document = (n: number): Document => ({ id: idOf(n), fingerprint: `f${n}`, filename: `harbour ${n}.pdf`, status: 'active', size: n });
const size = { sort: [{ field: 'size', order: 'asc' as const }], limit: 2 };

/** Runs by `npm run test:engines`. */
describe.skipIf(!openSearchJars)('cursors of a real OpenSearch server', () => {
  let cluster: OpenSearchCluster;
  let settings: ReturnType<typeof settingsForTests>;
  let writer: ReturnType<typeof openOpenSearchWriter>;
  beforeAll(async () => {
    cluster = await startOpenSearch(openSearchJars!);
    settings = settingsForTests({ SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: String(cluster.urls[0]), SVC_SEARCH_SHARDS: '30' });
    writer = openOpenSearchWriter(settings, conformanceSchema);
  }, 420_000);
  afterAll(() => cluster.close());

  const server = async (path: string, method = 'GET', body?: object) =>
    (await (
      await fetch(`${cluster.urls[0]}${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      })
    )
      // biome-ignore lint/suspicious/noExplicitAny: a response of the server
      .json()) as any;
  const openSnapshots = async (): Promise<number> =>
    Object.values((await server('/_nodes/stats/indices/search')).nodes as Record<string, { indices: { search: Record<string, number> } }>)
      .map(({ indices }) => Number(indices.search['point_in_time_current']))
      .reduce((sum, each) => sum + each, 0);
  async function* pages(from: number, to: number) {
    yield Array.from({ length: to - from + 1 }, (_, at) => document(from + at));
  }
  const page = async (reader: SearchReader, after: string | null) => {
    const result = await reader.search({ ...size, ...(after ? { after } : {}) });
    return { ...result, sizes: result.hits.map(({ id }) => Number(id.slice(0, 8))) };
  };

  test('pages come from one state of the index, whatever is written meanwhile', { timeout: 120_000 }, async () => {
    await writer.rebuild(pages(1, 9));
    const reader = openOpenSearchReader(settings, conformanceSchema);
    const first = await page(reader, null);
    expect(await openSnapshots()).toBe(0);
    const second = await page(reader, first.after);
    expect(await openSnapshots()).toBe(30);
    const other = await reader.search({ ...size });
    expect(other.total).toBe(9);
    await writer.write({ upsert: [document(10), { ...document(1), size: 6.5 }], remove: [idOf(5), idOf(6)] });
    await until(async () => (await reader.search({})).total === 8, 'the changes to be visible', 30_000);
    const third = await page(reader, second.after);
    const fourth = await page(reader, third.after);
    const last = await page(reader, fourth.after);
    expect([first, second, third, fourth, last].flatMap(({ sizes }) => sizes)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([third.total, last.total, last.after]).toEqual([9, 9, null]);
    // A page can be requested again.
    expect((await page(reader, fourth.after)).sizes).toEqual([9]);
    await reader.close();
    expect(await openSnapshots()).toBe(0);
  });

  test('a cursor whose snapshot is gone says so, and the first page works again', { timeout: 120_000 }, async () => {
    await writer.rebuild(pages(1, 9));
    const reader = openOpenSearchReader(settings, conformanceSchema);
    const cursor = async () => (await page(reader, (await page(reader, null)).after)).after;
    const deleted = await cursor();
    await server('/_search/point_in_time/_all', 'DELETE');
    await expect(page(reader, deleted)).rejects.toMatchObject({ code: 'cursor_expired' });
    const replaced = await cursor();
    await writer.rebuild(pages(1, 5));
    await expect(page(reader, replaced)).rejects.toMatchObject({ code: 'cursor_expired' });
    expect((await page(reader, null)).sizes).toEqual([1, 2]);
    await reader.close();
  });

  test('a cursor of 30 shards fits into a URL, and one with a forged snapshot is refused', { timeout: 120_000 }, async () => {
    await writer.rebuild(pages(1, 9));
    const reader = openOpenSearchReader(settings, conformanceSchema);
    const { after } = await page(reader, (await page(reader, null)).after);
    const [order, , ...values] = JSON.parse(Buffer.from(String(after), 'base64url').toString());
    const position = readCursor(String(after), order, values.length);
    console.log(`a snapshot of 30 shards has ${position.snapshot?.length} characters, the cursor ${after?.length}`);
    expect(fitsCursor(String(position.snapshot))).toBe(true);
    const forged = cursorOf({ ...position, snapshot: Buffer.from('no snapshot at all').toString('base64url') });
    await expect(page(reader, forged)).rejects.toMatchObject({ code: 'bad_query' });
    await reader.close();
  });

  test('a cluster that keeps no more snapshots continues without one', { timeout: 120_000 }, async () => {
    await writer.rebuild(pages(1, 9));
    // The server also counts those of deleted indexes.
    const before = await openSnapshots();
    await server('/_cluster/settings', 'PUT', { transient: { 'search.max_open_pit_context': 0 } });
    const reader = openOpenSearchReader(settings, conformanceSchema);
    const second = await page(reader, (await page(reader, null)).after);
    expect([second.sizes, await openSnapshots()]).toEqual([[3, 4], before]);
    expect((await page(reader, second.after)).sizes).toEqual([5, 6]);
    await server('/_cluster/settings', 'PUT', { transient: { 'search.max_open_pit_context': null } });
    await reader.close();
  });
});
