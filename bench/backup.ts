import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { connectionVariables } from '../server/src/operations/backup/pg-dump.ts';
import { connect, type DatabaseAddress, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { createClient } from './api/client.ts';
import { loadItems } from './api/load.ts';
import { createServiceKey, startApp } from './api/service.ts';
import { prepareReports } from './insight/load.ts';
import type { Bench, Row } from './row.ts';

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const run = promisify(execFile);
const searches = ['/items?limit=50', '/items?limit=50&sort=-size', '/reports/largest_files?limit=50'];

/**
 * Backup and verification of a million items by the real command, compared with pg_dump and pg_restore of the same database (PG_DUMP, or the
 * ones in PATH), and the response times of the service meanwhile.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), settings: { shared_buffers: '1GB' } });
  const { host, port, user, password } = server;
  const address = { host, port, user, password, database: server.database };
  const database = connect(address);
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    await loadItems(database.db, size);
    await prepareReports(database.db);
    await sql`checkpoint`.execute(database.db);
    const started = await startApp(address, folder);
    app = started.app;
    const ask = createClient(started.url, await createServiceKey(database.db));
    const quiet = await latencyDuring(ask, new Promise((resolve) => setTimeout(resolve, 10_000)));

    const peer = await timePgDump(address, folder);
    const url = `postgres://${user}:${password}@localhost/${server.database}?host=${encodeURIComponent(host)}&port=${port}`;
    // No pg_dump beside the rows: the command finds none.
    const env = {
      PATH: '/nonexistent',
      SVC_CONFIG_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_DISK_MIN_FREE_GB: '0',
      SVC_DISK_MIN_PCT_FREE: '0',
    };
    const command = async (...args: string[]) => run(process.execPath, [main, ...args], { env, maxBuffer: 2 ** 20 });
    const backup = await timed(() => latencyDuring(ask, command('backup')));
    const [name = ''] = (await readdir(join(folder, 'backups'))).filter((each) => /^catalog-/.test(each));
    const verify = await timed(() => latencyDuring(ask, command('backup', 'verify', name)));
    const rows: Row[] = [
      {
        name: `backup of ${size.toLocaleString('en')} items`,
        value: round(backup.seconds),
        unit: 's',
        peer: peer ? `${round(peer.dump)} s pg_dump -Fc` : 'no pg_dump of version 18 or newer: set PG_DUMP',
        ratio: peer ? round(backup.seconds / peer.dump) : null,
        limit: 'at most pg_dump -Fc',
        ok: !peer || backup.seconds <= peer.dump,
      },
      {
        name: 'verification: restore into a temporary database, compare every row, check',
        value: round(verify.seconds),
        unit: 's',
        peer: peer ? `${round(peer.restore)} s pg_restore` : '',
        ratio: peer ? round(verify.seconds / peer.restore) : null,
        limit: 'at most twice pg_restore',
        ok: !peer || verify.seconds <= 2 * peer.restore,
      },
      responsiveness('during the backup', backup.result, quiet),
      responsiveness('during the verification', verify.result, quiet),
    ];
    return { rows, notes: ['The service answers one caller meanwhile, in a process of its own.'] };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

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

/** p99 in milliseconds of requests one after the other until the work is done. */
async function latencyDuring(ask: (path: string) => Promise<number>, work: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  for (let turn = 0; !done; turn += 1) {
    const start = performance.now();
    await ask(searches[turn % searches.length] ?? '');
    times.push(performance.now() - start);
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
