import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { reports } from '../../server/src/insight/reports/index.ts';
import type { Database, Db } from '../../server/src/platform/database/index.ts';
import { appNodeFlags, mallocEnv } from '../../server/src/platform/processes.ts';
import { type Client, createClient } from '../api/client.ts';
import { libraryIds } from '../api/load.ts';
import { createServiceKey, startApp } from '../api/service.ts';
import { type Latency, latencyOf } from '../search/measurements.ts';
import { type BenchQuery, makeQueries } from '../search/queries.ts';

export interface Measured {
  /** From the start of the process until a search was answered. */
  coldStartSeconds: number;
  cachesDropped: boolean;
  /** By how much the memory of the app has grown when it has opened the index and answered searches of all kinds. */
  indexBytes: number;
  peakBytes: number;
  requests: { name: string; latency: Latency }[];
}

/** Requests of one kind that are sent one after another. Those of searches differ, so that no result is cached. */
interface Kind {
  name: string;
  paths: string[];
}

const perKind = 100;
const maxMsPerKind = 20_000;
const warmUps = 5;
const extensions = ['jpg', 'pdf', 'docx', 'mp4'];

/** Starts the app over this database and index, and measures one caller who may see everything. */
export async function measureRequests({ db, address }: Database, folder: string, size: number): Promise<Measured> {
  console.error(`large: requests at ${size} items …`);
  const key = await createServiceKey(db);
  const kinds = [...(await searches(db, size)), ...(await browsing(db)), ...reportPages()];
  const cachesDropped = dropCaches();
  const began = performance.now();
  const { app, url } = await startApp(address, folder, { ...mallocEnv, ...process.env }, appNodeFlags);
  try {
    const startBytes = peakBytesOf(app.pid);
    const client = createClient(url, key);
    await client(kinds[0]?.paths[0] ?? '/search');
    const coldStartSeconds = (performance.now() - began) / 1000;
    const requests: Measured['requests'] = [];
    let searchedBytes = 0;
    for (const { name, paths } of kinds) {
      requests.push({ name, latency: await timeOnce(paths, client) });
      if (name.startsWith('search')) searchedBytes = peakBytesOf(app.pid);
    }
    return { coldStartSeconds, cachesDropped, indexBytes: searchedBytes - startBytes, peakBytes: peakBytesOf(app.pid), requests };
  } finally {
    app.kill();
  }
}

/** Sends each request once, after a few to warm up. */
async function timeOnce(paths: readonly string[], client: Client): Promise<Latency> {
  const end = performance.now() + maxMsPerKind;
  const times: number[] = [];
  for (const [turn, path] of paths.entries()) {
    const started = performance.now();
    await client(path);
    if (turn >= warmUps || paths.length <= warmUps) times.push(performance.now() - started);
    if (performance.now() > end) break;
  }
  return latencyOf(times);
}

async function searches(db: Db, size: number): Promise<Kind[]> {
  const ids = await libraryIds(db);
  const queries = makeQueries(size);
  const text = (query: BenchQuery, end = ' '): string => `/search?limit=50&q=${encodeURIComponent(query.text + end)}`;
  const kind = (name: string, of: readonly BenchQuery[], path: (query: BenchQuery, turn: number) => string): Kind => ({
    name: `search, ${name}`,
    paths: of.slice(0, perKind).map(path),
  });
  return [
    kind('one word', queries['one word'], (query) => `${text(query)}&facets=false`),
    kind('two words', queries['two words'], (query) => `${text(query)}&facets=false`),
    kind('as you type', queries.prefix, (query) => `${text(query, '')}&facets=false`),
    kind('one typo', queries['one typo'], (query) => `${text(query)}&facets=false`),
    kind('part of a name', queries.infix, (query) => `${text(query)}&facets=false&search_in=names`),
    kind('words with facets', queries['filter + 4 facets'], (query) => text(query)),
    kind('everything with facets', queries['browse + 60 values'], (_, turn) => `/search?limit=${20 + turn}`),
    kind('newest of a type in a library', queries['sort + filter'], ({ library }, turn) => {
      return `/search?limit=50&facets=false&sort=mtime:desc&library=${ids.get(library)}&extension=${extensions[turn % extensions.length]}`;
    }),
  ];
}

async function browsing(db: Db): Promise<Kind[]> {
  const libraries = [...(await libraryIds(db)).values()];
  const { rows } = await sql<{ id: string; library_id: string; folder: string }>`
    select i.id, i.library_id, f.rel_path as folder from libraries l
    cross join lateral (select * from items where library_id = l.id and status = 'active' limit 5) i join folders f on f.id = i.folder_id`.execute(
    db,
  );
  return [
    { name: 'top folders of a library with totals', paths: libraries.map((id) => `/libraries/${id}/tree?limit=200`) },
    {
      name: 'contents of a folder',
      paths: rows.map(({ library_id, folder }) => `/libraries/${library_id}/tree?limit=200&path=${encodeURIComponent(folder)}`),
    },
    { name: 'one file', paths: rows.map(({ id }) => `/items/${id}`) },
    { name: 'first page of all files of a library', paths: libraries.map((id) => `/items?limit=100&library_id=${id}`) },
    { name: 'timeline of everything', paths: Array.from({ length: 10 }, () => '/search/timeline?date=modified') },
    { name: 'totals of all libraries', paths: Array.from({ length: 10 }, () => '/stats/libraries') },
    { name: 'when files were read again', paths: Array.from({ length: 10 }, () => '/integrity') },
  ];
}

function reportPages(): Kind[] {
  const repeat = (path: string): string[] => Array.from({ length: 10 }, () => path);
  return [
    ...reports.map(({ id }) => ({ name: `report ${id}`, paths: repeat(`/reports/${id}?limit=100`) })),
    { name: 'folder tree of sizes', paths: repeat('/reports/folder-tree') },
    { name: 'first groups of duplicates', paths: repeat('/duplicates/groups?limit=50') },
    { name: 'totals of a cleanup plan', paths: repeat('/duplicates/plan') },
  ];
}

/** Only the administrator of the machine may do that. */
function dropCaches(): boolean {
  try {
    // Pages that are not written yet would stay in memory, and writing them would slow the start down.
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

function peakBytesOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
