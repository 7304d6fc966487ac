import { startMeilisearch } from '../../server/test/meilisearch-server.ts';
import { createMeilisearchClient, type MeilisearchClient } from './client.ts';

/** Why the server could not be used, for the notes of a benchmark. */
export const noMeilisearch = 'neither BENCH_MEILISEARCH_URL nor a meilisearch program (MEILISEARCH_BIN, CATALOG_TOOLS or PATH) was found';

/** Runs the work with the server at BENCH_MEILISEARCH_URL (key BENCH_MEILISEARCH_KEY), or else with one started for it. Null if there is none. */
export async function withMeilisearch<T>(work: (call: MeilisearchClient) => Promise<T>): Promise<T | null> {
  const address = process.env['BENCH_MEILISEARCH_URL'];
  const program = process.env['MEILISEARCH_BIN'];
  if (address === undefined && program === undefined) return null;
  const own = address === undefined ? await startMeilisearch(program ?? '') : null;
  const call = createMeilisearchClient(own?.url ?? address ?? '', own?.key ?? process.env['BENCH_MEILISEARCH_KEY']);
  try {
    return await work(call);
  } finally {
    call.close();
    await own?.close();
  }
}
