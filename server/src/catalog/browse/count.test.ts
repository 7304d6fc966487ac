import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { scan } from '../scan/library.fixture.ts';
import { listedFiles } from '../walk/index.ts';
import { type CountOptions, countBelow } from './count.ts';
import { countFolder } from './counter.ts';

const FILES = [
  'one.txt',
  '.DS_Store',
  'photos/a.jpg',
  'photos/b.jpg',
  'photos/Thumbs.db',
  'photos/2024/c.jpg',
  'site/index.html',
  'site/node_modules/x/index.js',
  'site/node_modules/.cache/y.js',
  'site/store/CACHEDIR.TAG',
  'site/store/z.bin',
  'site/odd/CACHEDIR.TAG',
];
let t: TestApp;
let disk: string;
beforeAll(async () => {
  disk = mkdtempSync(path.join(os.tmpdir(), 'catalog-count-'));
  for (const file of FILES) {
    mkdirSync(path.dirname(`${disk}/media/${file}`), { recursive: true });
    writeFileSync(`${disk}/media/${file}`, file.startsWith('site/store/C') ? 'Signature: 8a477f597d28d172789f06886806bc55' : 'x');
  }
  symlinkSync('a.jpg', `${disk}/media/photos/link.jpg`);
  symlinkSync(disk, `${disk}/media/photos/up`);
  mkdirSync(`${disk}/private`);
  options = { root: `${disk}/media`, shares: [], presets: [], milliseconds: 60_000, stop: new Int32Array(1) };
  t = await createTestApp({ SVC_BROWSE_ROOTS: `${disk}/media` });
});
afterAll(async () => {
  await t.close();
  rmSync(disk, { recursive: true, force: true });
});
let options: CountOptions;
const count = async (folder: string) => (await t.ask('GET', `/fs/count?path=${encodeURIComponent(folder)}`)).json();

/** Files that stay when these presets are on, added up as the console does. */
const kept = ({ files, left_out }: { files: number; left_out: { by: string[]; files: number }[] }, on: string[]): number =>
  files -
  left_out.filter(({ by }) => by.some((one) => one === 'tagged_cache' || on.includes(one))).reduce((sum, one) => sum + one.files, 0);

test('every file is counted once, with all the presets that would leave it out', async () => {
  const answer = await count(`${disk}/media`);
  // The two links are entries as in a scan; neither is followed.
  expect(answer).toMatchObject({ path: `${disk}/media`, files: FILES.length + 2, unreadable: 0, complete: true });
  expect(answer.dirs).toEqual([
    { name: 'photos', files: 6, complete: true },
    { name: 'site', files: 6, complete: true },
  ]);
  const by = Object.fromEntries(answer.left_out.map((one: { by: string[]; files: number }) => [one.by.join(' '), one.files]));
  expect(by).toEqual({
    'hidden_dotfiles os_metadata': 1,
    'system_files os_metadata': 1,
    node_modules_build: 1,
    'hidden_dotfiles caches_temp node_modules_build': 1,
    tagged_cache: 2,
  });
});

test('what is counted before is what the scan then finds', async () => {
  const answer = await count(`${disk}/media`);
  const presets = ['os_metadata', 'node_modules_build', '-hidden_dotfiles'];
  const library = (
    await t.ask('POST', '/libraries', { name: 'Counted', root_path: `${disk}/media`, enabled_presets: presets, count_pruned_files: true })
  ).json();
  await scan(t.parts.db, library.id);
  const { total } = (await t.ask('GET', `/items?library_id=${library.id}&limit=1`)).json();
  expect(total).toBe(kept(answer, presets));
});

test('nothing outside the roots is counted', async () => {
  for (const folder of [`${disk}/private`, `${disk}/media/photos/up`, `${disk}/media/../private`, 'media'])
    expect(await count(folder), folder).toMatchObject({ status: 422, code: 'path_outside' });
  expect(await count(`${disk}/media/none`)).toMatchObject({ status: 404 });
});

test('time one folder does not need goes to those that need more', () => {
  for (let n = 0; n < 40; n += 1) mkdirSync(`${disk}/media/photos/many/${n}`, { recursive: true });
  let clock = 0;
  const tick = () => (clock += 1);
  expect(countBelow({ ...options, milliseconds: 200 }, listedFiles, tick)).toMatchObject({ files: FILES.length + 2, complete: true });
  rmSync(`${disk}/media/photos/many`, { recursive: true });
});

test('when time runs out there are at least so many, and every folder had its share', () => {
  let clock = 0;
  const tick = () => (clock += 1);
  const few = countBelow({ ...options, milliseconds: 9 }, listedFiles, tick);
  expect(few.complete).toBe(false);
  expect(few.files).toBeGreaterThan(2);
  expect(few.files).toBeLessThan(FILES.length + 2);
  expect(few.dirs.map(({ name, files }) => [name, files > 0])).toEqual([
    ['photos', true],
    ['site', true],
  ]);
});

test('a network share inside is passed by, and a folder that may not be listed is told', () => {
  const refusing = {
    ...listedFiles,
    listOnly: (folder: string) => {
      if (folder.endsWith('/2024')) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return listedFiles.listOnly(folder);
    },
  };
  const answer = countBelow({ ...options, shares: [`${disk}/media/site`] }, refusing);
  expect(answer).toMatchObject({ unreadable: 1, complete: false });
  expect(answer.dirs.find(({ name }) => name === 'site')).toEqual({ name: 'site', files: 0, complete: false });
});

test('a share that never answers holds nobody: the answer comes in time, and when all places hang it comes at once', async () => {
  vi.useFakeTimers();
  try {
    const hanging = () => Object.assign(new EventEmitter(), { unref: () => {} }) as unknown as Worker;
    const threads: Worker[] = [];
    const ask = (signal = new AbortController().signal) =>
      countFolder('/mnt/gone', 5000, signal, () => {
        threads.push(hanging());
        return threads.at(-1)!;
      });
    const asked = [ask(), ask(), ask()];
    expect(await ask()).toMatchObject({ files: 0, complete: false });
    await vi.advanceTimersByTimeAsync(8000);
    expect((await Promise.all(asked)).map(({ complete }) => complete)).toEqual([false, false, false]);
    for (const thread of threads) thread.emit('exit', 0);
    const left = new AbortController();
    const last = ask(left.signal);
    left.abort();
    expect(await last).toMatchObject({ complete: false });
    threads.at(-1)!.emit('exit', 0);
  } finally {
    vi.useRealTimers();
  }
});

test('a count given up at any moment, also while its thread still starts, leaves the process alive', async () => {
  const program = `
    const { countFolder } = await import(${JSON.stringify(new URL('./counter.ts', import.meta.url).href)});
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    for (let ms = 0; ms < 240; ms += 5) {
      const gone = new AbortController();
      const counted = countFolder(${JSON.stringify(disk)}, 5000, gone.signal);
      await later(ms);
      gone.abort();
      await counted;
      await later(40);
    }
    console.log('alive');`;
  writeFileSync(`${disk}/give-up.mjs`, program);
  const { stdout } = await promisify(execFile)(process.execPath, [`${disk}/give-up.mjs`]);
  expect(stdout).toContain('alive');
});
