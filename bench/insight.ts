import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { reports } from '../server/src/insight/reports/index.ts';
import { connect, type Db, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { workerNodeFlags } from '../server/src/platform/processes.ts';
import { createClient } from './api/client.ts';
import { loadItems } from './api/load.ts';
import { createServiceKey, startApp } from './api/service.ts';
import { exportRows, sheetSplitRow } from './insight/exports.ts';
import { prepareReports } from './insight/load.ts';
import { similarRows } from './insight/similar.ts';
import type { Bench, Row } from './row.ts';
import { timeEach } from './search/measurements.ts';

/** Reports from kept totals have a lower limit than the others. */
const fromTotals = new Set(['library_totals', 'kinds', 'largest_folders']);
const turns = 20;
/** Parts to measure, for a machine on which all of them would take too long: reports, exports, similar. */
const parts = (process.env['BENCH_PARTS'] ?? 'reports,exports,similar').split(',');

/** Other requests about many items: the folder tree, and the totals and the first groups of a cleanup plan. */
const requests = [
  { name: 'folder tree', path: '/reports/folder-tree', limit: 50 },
  { name: 'first groups of a cleanup plan', path: '/duplicates/groups?limit=50', limit: 300 },
  { name: 'totals of a cleanup plan', path: '/duplicates/plan', limit: 300 },
];

/**
 * Every report of a million items, and the export of all of them, compared with psql writing the same rows. With BENCH_DATA the database
 * stays in that folder, and the next run uses it as it is. BENCH_PARTS chooses among reports, exports and similar.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const kept = process.env['BENCH_DATA'];
  const folder = await mkdtemp(join(tmpdir(), 'bench-insight-'));
  const server = await startEmbedded({ folder: join(kept ?? folder, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address);
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    const { rows: found } = await sql`select from items limit 1`.execute(database.db);
    if (found.length === 0) {
      await loadItems(database.db, size, { content: 'reports' });
      await prepareReports(database.db);
    }
    await createRoots(database.db, join(folder, 'media'));
    const settings = { SVC_EXPORT_DIRECT_MAX_ROWS: '100000000', SVC_AUDIT_READS: 'false' };
    // Exports of this size run in a worker.
    const started = await startApp(address, folder, { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) }, workerNodeFlags);
    app = started.app;
    const key = await createServiceKey(database.db);
    const client = createClient(started.url, key);
    const measure = async (name: string, path: string, limit: number, prepare?: () => Promise<void>): Promise<Row> => {
      await client(path);
      const times = await timeEach(
        Array.from({ length: turns }, () => path),
        async (each) => {
          await prepare?.();
          return client(each);
        },
        10_000,
      );
      return {
        name: `${name}, p95`,
        value: round(times.p95),
        unit: 'ms',
        peer: '',
        ratio: null,
        limit: `at most ${limit} ms`,
        ok: times.p95 <= limit,
        detail: `p50 ${round(times.p50)} ms, ${times.count} runs${Number.isNaN(times.hits) ? '' : `, ${Math.round(times.hits)} rows`}`,
      };
    };
    const rows: Row[] = [];
    for (const { id } of parts.includes('reports') ? reports : [])
      rows.push(await measure(`report ${id}, first page`, `/reports/${id}?limit=100`, fromTotals.has(id) ? 50 : 300));
    for (const { name, path, limit } of parts.includes('reports') ? requests : []) rows.push(await measure(name, path, limit));
    if (parts.includes('reports'))
      rows.push(
        await measure('totals of a cleanup plan after a change', '/duplicates/plan', 1000, async () => {
          await sql`update items set nlink = nlink where id = (select item_id from duplicate_members limit 1)`.execute(database.db);
        }),
      );
    if (parts.includes('exports'))
      rows.push(...(await exportRows(app, started.url, key, address, folder)), await sheetSplitRow(folder, scale));
    if (parts.includes('similar')) rows.push(...(await similarRows(folder, scale)));
    return { rows, notes: [`${size.toLocaleString('en')} items; every report is read over HTTP by one caller who sees everything`] };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A cleanup plan decides nothing about files of libraries whose folder is not there. */
async function createRoots(db: Db, media: string): Promise<void> {
  for (const { id } of await db.selectFrom('libraries').select('id').execute()) {
    const root = join(media, id);
    await mkdir(root, { recursive: true });
    await db.updateTable('libraries').set({ root_path: root }).where('id', '=', id).execute();
  }
}

const round = (value: number): number => Number(value.toPrecision(3));

export default bench;
