import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { applyBatch } from '../server/src/fleet/replication/service.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { connect, type Database, type Db, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { silentLog } from '../server/src/platform/log/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { benchFirstScan } from './fleet/first-scan.ts';
import { benchReconcile } from './fleet/reconcile.ts';
import { benchSimulated } from './fleet/simulated.ts';
import type { Bench, Row } from './row.ts';

const agents = 50;
const batchSize = 1000;
/** Parts to measure: replication, reconcile, scan, simulated. */
const parts = (process.env['BENCH_PARTS'] ?? 'replication,reconcile,scan,simulated').split(',');

/**
 * The first scan of an agent beside one of the service; replication of 50 agents into PostgreSQL, four batches at a time as in the service,
 * compared with one statement per file; reconcile; and thousands of simulated agents. BENCH_PARTS chooses among them.
 */
const bench: Bench = async ({ scale }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-fleet-'));
  const server = await startEmbedded({ folder });
  const database = connect({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
  });
  const { db } = database;
  try {
    await migrate(database.pool);
    const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
    const rows: Row[] = [];
    if (parts.includes('replication')) rows.push(await replicationRow(database, scale));
    if (parts.includes('reconcile'))
      rows.push(...(await benchReconcile(db, folder, await addAgent(db, 'compared'), Math.max(20_000, Math.round(1_000_000 * scale)))));
    if (parts.includes('scan')) rows.push(...(await benchFirstScan(db, address, folder, Math.max(1000, Math.round(100_000 * scale)))));
    if (parts.includes('simulated')) {
      const databaseUrl = `postgresql://${server.user}:${server.password}@localhost/${server.database}?host=${encodeURIComponent(server.host)}&port=${server.port}`;
      rows.push(...(await benchSimulated(db, databaseUrl, folder, Math.max(20, Math.round(10_000 * scale)))));
    }
    return { rows };
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

async function replicationRow(database: Database, scale: number): Promise<Row> {
  const { db } = database;
  const deps = { db, database, settings: settingsForTests({}), log: silentLog, clock: systemClock };
  const ids: string[] = [];
  for (let n = 0; n < agents; n += 1) ids.push(await addAgent(db, `agent ${n}`));
  const batches = Math.max(1, Math.round(4 * scale));
  const waiting = [...ids];
  const started = performance.now();
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id; id = waiting.shift())
      for (let batch = 0; batch < batches; batch += 1)
        await applyBatch(deps, { id } as Parameters<typeof applyBatch>[1], entries(1 + batch * batchSize));
  };
  await Promise.all([work(), work(), work(), work()]);
  const rate = (agents * batches * batchSize) / ((performance.now() - started) / 1000);
  const memory = Math.round(process.memoryUsage().rss / 1e6);
  const peer = await oneByOne(db, Math.max(200, Math.round(2000 * scale)));
  return {
    name: `replication of ${agents} agents`,
    value: Math.round(rate),
    unit: 'entries/s',
    peer: `one statement per file ${Math.round(peer)} entries/s`,
    ratio: Math.round((rate / peer) * 100) / 100,
    limit: 'at least 20,000',
    ok: rate >= 20_000,
    detail: `${memory} MB resident after ${agents * batches} batches`,
  };
}

async function addAgent(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`insert into agents (name, hostname, platform, cert_fingerprint) values (${name}, ${name}, 'linux', ${name})
    returning id`.execute(db);
  return String(rows[0]?.id);
}

function entries(first: number): unknown[] {
  return Array.from({ length: batchSize }, (_, n) => ({
    seq_no: first + n,
    event_type: 'created',
    library_ref: '/data',
    rel_path: `folder ${Math.floor((first + n) / 100)}/file ${first + n}.jpg`,
    size: 1000 + n,
    mtime_ns: '1700000000000000000',
    inode: String(first + n),
    quick_hash: (first + n).toString(16).padStart(16, '0'),
    content_hash: (first + n).toString(16).padStart(64, '0'),
    policy_version: 'h1:full',
    initial: true,
  }));
}

async function oneByOne(db: Db, count: number): Promise<number> {
  const { rows } = await sql<{ library_id: string; folder_id: number }>`select library_id, folder_id from items limit 1`.execute(db);
  const started = performance.now();
  for (let n = 0; n < count; n += 1)
    await sql`insert into items (library_id, folder_id, filename, size, mtime_ns) values (${rows[0]?.library_id}, ${rows[0]?.folder_id},
      ${String(n)}, 1, 1)`.execute(db);
  return count / ((performance.now() - started) / 1000);
}
