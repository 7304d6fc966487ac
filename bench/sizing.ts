import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService, stopService, until } from '../server/test/service.ts';
import type { Bench, Row } from './row.ts';
import { makeTree, textTypes } from './scan/tree.ts';

const person = { username: 'bench', password: 'a long password for the benchmark' };
const hours = 3_600_000;
const namesOnly = process.env['BENCH_PARTS'] === 'names';

/**
 * What an installation needs for 100,000 small files: time until all names are searchable and until all files are read, memory of all
 * processes at its peak, and disk. The whole service runs as `npm start` runs it. The manual's table of sizes comes from here. With
 * BENCH_PARTS=names it stops when all names are searchable, because reading millions of files takes hours.
 */
const bench: Bench = async ({ scale }) => {
  const folders = Math.max(1, Math.round(1000 * scale));
  const files = folders * 100;
  const place = mkdtempSync(join(tmpdir(), 'bench-sizing-'));
  const media = join(place, 'media');
  mkdirSync(media);
  makeTree(media, folders, 0, textTypes);
  let service: Service | null = null;
  try {
    // The machine does nothing else, so nothing needs to be spared.
    service = await startService(join(place, 'config'), { SVC_LOG_DB_ENABLED: 'false', SVC_EXTRACT_BACKPRESSURE: 'false' });
    const { url, child } = service;
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, memoryOf(child.pid ?? 0));
    }, 500);
    const call = await signIn(url);
    const started = performance.now();
    const library = (await call('POST', '/libraries', { name: 'Files', root_path: media })) as { id: string };
    const { scan_id } = (await call('POST', `/libraries/${library.id}/scan`, {})) as { scan_id: string };
    await until(async () => (await total(call)) === files, 'every name to be searchable', hours);
    const searchable = performance.now() - started;
    if (!namesOnly) await until(async () => isRead(await call('GET', `/scans/${scan_id}`), files), 'every file to be read', 2 * hours);
    const read = performance.now() - started;
    clearInterval(sampling);
    const size = folderBytes(join(place, 'config'));
    const row = (name: string, value: number, unit: string): Row => ({ name, value, unit, peer: '', ratio: null, limit: '', ok: true });
    const label = files.toLocaleString('en');
    return {
      rows: [
        row(`${label} files: names searchable after`, Math.round(searchable / 1000), 's'),
        ...(namesOnly ? [] : [row(`${label} files: all read after`, Math.round(read / 1000), 's')]),
        row(`${label} files: memory of all processes, peak`, Math.round(peak / 1e6), 'MB'),
        row(`${label} files: config folder`, Math.round(size / 1e6), 'MB'),
      ],
    };
  } finally {
    if (service) await stopService(service);
    rmSync(place, { recursive: true, force: true });
  }
};
export default bench;

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

async function signIn(url: string): Promise<Call> {
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/auth/bootstrap`, { method: 'POST', headers: json, body: JSON.stringify(person) });
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  const headers = { ...json, cookie: cookie.join('; '), origin: url, 'sec-fetch-site': 'same-origin' };
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

const total = async (call: Call): Promise<number> => ((await call('GET', '/search?q=document&limit=1')) as { total: number }).total;

/** True when all contents are read and searchable, and all thumbnails are drawn. */
function isRead(scan: unknown, files: number): boolean {
  const { extract, thumbnail, index } = (scan as { stages: Record<string, { state: string; total: number }> }).stages;
  return extract?.total === files && [extract, thumbnail, index].every((stage) => stage?.state === 'done');
}

/** Memory of a process and everything below it. Pages that PostgreSQL shares between its processes are divided among them. */
function memoryOf(pid: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(readProc(`${name}/status`))?.[1] ?? -1);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const all = [pid];
  for (const each of all) all.push(...(children.get(each) ?? []));
  return all.reduce((sum, each) => sum + 1024 * Number(/^Pss:\s+(\d+)/m.exec(readProc(`${each}/smaps_rollup`))?.[1] ?? 0), 0);
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

function folderBytes(folder: string): number {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      // Files of the index and the database may be replaced meanwhile.
      .reduce((sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0), 0)
  );
}
