/** Measures the latency of the API while extraction keeps every core busy, with a real app process, database and sandbox. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { createThumbStore } from '../../server/src/content/thumbs/index.ts';
import type { Db } from '../../server/src/platform/database/index.ts';
import type { Client } from '../api/client.ts';
import { startIndexedService } from '../api/indexed-service.ts';
import { nextMessage } from '../api/service.ts';
import type { Row } from '../row.ts';
import type { CorpusFile } from './corpus.ts';

const callers = 4;

export async function measureApiLatency(folder: string, files: readonly CorpusFile[], cores: number, scale: number): Promise<Row[]> {
  const items = Math.max(5000, Math.round(100_000 * scale));
  const requestsPerCaller = Math.max(100, Math.round(400 * scale));
  const { database, client, close } = await startIndexedService(folder, items);
  const children: ChildProcess[] = [];
  try {
    const paths = await typicalPaths(database.db, folder);
    const idle = await requestAll(client, requestsPerCaller, paths);

    const list = join(folder, 'files.json');
    writeFileSync(list, JSON.stringify(files));
    const extraction = fork(new URL('busy-process.ts', import.meta.url), [list, String(cores)]);
    children.push(extraction);
    await nextMessage(extraction);
    const before = await progressOf(extraction);
    const [cpuBefore, coresBefore, start] = [cpuSeconds(before.pids), coreTimes(), performance.now()];
    const busy = await requestAll(client, requestsPerCaller, paths);
    const after = await progressOf(extraction);
    const seconds = (performance.now() - start) / 1000;
    const use = coreUse(coresBefore, coreTimes());
    const coresUsed = (cpuSeconds(after.pids) - cpuBefore) / seconds;
    const rss = after.pids.reduce((sum, pid) => sum + residentBytes(pid), after.rss);
    const filesPerSecond = (after.done - before.done) / seconds;
    return [
      {
        name: 'API p99 during extraction on all cores',
        value: round(busy.p99),
        unit: 'ms',
        peer: `${round(idle.p99)} ms without extraction`,
        ratio: round(busy.p99 / idle.p99),
        limit: 'at most 100 ms',
        ok: busy.p99 <= 100,
        detail: `p50 ${round(busy.p50)} ms, slowest ${busy.slowest} (idle: ${idle.slowest}), ${callers} callers, ${requestsPerCaller * callers} requests over ${items} items; extraction used ${coresUsed.toFixed(2)} cores for ${filesPerSecond.toFixed(1)} files/s; load ${loadavg()[0]?.toFixed(1)}`,
      },
      ...busy.routes.map(({ path, p50, p99 }) => ({
        name: `  ${path}`,
        value: round(p99),
        unit: 'ms',
        peer: `${round(idle.routes.find((route) => route.path === path)?.p99 ?? Number.NaN)} ms without extraction`,
        ratio: null,
        limit: '',
        ok: true,
        detail: `p50 ${round(p50)} ms`,
      })),
      {
        name: 'use of the least busy core during extraction',
        value: Math.round(Math.min(...use) * 100),
        unit: '%',
        peer: '',
        ratio: null,
        limit: 'at least 90 %',
        ok: Math.min(...use) >= 0.9,
        detail: use.map((share, core) => `core ${core} ${Math.round(share * 100)} %`).join(', '),
      },
      {
        name: 'resident memory of worker and sandboxes',
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
    await close();
  }
}

/** The requests that the console sends most. */
async function typicalPaths(db: Db, configDir: string): Promise<string[]> {
  const { id } = await db.selectFrom('items').select('id').where('status', '=', 'active').orderBy('id').limit(1).executeTakeFirstOrThrow();
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

interface RequestTimes extends Times {
  /** The path with the highest p99. */
  slowest: string;
  routes: (Times & { path: string })[];
}

async function requestAll(client: Client, perCaller: number, paths: readonly string[]): Promise<RequestTimes> {
  const times = paths.map((path) => ({ path, list: [] as number[] }));
  // The first requests open files and plan statements.
  for (let turn = 0; turn < 5; turn++) for (const path of paths) await client(path);
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < perCaller; turn++) {
        const target = times[(caller + turn) % times.length];
        if (target === undefined) return;
        const start = performance.now();
        await client(target.path);
        target.list.push(performance.now() - start);
        // People pause between requests; without a pause the requests would delay each other.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  const routes = times.map(({ path, list }) => ({ path: path.replace(/[0-9a-f-]{36}/, '{id}'), ...timesOf(list) }));
  const [slowest] = routes.toSorted((a, b) => b.p99 - a.p99);
  return {
    ...timesOf(times.flatMap(({ list }) => list)),
    slowest: slowest === undefined ? '' : `${slowest.path} ${round(slowest.p99)} ms`,
    routes,
  };
}

function timesOf(list: readonly number[]): Times {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** The time each core has spent in total and idle. */
function coreTimes(): { all: number; idle: number }[] {
  return cpus().map(({ times }) => ({ all: Object.values(times).reduce((sum, ms) => sum + ms, 0), idle: times.idle }));
}

function coreUse(before: ReturnType<typeof coreTimes>, after: ReturnType<typeof coreTimes>): number[] {
  return after.map(({ all, idle }, core) => {
    const earlier = before[core] ?? { all: 0, idle: 0 };
    return 1 - (idle - earlier.idle) / Math.max(1, all - earlier.all);
  });
}

function progressOf(extraction: ChildProcess): Promise<{ done: number; rss: number; pids: number[] }> {
  const report = nextMessage<{ done: number; rss: number; pids: number[] }>(extraction);
  extraction.send('progress');
  return report;
}

/** CPU seconds of these processes and of the child processes they have waited for. */
function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = procFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
    return sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at] ?? 0), 0) / 100;
  }, 0);
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0) * 1024;
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The process has exited; without a file it counts as zero.
    return '';
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
