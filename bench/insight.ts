import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { reports } from '../server/src/insight/reports/index.ts';
import { connect, type DatabaseAddress, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { createClient } from './api/client.ts';
import { loadItems } from './api/load.ts';
import { createServiceKey, nextMessage, startApp } from './api/service.ts';
import { prepareReports } from './insight/load.ts';
import type { Bench, Row } from './row.ts';
import { timeEach } from './search/measurements.ts';

/** Reports from kept totals have a lower limit than the others. */
const fromTotals = new Set(['library_totals', 'kinds', 'largest_folders']);
const turns = 20;
/** How many times as long as psql an export may take. */
const factors = { csv: 3, ndjson: 3, xlsx: 8 } as const;
const maxGrowthMiB = 100;

/** Every report of a million items, and the export of all of them, compared with psql writing the same rows. */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-insight-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address);
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    await loadItems(database.db, size);
    await prepareReports(database.db);
    const settings = { SVC_EXPORT_DIRECT_MAX_ROWS: '100000000', SVC_AUDIT_READS: 'false' };
    const started = await startApp(address, folder, { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) });
    app = started.app;
    const key = await createServiceKey(database.db);
    const rows: Row[] = [];
    const client = createClient(started.url, key);
    for (const { id } of reports) {
      await client(`/reports/${id}?limit=100`);
      const times = await timeEach(
        Array.from({ length: turns }, () => `/reports/${id}?limit=100`),
        client,
        20_000,
      );
      const limit = fromTotals.has(id) ? 50 : 300;
      rows.push({
        name: `report ${id}, first page, p95`,
        value: round(times.p95),
        unit: 'ms',
        peer: '',
        ratio: null,
        limit: `at most ${limit} ms`,
        ok: times.p95 <= limit,
        detail: `p50 ${round(times.p50)} ms, ${times.count} runs, ${Math.round(times.hits)} rows`,
      });
    }
    rows.push(...(await exportRows(app, started.url, key, address, folder)));
    return { rows, notes: [`${size.toLocaleString('en')} items; every report is read over HTTP by one caller who sees everything`] };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** The rows of the export, as psql writes them. */
const sameRows = `select i.rel_path, l.name as library, to_timestamp(i.mtime_ns / 1000000000) as mtime, i.size, l.root_path || '/' || i.rel_path as path
  from items i join libraries l on l.id = i.library_id where i.status = 'active' and i.mtime_ns < extract(epoch from now()) * 1000000000 order by i.mtime_ns, i.id`;

async function exportRows(app: ChildProcess, url: string, key: string, address: DatabaseAddress, folder: string): Promise<Row[]> {
  const peer = await timePsql(address, folder);
  const found: Row[] = [];
  for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
    const before = await memoryOf(app);
    const start = performance.now();
    await download(`${url}/api/v1/reports/stale_files?threshold_days=1&format=${format}`, key, join(folder, `export.${format}`));
    const seconds = (performance.now() - start) / 1000;
    const grown = Math.round(((await memoryOf(app)) - before) / 2 ** 20);
    found.push({
      name: `export of all files as ${format.toUpperCase()}`,
      value: round(seconds),
      unit: 's',
      peer: peer === null ? 'psql is not installed' : `${round(peer)} s psql \\copy`,
      ratio: peer === null ? null : round(seconds / peer),
      limit: `at most ${factors[format]} × psql`,
      ok: peer === null || seconds <= factors[format] * peer,
    });
    found.push({
      name: `memory growth of the app, ${format.toUpperCase()}`,
      value: grown,
      unit: 'MiB',
      peer: '',
      ratio: null,
      limit: `at most ${maxGrowthMiB} MiB`,
      ok: grown <= maxGrowthMiB,
    });
  }
  return found;
}

async function timePsql({ host, port, user, password, database }: DatabaseAddress, folder: string): Promise<number | null> {
  if (spawnSync('psql', ['--version']).status !== 0) return null;
  const start = performance.now();
  const copy = `\\copy (${sameRows.replaceAll('\n', ' ')}) to '${join(folder, 'psql.csv')}' with (format csv, header)`;
  const env = { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: String(password), PGDATABASE: database };
  await promisify(execFile)('psql', ['-q', '-c', copy], { env });
  return (performance.now() - start) / 1000;
}

async function download(url: string, key: string, file: string): Promise<void> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${url} responded with ${response.statusCode}.`);
  await pipeline(response, createWriteStream(file));
}

async function memoryOf(app: ChildProcess): Promise<number> {
  const report = nextMessage<{ rss: number }>(app);
  app.send('memory');
  return (await report).rss;
}

const round = (value: number): number => Number(value.toPrecision(3));

export default bench;
