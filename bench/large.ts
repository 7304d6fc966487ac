import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { connect, type Database, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { allDocuments } from '../server/src/search/documents/index.ts';
import { openSearchWriter } from '../server/src/search/engines/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { loadItems } from './api/load.ts';
import { prepareReports } from './insight/load.ts';
import { type Measured, measureRequests } from './large/requests.ts';
import type { Bench, Row } from './row.ts';

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const run = promisify(execFile);
const maxRatio = 5;
/** Writes the items into BENCH_DATA and measures nothing else, which a later run does when the machine has nothing else to do. */
const onlyLoad = process.env['BENCH_PARTS'] === 'load';
const maxColdStartSeconds = 10;
const maxItemBytes = 350;

interface Stage {
  loadedPerSecond: number | null;
  indexedPerSecond: number;
  indexBytes: number;
  measured: Measured;
}

/**
 * Ten million items in one database, and a tenth of them before that for comparison: writing, indexing, the first response after a start
 * with cold disk caches, searches, browsing and reports over HTTP, and a backup by the real command. With BENCH_DATA the database stays in
 * that folder; a later run measures it as it is, without the smaller size. BENCH_PARTS=load only fills it, or goes on with what an earlier
 * run has not settled.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(10_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-large-'));
  const kept = process.env['BENCH_DATA'];
  const server = await startEmbedded({ folder: join(kept ?? folder, 'postgres'), durable: false, settings: { shared_buffers: '2GB' } });
  const { host, port, user, password } = server;
  const database = connect({ host, port, user, password, database: server.database });
  try {
    await migrate(database.pool);
    const { rows: found } = await sql`select from items limit 1`.execute(database.db);
    if (onlyLoad)
      return { rows: [plain('items written, with their totals', await load(database, found.length === 0 ? 0 : size, size), '/s')] };
    const measureStage = async (from: number, to: number): Promise<Stage> => {
      const loadedPerSecond = from < to ? await load(database, from, to) : null;
      const { rate, bytes } = await buildIndex(database, folder, to);
      return { loadedPerSecond, indexedPerSecond: rate, indexBytes: bytes, measured: await measureRequests(database, folder, to) };
    };
    const small = found.length === 0 ? await measureStage(0, size / 10) : null;
    const large = await measureStage(found.length === 0 ? size / 10 : size, size);
    const backup = await measureBackup(folder, {
      SVC_DATABASE_URL: `postgres://${user}:${password}@localhost/${server.database}?host=${encodeURIComponent(host)}&port=${port}`,
    });
    const { rows: sizes } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(database.db);
    const databaseBytes = Number(sizes[0]?.bytes);
    return { rows: [...rowsOf(small, large, size), ...backup, plain('database', databaseBytes / size, 'B/item')] };
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

/** Items per second, with all triggers, and with what maintenance tasks settle afterwards. */
async function load({ db }: Database, from: number, to: number): Promise<number> {
  console.error(`large: writing items ${from} to ${to} …`);
  const started = performance.now();
  await loadItems(db, to, { content: 'reports', from });
  await prepareReports(db);
  await sql`truncate index_outbox`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  return ((to - from) / (performance.now() - started)) * 1000;
}

async function buildIndex({ db }: Database, folder: string, size: number): Promise<{ rate: number; bytes: number }> {
  console.error(`large: indexing ${size} items …`);
  const started = performance.now();
  const writer = openSearchWriter(settingsForTests({ SVC_CONFIG_DIR: folder }));
  await writer.rebuild(allDocuments(db, 2000));
  await writer.close();
  return { rate: (size / (performance.now() - started)) * 1000, bytes: await bytesBelow(join(folder, 'index')) };
}

async function measureBackup(folder: string, address: Record<string, string>): Promise<Row[]> {
  console.error('large: backup …');
  // No pg_dump beside the rows: the command finds none.
  const env = { PATH: '/nonexistent', SVC_CONFIG_DIR: folder, SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0', ...address };
  const started = performance.now();
  await run(process.execPath, [main, 'backup'], { env, maxBuffer: 2 ** 20 });
  const seconds = (performance.now() - started) / 1000;
  return [plain('backup', seconds, 's'), plain('backup on disk', (await bytesBelow(join(folder, 'backups'))) / 1e6, 'MB')];
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

function rowsOf(small: Stage | null, large: Stage, size: number): Row[] {
  const rate = (name: string, read: (stage: Stage) => number | null): Row[] => {
    const value = read(large);
    const before = small === null ? null : read(small);
    return value === null ? [] : [{ ...plain(name, value, '/s'), ...compared(value, before, '/s') }];
  };
  const coldStart = large.measured.coldStartSeconds;
  const itemBytes = large.measured.indexBytes / size;
  return [
    ...rate('items written, with their totals', ({ loadedPerSecond }) => loadedPerSecond),
    ...rate('index built from the database', ({ indexedPerSecond }) => indexedPerSecond),
    plain('index on disk', large.indexBytes / size, 'B/item'),
    {
      ...plain('first response of a search after a cold start', coldStart, 's'),
      limit: `at most ${maxColdStartSeconds} s`,
      ok: coldStart <= maxColdStartSeconds,
      detail: large.measured.cachesDropped ? 'disk caches dropped before' : 'disk caches could not be dropped',
    },
    plain('memory of the app, peak', large.measured.peakBytes / 1e6, 'MB'),
    {
      ...plain('memory of the index and of searches in it, for an item', itemBytes, 'B'),
      limit: `at most ${maxItemBytes} B`,
      ok: itemBytes <= maxItemBytes,
    },
    ...large.measured.requests.map(({ name, latency }): Row => {
      const before = small?.measured.requests.find((each) => each.name === name)?.latency.p95 ?? null;
      const isSearch = name.startsWith('search');
      return {
        ...plain(`${name}, p95`, latency.p95, 'ms'),
        ...compared(latency.p95, before, ' ms'),
        limit: isSearch ? `at most ${maxRatio} x a tenth of the items` : '',
        ok: !isSearch || before === null || latency.p95 <= maxRatio * before,
        detail: `p50 ${round(latency.p50)} ms, ${latency.count} requests`,
      };
    }),
  ];
}

const compared = (value: number, before: number | null, unit: string): Pick<Row, 'peer' | 'ratio'> =>
  before === null ? { peer: '', ratio: null } : { peer: `${round(before)}${unit} with a tenth of the items`, ratio: round(value / before) };

const plain = (name: string, value: number, unit: string): Row => ({
  name,
  value: round(value),
  unit,
  peer: '',
  ratio: null,
  limit: '',
  ok: true,
});

const round = (value: number): number => Number(value.toPrecision(3));
