import { setTimeout as sleep } from 'node:timers/promises';
import { recordBatches } from './corpus.ts';
import type { Figures, Task } from './figures.ts';
import { type ClassName, makeQuestions, type Question } from './questions.ts';
import { timeEach } from './timing.ts';

/** A Meilisearch server named by BENCH_MEILISEARCH_URL (and BENCH_MEILISEARCH_KEY); its index `catalog_bench` is made anew. */
export async function runMeilisearch({ size }: Task): Promise<Figures> {
  const address = process.env['BENCH_MEILISEARCH_URL'];
  if (address === undefined) return { classes: {}, skipped: 'BENCH_MEILISEARCH_URL names no server' };
  const key = process.env['BENCH_MEILISEARCH_KEY'];
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, address), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (!response.ok && response.status !== 404) throw new Error(`Meilisearch answered ${response.status} to ${method} ${path}.`);
    return (await response.json()) as { taskUid?: number; status?: string; estimatedTotalHits?: number };
  };
  const settle = async ({ taskUid }: { taskUid?: number }) => {
    for (;;) {
      const { status } = await call('GET', `/tasks/${taskUid}`);
      if (status !== 'enqueued' && status !== 'processing') return;
      await sleep(50);
    }
  };
  const index = '/indexes/catalog_bench';
  await settle(await call('DELETE', index));
  await settle(await call('POST', '/indexes', { uid: 'catalog_bench', primaryKey: 'id' }));
  await settle(
    await call('PATCH', `${index}/settings`, {
      searchableAttributes: ['name', 'folder', 'body'],
      filterableAttributes: ['library', 'category', 'group', 'status', 'tags'],
      sortableAttributes: ['mtime'],
    }),
  );
  const start = performance.now();
  let last: { taskUid?: number } = {};
  for (const records of recordBatches(size, 20_000)) last = await call('POST', `${index}/documents`, records);
  await settle(last);
  const figures: Figures = { classes: {}, docsPerSecond: (size / (performance.now() - start)) * 1000 };
  const search = async (body: Record<string, unknown>) =>
    (await call('POST', `${index}/search`, { limit: 20, ...body })).estimatedTotalHits ?? 0;
  const names = { attributesToSearchOn: ['name', 'folder'] };
  const asks: Partial<Record<ClassName, (question: Question) => Promise<number>>> = {
    'one word': ({ text }) => search({ q: text, ...names }),
    'two words': ({ text }) => search({ q: text, matchingStrategy: 'all', ...names }),
    prefix: ({ text }) => search({ q: text, matchingStrategy: 'all', ...names }),
    'one typo': ({ text }) => search({ q: text, ...names }),
    'all fields': ({ text }) => search({ q: text, matchingStrategy: 'all' }),
    'filter + 4 facets': ({ text }) =>
      search({ q: text, filter: 'status = active', facets: ['library', 'category', 'group', 'tags'], ...names }),
    'browse + 60 values': () => search({ q: '', filter: 'status = active', facets: ['library', 'category', 'group'] }),
    'browse + 300 tags': () => search({ q: '', filter: 'status = active', facets: ['tags'] }),
    'sort + filter': ({ library, category }) =>
      search({ q: '', filter: ['status = active', `library = ${library}`, `category = ${category}`], sort: ['mtime:desc'] }),
  };
  const questions = makeQuestions(size);
  for (const [name, ask] of Object.entries(asks)) figures.classes[name as ClassName] = await timeEach(questions[name as ClassName], ask);
  return figures;
}
