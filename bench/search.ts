import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './row.ts';
import type { Measurements } from './search/measurements.ts';
import { searchRows } from './search/rows.ts';

/**
 * Compares the engine with SQLite FTS5, PostgreSQL and, if it is installed or BENCH_MEILISEARCH_URL is set, Meilisearch: the same million
 * file records and the same queries for all. BENCH_PEERS chooses the peers (a list such as `fts5,postgres`, or `none`). Above a million documents, the default
 * is none.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const directory = await mkdtemp(join(tmpdir(), 'bench-search-'));
  const chosen = (process.env['BENCH_PEERS'] ?? (scale > 1 ? 'none' : 'fts5,postgres,meilisearch')).split(',');
  const notes: string[] = [`${size.toLocaleString('en')} documents; best of three runs per query; p95 over the queries of a class`];
  const measurePeer = async (name: string): Promise<Measurements | undefined> => {
    if (!chosen.includes(name)) return undefined;
    const result: Measurements = await measure(name, size, directory).catch((error: Error) => ({ classes: {}, skipped: error.message }));
    if (result.skipped !== undefined) notes.push(`${name} was not measured: ${result.skipped}`);
    return result;
  };
  try {
    const built = await measure('engine-build', size, join(directory, 'engine'));
    const searched = await measure('engine', size, join(directory, 'engine'));
    await rm(join(directory, 'engine'), { recursive: true, force: true });
    const engine = {
      ...searched,
      docsPerSecond: built.docsPerSecond,
      docsPerCpuSecond: built.docsPerCpuSecond,
      diskBytes: built.diskBytes,
    };
    const fts5 = await measurePeer('fts5');
    const postgres = await measurePeer('postgres');
    const meilisearch = await measurePeer('meilisearch');
    const rate = postgres?.docsPerSecond;
    if (rate !== undefined) notes.push(`PostgreSQL indexed ${Math.round(rate)} docs/s`);
    return { rows: searchRows({ engine, fts5, postgres, meilisearch }, size), notes };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

function measure(name: string, size: number, directory: string): Promise<Measurements> {
  console.error(`search: ${name} at ${size} documents …`);
  const child = fork(new URL('search/measure-process.ts', import.meta.url), [name, String(size), directory], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as Measurements));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} exited with code ${code}`)));
  });
}

export default bench;
