import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { tree } from '../../../server/src/catalog/scan/library.fixture.ts';
import { type FolderCountOptions, countBelow, createFolderCounter } from './count.ts';
import { listedFiles } from './file-system.ts';

const FILES = Object.fromEntries(
  ['one.txt', 'photos/a.jpg', 'photos/2024/b.jpg', 'photos/2024/c.jpg', 'site/index.html', 'site/js/x.js', 'site/css/y.css'].map((name) => [
    name,
    'x',
  ]),
);
const all = Object.keys(FILES).length;
const ask = (root: string, more: Partial<FolderCountOptions> = {}): FolderCountOptions => ({
  root,
  shares: [],
  presets: [],
  milliseconds: 60_000,
  stop: new Int32Array(1),
  ...more,
});
/** A clock that goes on by one whenever it is looked at. */
const ticking = () => {
  let time = 0;
  return () => (time += 1);
};

test('time one folder does not need goes to those that need more', () => {
  const root = tree(FILES);
  for (let n = 0; n < 40; n += 1) mkdirSync(path.join(root, `photos/many/${n}`), { recursive: true });
  expect(countBelow(ask(root, { milliseconds: 200 }), listedFiles, ticking())).toMatchObject({ files: all, complete: true });
});

test('when time runs out there are at least so many, and every folder had its share', () => {
  const few = countBelow(ask(tree(FILES), { milliseconds: 9 }), listedFiles, ticking());
  expect(few.complete).toBe(false);
  expect(few.files).toBeLessThan(all);
  expect(few.dirs.map(({ name, files }) => [name, files > 0])).toEqual(
    expect.arrayContaining([
      ['photos', true],
      ['site', true],
    ]),
  );
});

test('a count nobody waits for ends at once, whatever time it has left', () => {
  let looks = 0;
  const clock = () => {
    looks += 1;
    if (looks > 100) throw new Error('It goes on.');
    return 0;
  };
  expect(countBelow(ask(tree(FILES), { stop: Int32Array.of(1) }), listedFiles, clock)).toMatchObject({ files: 1, complete: false });
});

test('at the root of the disk shares are known by their names too; of a folder that may not be listed nothing is', () => {
  const names: Record<string, string[]> = { '/': ['mnt', 'home'], '/mnt': ['nas'], '/home': [] };
  const disk = {
    ...listedFiles,
    listOnly: (folder: string) => {
      if (!names[folder]) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return names[folder].map((name) => ({ name, isFolder: true, counts: false }));
    },
  };
  const answer = countBelow(ask('/', { shares: ['/mnt/nas'] }), disk);
  expect(answer).toMatchObject({ unreadable: 0, complete: false });
  expect(countBelow(ask('/locked'), disk)).toMatchObject({ files: 0, unreadable: 1, complete: false });
});

test('a network share inside is passed by, and a folder that may not be listed is told', () => {
  const root = tree(FILES);
  const refusing = {
    ...listedFiles,
    listOnly: (folder: string) => {
      if (folder.endsWith('/2024')) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return listedFiles.listOnly(folder);
    },
  };
  const answer = countBelow(ask(root, { shares: [`${root}/site`] }), refusing);
  expect(answer).toMatchObject({ unreadable: 1, complete: false });
  expect(answer.dirs.find(({ name }) => name === 'site')).toEqual({ name: 'site', files: 0, complete: false });
});

test('a share that never answers holds nobody: the answer comes in time, and when all places hang it comes at once', async () => {
  vi.useFakeTimers();
  try {
    const threads: Worker[] = [];
    const counter = createFolderCounter(() => {
      threads.push(Object.assign(new EventEmitter(), { unref: () => {} }) as unknown as Worker);
      return threads.at(-1)!;
    });
    const count = (signal = new AbortController().signal) => counter.count(ask('/mnt/gone', { milliseconds: 5000 }), signal);
    const asked = [count(), count(), count()];
    expect(await count()).toMatchObject({ files: 0, complete: false });
    await vi.advanceTimersByTimeAsync(8000);
    expect((await Promise.all(asked)).map(({ complete }) => complete)).toEqual([false, false, false]);
    for (const thread of threads.slice(1)) thread.emit('exit', 0);
    const left = new AbortController();
    const last = count(left.signal);
    left.abort();
    expect(await last).toMatchObject({ complete: false });
    // The service stops although one still hangs.
    const closed = counter.close();
    threads.at(-1)!.emit('exit', 0);
    await vi.advanceTimersByTimeAsync(3000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

test('a process that ends while a count starts or runs ends well', async () => {
  const root = tree(FILES);
  writeFileSync(
    path.join(root, 'end.mjs'),
    `import { createFolderCounter } from ${JSON.stringify(new URL('./count.ts', import.meta.url).href)};
    void createFolderCounter().count({ root: '/', shares: ['/proc', '/sys'], presets: [], milliseconds: 5000 }, new AbortController().signal);
    setTimeout(() => process.exit(0), Number(process.argv[2]));`,
  );
  for (let ms = 0; ms <= 240; ms += 20) await promisify(execFile)(process.execPath, [path.join(root, 'end.mjs'), String(ms)]);
});
