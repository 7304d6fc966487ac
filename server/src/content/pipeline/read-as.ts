import { chooseReader as chooseByBytes, type FileJob, findExtractor, type ReadAs, type SandboxPool } from '@catalog/readers';
import { loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** How a file of a category is read, by the current taxonomy. */
export async function chooseReader(
  { db, pool, sniffBytes }: { db: Db; pool: SandboxPool; sniffBytes: number },
  job: FileJob,
  category: string,
  signal: AbortSignal,
): Promise<ReadAs | 'stopped'> {
  // Most extensions have a reader of their own and need no query.
  const live = findExtractor(job.extension) ? null : await loadTaxonomy(db);
  const extractorOf = (extension: string) => live?.extractors.get(live.map.get(extension)?.category ?? '');
  return chooseByBytes({ pool, sniffBytes, extractorOf }, job, live?.extractors.get(category), signal);
}
