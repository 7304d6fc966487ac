import { type ChildProcess, type ChildProcessByStdio, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { seed } from '../server/src/assembly/seed.ts';
import { connectionVariables } from '../server/src/operations/backup/pg-dump.ts';
import { connect, type Database, type DatabaseAddress, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { allDocuments } from '../server/src/search/documents/index.ts';
import { openSearchWriter } from '../server/src/search/engines/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { createClient } from './api/client.ts';
import { loadItems } from './api/load.ts';
import { createServiceKey, startApp } from './api/service.ts';
import type { Bench, Row } from './row.ts';
import { makeQueries } from './search/queries.ts';

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const run = promisify(execFile);
/** One person who searches: a request, then a short pause. Back-to-back requests would themselves load half of a small machine. */
const pauseMs = 20;

/**
 * Backup, restore and verification of a million items by the real command, compared with pg_dump and pg_restore of the same database
 * (PG_DUMP, or the ones in PATH), and the response times of searches meanwhile. With BENCH_DATA the database stays in that folder, and the
 * next run uses it as it is.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'));
  const kept = process.env['BENCH_DATA'];
  const server = await startEmbedded({ folder: join(kept ?? folder, 'postgres'), settings: { shared_buffers: '1GB' } });
  const { host, port, user, password } = server;
  const address = { host, port, user, password, database: server.database };
  const database = connect(address);
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    const { rows: found } = await sql`select from items limit 1`.execute(database.db);
    if (found.length === 0) {
      await seed(database.db);
      await loadItems(database.db, size, { content: 'consistent' });
      await sql`truncate index_outbox`.execute(database.db);
      await sql`vacuum analyze`.execute(database.db);
    }
    await sql`drop database if exists bench_target`.execute(database.db);
    await sql`checkpoint`.execute(database.db);
    const rebuild = await timed(() => buildIndex(database, folder));
    const started = await startApp(address, folder);
    app = started.app;
    const ask = createClient(started.url, await createServiceKey(database.db));
    const searches = makeQueries(size)['two words'].map(({ text }) => `/search?q=${encodeURIComponent(text)}&limit=50`);
    const during = (work: Promise<unknown>) => latencyDuring(ask, searches, work);
    await during(pause(3000));
    const quiet = await during(pause(10_000));

    const peer = await timePgDump(address, folder);
    const urlOf = (name: string) => `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
    // No pg_dump beside the rows: the command finds none.
    const env = { PATH: '/nonexistent', SVC_CONFIG_DIR: folder, SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0' };
    const command = async (name: string, config: string, ...args: string[]) =>
      run(process.execPath, [main, ...args], {
        env: { ...env, SVC_CONFIG_DIR: config, SVC_DATABASE_URL: urlOf(name) },
        maxBuffer: 2 ** 20,
      });
    const backup = await timed(() => during(command(server.database, folder, 'backup')));
    const [name = ''] = (await readdir(join(folder, 'backups'))).filter((each) => /^catalog-/.test(each));
    const verify = await timed(() => during(command(server.database, folder, 'backup', 'verify', name)));
    await sql`create database bench_target`.execute(database.db);
    const bundle = join(folder, 'backups', name);
    const restore = await timeRestore(() =>
      spawn(process.execPath, [main, 'restore', bundle, '--yes'], {
        env: { ...env, SVC_CONFIG_DIR: join(folder, 'target'), SVC_DATABASE_URL: urlOf('bench_target') },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const limit = peer ? 2 * peer.restore + rebuild.seconds : Number.POSITIVE_INFINITY;
    const rows: Row[] = [
      {
        name: `backup of ${size.toLocaleString('en')} items`,
        value: round(backup.seconds),
        unit: 's',
        peer: peer ? `${round(peer.dump)} s pg_dump -Fc` : noPeer,
        ratio: peer ? round(backup.seconds / peer.dump) : null,
        limit: 'at most pg_dump -Fc',
        ok: !peer || backup.seconds <= peer.dump,
      },
      {
        name: 'restore into an empty database, with the index',
        value: round(restore.seconds),
        unit: 's',
        peer: peer ? `${round(peer.restore)} s pg_restore, ${round(rebuild.seconds)} s index` : noPeer,
        ratio: peer ? round(restore.seconds / (peer.restore + rebuild.seconds)) : null,
        limit: 'at most twice pg_restore, plus the index',
        ok: restore.seconds <= limit,
      },
      {
        name: 'consistency check at the end of the restore',
        value: round(restore.check),
        unit: 's',
        peer: '',
        ratio: null,
        limit: '',
        ok: true,
      },
      {
        name: 'verification: restore into a temporary database, compare every row, check',
        value: round(verify.seconds),
        unit: 's',
        peer: '',
        ratio: null,
        limit: '',
        ok: true,
      },
      responsiveness('during the backup', backup.result, quiet),
      responsiveness('during the verification', verify.result, quiet),
    ];
    const sizes = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(database.db);
    return { rows, notes: [`database of ${Math.round((sizes.rows[0]?.bytes ?? 0) / 1e6)} MB; the service answers one caller meanwhile`] };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

const noPeer = 'no pg_dump of version 18 or newer: set PG_DUMP';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function buildIndex({ db }: Database, folder: string): Promise<void> {
  const writer = openSearchWriter(settingsForTests({ SVC_CONFIG_DIR: folder }));
  await writer.rebuild(allDocuments(db, 2000));
  await writer.close();
}

function responsiveness(when: string, p99: number, quiet: number): Row {
  return {
    name: `response time ${when}, p99`,
    value: round(p99),
    unit: 'ms',
    peer: `${round(quiet)} ms while quiet`,
    ratio: round(p99 / quiet),
    limit: 'at most twice as long',
    ok: p99 <= 2 * quiet,
  };
}

/** p99 in milliseconds of searches until the work is done. */
async function latencyDuring(ask: (path: string) => Promise<number>, searches: readonly string[], work: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  // Reported by the await below.
  ended.catch(() => {});
  for (let turn = 0; !done; turn += 1) {
    const start = performance.now();
    await ask(searches[turn % searches.length] ?? '');
    times.push(performance.now() - start);
    await pause(pauseMs);
  }
  await ended;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

/** The time until the index is complete, and that of the consistency check after it. */
async function timeRestore(start: () => ChildProcessByStdio<null, Readable, null>): Promise<{ seconds: number; check: number }> {
  const started = performance.now();
  const child = start();
  let [output, complete] = ['', Number.NaN];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (Number.isNaN(complete) && output.includes('Checking the consistency')) complete = performance.now();
  });
  const [code] = await once(child, 'close');
  if (code !== 0 || Number.isNaN(complete)) throw new Error(`The restore ended with ${code}: ${output.slice(-2000)}`);
  return { seconds: (complete - started) / 1000, check: (performance.now() - complete) / 1000 };
}

/** Null without a pg_dump that can read the server. */
async function timePgDump(address: DatabaseAddress, folder: string): Promise<{ dump: number; restore: number } | null> {
  const program = process.env['PG_DUMP'] ?? 'pg_dump';
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (Number(/\d+/.exec(version.stdout ?? '')?.[0] ?? 0) < 18) return null;
  const env = { PATH: process.env['PATH'], ...connectionVariables(address) };
  const file = join(folder, 'peer.dump');
  const { seconds: dump } = await timed(() => run(program, ['-Fc', '-f', file], { env }));
  const restorer = program === 'pg_dump' ? 'pg_restore' : join(dirname(program), 'pg_restore');
  const database = connect(address, { max: 1 });
  try {
    await database.pool.query('drop database if exists bench_restored');
    await database.pool.query('create database bench_restored');
    const { seconds: restore } = await timed(() => run(restorer, ['-d', 'bench_restored', file], { env }));
    return { dump, restore };
  } finally {
    await database.pool.query('drop database if exists bench_restored');
    await database.close();
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
