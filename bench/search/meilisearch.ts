import { waitForTask } from '../meilisearch/client.ts';
import { noMeilisearch, withMeilisearch } from '../meilisearch/server.ts';
import { recordBatches } from './corpus.ts';
import { latencyOf, type Measurements, type MeasureOptions, timeEach } from './measurements.ts';
import { type BenchQuery, makeQueries, type QueryClass } from './queries.ts';

const attributes = ['id', 'name', 'folder', 'library', 'category', 'group', 'status', 'tags', 'size', 'mtime', 'body'];
const index = '/indexes/catalog_bench';

/** Measures wall time and the server's own time. Replaces the index `catalog_bench`. */
export async function measureMeilisearch({ size }: MeasureOptions): Promise<Measurements> {
  const result = await withMeilisearch(async (call): Promise<Measurements> => {
    // Deleting an index that does not exist is a failed task.
    await waitForTask(call, await call('DELETE', index)).catch(() => {});
    await waitForTask(call, await call('POST', '/indexes', { uid: 'catalog_bench', primaryKey: 'id' }));
    const settings = {
      searchableAttributes: ['name', 'folder', 'body'],
      // Facet search and comparisons are switched off where no query needs them, which the documentation recommends for speed.
      filterableAttributes: [
        {
          attributePatterns: ['library', 'category', 'group', 'status', 'tags'],
          features: { facetSearch: false, filter: { equality: true, comparison: false } },
        },
      ],
      sortableAttributes: ['mtime'],
      displayedAttributes: ['id'],
      faceting: { maxValuesPerFacet: 300 },
    };
    await waitForTask(call, await call('PATCH', `${index}/settings`, settings));
    const start = performance.now();
    let last = {};
    for (const records of recordBatches(size, 20_000)) {
      const documents = records.map((record) => Object.fromEntries(attributes.map((name) => [name, record[name as keyof typeof record]])));
      last = await call('POST', `${index}/documents`, documents);
    }
    await waitForTask(call, last);
    const serverTimes: NonNullable<Measurements['serverTimes']> = {};
    const measured: Measurements = { classes: {}, serverTimes, docsPerSecond: (size / (performance.now() - start)) * 1000 };
    let serverMs = 0;
    const search = async (body: Record<string, unknown>) => {
      const response = await call('POST', `${index}/search`, { limit: 20, attributesToRetrieve: ['id'], ...body });
      serverMs = response.processingTimeMs ?? Number.NaN;
      return response.estimatedTotalHits ?? 0;
    };
    const inNames = { attributesToSearchOn: ['name', 'folder'], matchingStrategy: 'all' };
    const searches: Partial<Record<QueryClass, (query: BenchQuery) => Promise<number>>> = {
      'one word': ({ text }) => search({ q: text, ...inNames }),
      'two words': ({ text }) => search({ q: text, ...inNames }),
      prefix: ({ text }) => search({ q: text, ...inNames }),
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
    for (const [name, run] of Object.entries(searches) as [QueryClass, (query: BenchQuery) => Promise<number>][]) {
      const best = new Map<BenchQuery, number>();
      const timed = async (query: BenchQuery) => {
        const total = await run(query);
        best.set(query, Math.min(best.get(query) ?? Number.POSITIVE_INFINITY, serverMs));
        return total;
      };
      measured.classes[name] = await timeEach(queries[name], timed);
      serverTimes[name] = latencyOf([...best.values()]);
    }
    return measured;
  });
  return result ?? { classes: {}, skipped: noMeilisearch };
}
