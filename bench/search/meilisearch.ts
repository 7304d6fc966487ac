import { setTimeout as sleep } from 'node:timers/promises';
import { recordBatches } from './corpus.ts';
import { type Measurements, type MeasureOptions, timeEach } from './measurements.ts';
import { type BenchQuery, makeQueries, type QueryClass } from './queries.ts';

/** Uses the Meilisearch server at BENCH_MEILISEARCH_URL with the key BENCH_MEILISEARCH_KEY. Replaces its index `catalog_bench`. */
export async function measureMeilisearch({ size }: MeasureOptions): Promise<Measurements> {
  const address = process.env['BENCH_MEILISEARCH_URL'];
  if (address === undefined) return { classes: {}, skipped: 'BENCH_MEILISEARCH_URL is not set' };
  const key = process.env['BENCH_MEILISEARCH_KEY'];
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, address), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (!response.ok && response.status !== 404) throw new Error(`Meilisearch returned ${response.status} for ${method} ${path}.`);
    return (await response.json()) as { taskUid?: number; status?: string; estimatedTotalHits?: number };
  };
  const waitForTask = async ({ taskUid }: { taskUid?: number }) => {
    for (;;) {
      const { status } = await call('GET', `/tasks/${taskUid}`);
      if (status !== 'enqueued' && status !== 'processing') return;
      await sleep(50);
    }
  };
  const index = '/indexes/catalog_bench';
  await waitForTask(await call('DELETE', index));
  await waitForTask(await call('POST', '/indexes', { uid: 'catalog_bench', primaryKey: 'id' }));
  await waitForTask(
    await call('PATCH', `${index}/settings`, {
      searchableAttributes: ['name', 'folder', 'body'],
      filterableAttributes: ['library', 'category', 'group', 'status', 'tags'],
      sortableAttributes: ['mtime'],
    }),
  );
  const start = performance.now();
  let last: { taskUid?: number } = {};
  for (const records of recordBatches(size, 20_000)) last = await call('POST', `${index}/documents`, records);
  await waitForTask(last);
  const result: Measurements = { classes: {}, docsPerSecond: (size / (performance.now() - start)) * 1000 };
  const search = async (body: Record<string, unknown>) =>
    (await call('POST', `${index}/search`, { limit: 20, ...body })).estimatedTotalHits ?? 0;
  const inNames = { attributesToSearchOn: ['name', 'folder'] };
  const searches: Partial<Record<QueryClass, (query: BenchQuery) => Promise<number>>> = {
    'one word': ({ text }) => search({ q: text, ...inNames }),
    'two words': ({ text }) => search({ q: text, matchingStrategy: 'all', ...inNames }),
    prefix: ({ text }) => search({ q: text, matchingStrategy: 'all', ...inNames }),
    'one typo': ({ text }) => search({ q: text, ...inNames }),
    'all fields': ({ text }) => search({ q: text, matchingStrategy: 'all' }),
    'filter + 4 facets': ({ text }) =>
      search({ q: text, filter: 'status = active', facets: ['library', 'category', 'group', 'tags'], ...inNames }),
    'browse + 60 values': () => search({ q: '', filter: 'status = active', facets: ['library', 'category', 'group'] }),
    'browse + 300 tags': () => search({ q: '', filter: 'status = active', facets: ['tags'] }),
    'sort + filter': ({ library, category }) =>
      search({ q: '', filter: ['status = active', `library = ${library}`, `category = ${category}`], sort: ['mtime:desc'] }),
  };
  const queries = makeQueries(size);
  for (const [name, run] of Object.entries(searches)) result.classes[name as QueryClass] = await timeEach(queries[name as QueryClass], run);
  return result;
}
