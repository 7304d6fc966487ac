/** How long people wait for the API while extraction keeps every core busy: a real app process, a real database, real readers. */
import { type ChildProcess, fork } from 'node:child_process';
import { sql } from 'kysely';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createThumbStore } from '../../server/src/content/thumbs/index.ts';
import { digestOf, newApiKey } from '../../server/src/people/identity/tokens.ts';
import { connect, type Db, migrate, startEmbedded } from '../../server/src/platform/database/index.ts';
import { allDocuments } from '../../server/src/search/documents/index.ts';
import { openSearchWriter } from '../../server/src/search/engines/index.ts';
import { settingsForTests } from '../../server/src/settings/index.ts';
import { createAsk } from '../api/callers.ts';
import { loadItems } from '../api/load.ts';
import type { Row } from '../row.ts';
import type { CorpusFile } from './corpus.ts';

const callers = 4;

export async function apiBeside(work: string, files: readonly CorpusFile[], cores: number, scale: number): Promise<Row[]> {
  const items = Math.max(5000, Math.round(100_000 * scale));
  const asks = Math.max(100, Math.round(400 * scale));
  const server = await startEmbedded({ folder: join(work, 'postgres'), durable: false });
  const database = connect({ host: server.host, port: server.port, user: server.user, database: server.database });
  const children: ChildProcess[] = [];
  const start = (module: string, args: string[]): ChildProcess => {
    const child = fork(new URL(module, import.meta.url), args);
    children.push(child);
    return child;
  };
  try {
    await migrate(database.pool);
    await loadItems(database.db, items);
    const writer = openSearchWriter(settingsForTests({ SVC_CONFIG_DIR: work }));
    await writer.rebuild(allDocuments(database.db, 2000));
    await writer.close();
    const app = start('../api/app-process.ts', [JSON.stringify(database.address), work]);
    const { url } = await heard<{ url: string }>(app);
    const ask = createAsk(url, await makeKey(database.db));
    const paths = await pathsPeopleUse(database.db, work);
    const quiet = await askAll(ask, asks, paths);

    const list = join(work, 'files.json');
    writeFileSync(list, JSON.stringify(files));
    const reader = start('busy-reader.ts', [list, String(cores)]);
    await heard(reader);
    const before = await told(reader);
    const [cpuBefore, coresBefore, began] = [cpuSeconds(before.pids), coreTimes(), performance.now()];
    const beside = await askAll(ask, asks, paths);
    const after = await told(reader);
    const seconds = (performance.now() - began) / 1000;
    const use = coreUse(coresBefore, coreTimes());
    const busy = (cpuSeconds(after.pids) - cpuBefore) / seconds;
    const rss = after.pids.reduce((sum, pid) => sum + residentBytes(pid), after.rss);
    return [
      {
        name: 'API p99 while extraction keeps the cores busy',
        value: round(beside.p99),
        unit: 'ms',
        peer: `${round(quiet.p99)} ms without extraction`,
        ratio: round(beside.p99 / quiet.p99),
        limit: 'at most 100 ms',
        ok: beside.p99 <= 100,
        detail: `p50 ${round(beside.p50)} ms, slowest ${beside.slowest} (quiet: ${quiet.slowest}), ${callers} callers, ${asks * callers} requests over ${items} items; readers used ${busy.toFixed(2)} cores and read ${((after.read - before.read) / seconds).toFixed(1)} files/s; load ${loadavg()[0]!.toFixed(1)}`,
      },
      ...beside.routes.map(({ path, p50, p99 }) => ({
        name: `  ${path}`,
        value: round(p99),
        unit: 'ms',
        peer: `${round(quiet.routes.find((route) => route.path === path)!.p99)} ms without extraction`,
        ratio: null,
        limit: '',
        ok: true,
        detail: `p50 ${round(p50)} ms`,
      })),
      {
        name: 'the least busy core meanwhile',
        value: Math.round(Math.min(...use) * 100),
        unit: '%',
        peer: '',
        ratio: null,
        limit: 'at least 90 %',
        ok: Math.min(...use) >= 0.9,
        detail: use.map((share, core) => `core ${core} ${Math.round(share * 100)} %`).join(', '),
      },
      {
        name: 'worker and readers, resident',
        value: Math.round(rss / 2 ** 20),
        unit: 'MB',
        peer: '',
        ratio: null,
        limit: `below ${cores} x 1024 + 512`,
        ok: rss < (cores * 1024 + 512) * 2 ** 20,
      },
    ];
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    for (const child of children) child.kill();
    await database.close();
    await server.stop();
  }
}

/** Search, as-you-type, the first page of items, one item, its thumbnail, libraries, health. */
async function pathsPeopleUse(db: Db, configDir: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from items where status = 'active' order by id limit 1`.execute(db);
  const { id } = rows[0]!;
  const key = 'be'.repeat(16);
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'teal' } })
    .webp()
    .toBuffer();
  await createThumbStore({ folder: join(configDir, 'thumbs') }).write(key, { grid: picture, preview: picture });
  await sql`update items set thumb_key = ${key} where id = ${id}`.execute(db);
  return [
    '/search?q=report',
    '/search?q=har&facets=false&limit=20',
    '/search?q=photo&search_in=names',
    '/items?limit=50',
    `/items/${id}`,
    `/items/${id}/thumb`,
    '/libraries',
    '/health',
  ];
}

interface Times {
  p50: number;
  p99: number;
}

interface Asked extends Times {
  /** The path with the longest p99 of its own. */
  slowest: string;
  routes: (Times & { path: string })[];
}

async function askAll(ask: (path: string) => Promise<unknown>, each: number, paths: readonly string[]): Promise<Asked> {
  const times = new Map<string, number[]>(paths.map((path) => [path, []]));
  // Files are opened and statements planned on the first visits.
  for (let turn = 0; turn < 5; turn++) for (const path of paths) await ask(path);
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < each; turn++) {
        const path = paths[(caller + turn) % paths.length]!;
        const began = performance.now();
        await ask(path);
        times.get(path)!.push(performance.now() - began);
        // People pause between requests; a flood would measure itself.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  const routes = [...times].map(([path, list]) => ({ path: path.replace(/[0-9a-f-]{36}/, '{id}'), ...timesOf(list) }));
  const [slowest] = [...routes].sort((a, b) => b.p99 - a.p99);
  return { ...timesOf([...times.values()].flat()), slowest: `${slowest!.path} ${round(slowest!.p99)} ms`, routes };
}

function timesOf(list: readonly number[]): Times {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Ticks each core has spent, all and idle. */
function coreTimes(): { all: number; idle: number }[] {
  return cpus().map(({ times }) => ({ all: Object.values(times).reduce((sum, part) => sum + part, 0), idle: times.idle }));
}

function coreUse(before: ReturnType<typeof coreTimes>, after: ReturnType<typeof coreTimes>): number[] {
  return after.map(({ all, idle }, core) => 1 - (idle - before[core]!.idle) / Math.max(1, all - before[core]!.all));
}

async function makeKey(db: Db): Promise<string> {
  const { key, prefix } = newApiKey();
  await sql`with made as (insert into service_accounts (name) values ('bench') returning id)
    insert into api_keys (name, prefix, key_hash, scopes, service_account_id) select 'bench', ${prefix}, ${digestOf(key)}, '{read}', id from made`.execute(
    db,
  );
  return key;
}

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`A process of the benchmark ended with code ${code}.`)));
  });
}

function told(reader: ChildProcess): Promise<{ read: number; rss: number; pids: number[] }> {
  const answer = heard<{ read: number; rss: number; pids: number[] }>(reader);
  reader.send('how far');
  return answer;
}

/** Processor seconds of processes and of the tools they waited for. */
function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = procFile(pid, 'stat').split(') ').at(-1)!.split(' ');
    return sum + [11, 12, 13, 14].reduce((part, at) => part + Number(fields[at] ?? 0), 0) / 100;
  }, 0);
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0) * 1024;
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ') ';
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
