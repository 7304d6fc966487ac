import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './row.ts';
import type { Figures } from './search/figures.ts';
import { tableOf } from './search/table.ts';

/**
 * The engine beside SQLite FTS5, PostgreSQL and, where BENCH_MEILISEARCH_URL names one, Meilisearch: the same million file records
 * and the same questions for all. BENCH_PEERS (a list such as `fts5,postgres`, or `none`) chooses who runs beside it; above a million
 * documents nobody does unless it says so.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const directory = await mkdtemp(join(tmpdir(), 'bench-search-'));
  const wanted = (process.env['BENCH_PEERS'] ?? (scale > 1 ? 'none' : 'fts5,postgres,meilisearch')).split(',');
  const notes: string[] = [
    `${size.toLocaleString('en')} documents; each question three times, the best counts; p95 over the questions of a class`,
  ];
  const peer = async (name: string): Promise<Figures | undefined> => {
    if (!wanted.includes(name)) return undefined;
    const figures = await run(name, size, directory).catch((error: Error) => ({ classes: {}, skipped: error.message }));
    if ('skipped' in figures && figures.skipped !== undefined) notes.push(`${name} did not run: ${figures.skipped}`);
    return figures;
  };
  try {
    const built = await run('engine-build', size, join(directory, 'engine'));
    const asked = await run('engine', size, join(directory, 'engine'));
    await rm(join(directory, 'engine'), { recursive: true, force: true });
    const engine = { ...asked, docsPerSecond: built.docsPerSecond, docsPerCpuSecond: built.docsPerCpuSecond, diskBytes: built.diskBytes };
    const contenders = { engine, fts5: await peer('fts5'), postgres: await peer('postgres'), meilisearch: await peer('meilisearch') };
    const rate = contenders.postgres?.docsPerSecond;
    if (rate !== undefined) notes.push(`PostgreSQL built ${Math.round(rate)} docs/s`);
    return { rows: tableOf(contenders, size), notes };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

function run(name: string, size: number, directory: string): Promise<Figures> {
  console.error(`search: ${name} at ${size} documents …`);
  const child = fork(new URL('search/contender.ts', import.meta.url), [name, String(size), directory], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}`)));
  });
}

export default bench;
