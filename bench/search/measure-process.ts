/** One contender in a process of its own, so that its memory and its collector are its own. Arguments: name, size, directory. */
import type { Figures, Task } from './figures.ts';

const contenders: Record<string, (task: Task) => Promise<Figures>> = {
  'engine-build': async (task) => (await import('./engine-side.ts')).buildEngine(task),
  engine: async (task) => (await import('./engine-side.ts')).askEngine(task),
  fts5: async (task) => (await import('./fts5.ts')).runFts5(task),
  postgres: async (task) => (await import('./postgres.ts')).runPostgres(task),
  meilisearch: async (task) => (await import('./meilisearch.ts')).runMeilisearch(task),
};

const [name = '', size = '0', directory = ''] = process.argv.slice(2);
const figures = await contenders[name]!({ size: Number(size), directory });
process.send?.(figures, undefined, undefined, () => process.disconnect());
