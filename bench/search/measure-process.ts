/** Measures one search system in its own process, so that the memory and garbage of others do not count. Arguments: name, size, directory. */
import type { Measurements, MeasureOptions } from './measurements.ts';

const systems: Record<string, (options: MeasureOptions) => Promise<Measurements>> = {
  'engine-build': async (options) => (await import('./engine.ts')).buildIndex(options),
  engine: async (options) => (await import('./engine.ts')).measureEngine(options),
  fts5: async (options) => (await import('./fts5.ts')).measureFts5(options),
  postgres: async (options) => (await import('./postgres.ts')).measurePostgres(options),
  opensearch: async (options) => (await import('../engines/opensearch.ts')).measureOpenSearch(options),
  meilisearch: async (options) => (await import('./meilisearch.ts')).measureMeilisearch(options),
};

const [name = '', size = '0', directory = ''] = process.argv.slice(2);
const measure = systems[name];
if (measure === undefined) throw new Error(`Unknown search system "${name}".`);
process.send?.(await measure({ size: Number(size), directory }), undefined, undefined, () => process.disconnect());
