import { readFileSync } from 'node:fs';
import { itemsSchema } from '../../server/src/search/documents/index.ts';
import { openOpenSearchReader, openOpenSearchWriter } from '../../server/src/search/engines/opensearch/index.ts';
import { indexText, parseQuery } from '../../server/src/search/language/index.ts';
import { settingsForTests } from '../../server/src/settings/index.ts';
import { type OpenSearchCluster, startOpenSearch } from '../../server/test/opensearch-server.ts';
import type { NamedFile } from '../relevance/corpus.ts';
import { documentOf as documentOfFile, type SearchSystem } from '../relevance/systems.ts';
import { recordBatches } from '../search/corpus.ts';
import { documentOf, engineQuery, schema } from '../search/engine.ts';
import { latencyOf, type Measurements, type MeasureOptions, timeEach } from '../search/measurements.ts';
import { type BenchQuery, makeQueries, queryClasses } from '../search/queries.ts';

const jars = process.env['OPENSEARCH_LIB'];
const noOpenSearch = 'Java 17 or Maven is not installed (Debian: apt-get install default-jdk-headless maven)';

const settingsFor = (server: OpenSearchCluster) =>
  settingsForTests({ SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: String(server.urls[0]), SVC_SEARCH_CUTOFF_MS: '60000' });

/** One node with 1 GB of heap, through the adapter of the service. Measures wall time and the server's own time. */
export async function measureOpenSearch({ size }: MeasureOptions): Promise<Measurements> {
  if (!jars) return { classes: {}, skipped: noOpenSearch };
  const server = await startOpenSearch(jars, { heap: '1g', optimize: true });
  try {
    const settings = settingsFor(server);
    const writer = openOpenSearchWriter(settings, schema);
    const reader = openOpenSearchReader(settings, schema);
    let generating = 0;
    async function* pages() {
      const batches = recordBatches(size)[Symbol.iterator]();
      for (;;) {
        const start = performance.now();
        const { value, done } = batches.next();
        generating += performance.now() - start;
        if (done) return;
        yield value.map(documentOf);
      }
    }
    const start = performance.now();
    await writer.rebuild(pages());
    const serverTimes: NonNullable<Measurements['serverTimes']> = {};
    const result: Measurements = {
      classes: {},
      serverTimes,
      docsPerSecond: (size / (performance.now() - start - generating)) * 1000,
      diskBytes: (await reader.stats()).storeBytes,
    };
    const queries = makeQueries(size);
    for (const name of queryClasses) {
      const best = new Map<BenchQuery, number>();
      result.classes[name] = await timeEach(queries[name], async (query) => {
        const { total, tookMs } = await reader.search(engineQuery(name, query));
        best.set(query, Math.min(best.get(query) ?? Number.POSITIVE_INFINITY, tookMs));
        return total;
      });
      serverTimes[name] = latencyOf([...best.values()]);
    }
    result.bytesPerDocument = server.pids().reduce((sum, pid) => sum + residentBytes(pid), 0) / size;
    return result;
  } finally {
    await server.close();
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/** The files of the relevance questions with the schema, query language and order of GET /search. Null without Java. */
export async function openOpenSearch(files: readonly NamedFile[]): Promise<SearchSystem | null> {
  if (!jars) return null;
  const server = await startOpenSearch(jars, { heap: '1g', optimize: true });
  const settings = settingsFor(server);
  async function* pages() {
    for (let from = 0; from < files.length; from += 5000) yield files.slice(from, from + 5000).map(documentOfFile);
  }
  await openOpenSearchWriter(settings, itemsSchema).rebuild(pages());
  const reader = openOpenSearchReader(settings, itemsSchema);
  return {
    async search(line) {
      const text = indexText(parseQuery(line, { now: new Date(), typing: true }));
      const { hits } = await reader.search({ text, tieBreak: { field: 'mtime_sort', order: 'desc' }, limit: 10 });
      return hits.map(({ id }) => Number(id));
    },
    close: server.close,
  };
}
