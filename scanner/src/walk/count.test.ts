import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { countBelow, createFolderCounter, type FolderCountOptions } from './count.ts';
import { namesOnlyFileSystem } from './file-system.ts';

const FILES = Object.fromEntries(
  ['one.txt', 'photos/a.jpg', 'photos/2024/b.jpg', 'photos/2024/c.jpg', 'site/index.html', 'site/js/x.js', 'site/css/y.css'].map((name) => [
    name,
    'x',
  ]),
);
const fileCount = Object.keys(FILES).length;

/** A temporary folder with these files, removed when the test ends. */
function createTree(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'count-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  return root;
}

const countOptions = (root: string, more: Partial<FolderCountOptions> = {}): FolderCountOptions => ({
  root,
  shares: [],
  presets: [],
  milliseconds: 60_000,
  stop: new Int32Array(1),
  ...more,
});
/** A clock that advances by one each time it is read. */
const tickingClock = () => {
  let time = 0;
  return () => (time += 1);
};

test('time that one folder does not need goes to the others', () => {
  const root = createTree(FILES);
  for (let n = 0; n < 40; n += 1) mkdirSync(path.join(root, `photos/many/${n}`), { recursive: true });
  expect(countBelow(countOptions(root, { milliseconds: 200 }), namesOnlyFileSystem, tickingClock())).toMatchObject({
    files: fileCount,
    complete: true,
  });
});

test('when time runs out the count is a lower bound, and every folder got its share of the time', () => {
  const partial = countBelow(countOptions(createTree(FILES), { milliseconds: 9 }), namesOnlyFileSystem, tickingClock());
  expect(partial.complete).toBe(false);
  expect(partial.files).toBeLessThan(fileCount);
  expect(partial.dirs.map(({ name, files }) => [name, files > 0])).toEqual(
    expect.arrayContaining([
      ['photos', true],
      ['site', true],
    ]),
  );
});

test('a stopped count ends at once, even with time left', () => {
  let reads = 0;
  const clock = () => {
    reads += 1;
    if (reads > 100) throw new Error('The count was not stopped.');
    return 0;
  };
  expect(countBelow(countOptions(createTree(FILES), { stop: Int32Array.of(1) }), namesOnlyFileSystem, clock)).toMatchObject({
    files: 1,
    complete: false,
  });
});

test('shares are skipped when the root is counted; a folder that cannot be listed yields an incomplete count', () => {
  const names: Record<string, string[]> = { '/': ['mnt', 'home'], '/mnt': ['nas'], '/home': [] };
  const disk = {
    ...namesOnlyFileSystem,
    listNames: (folder: string) => {
      if (!names[folder]) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return names[folder].map((name) => ({ name, isFolder: true, isCountable: false }));
    },
  };
  const result = countBelow(countOptions('/', { shares: ['/mnt/nas'] }), disk);
  expect(result).toMatchObject({ unreadable: 0, complete: false });
  expect(countBelow(countOptions('/locked'), disk)).toMatchObject({ files: 0, unreadable: 1, complete: false });
});

test('a network share is skipped, and a folder that cannot be listed is reported', () => {
  const root = createTree(FILES);
  const failing = {
    ...namesOnlyFileSystem,
    listNames: (folder: string) => {
      if (folder.endsWith('/2024')) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return namesOnlyFileSystem.listNames(folder);
    },
  };
  const result = countBelow(countOptions(root, { shares: [`${root}/site`] }), failing);
  expect(result).toMatchObject({ unreadable: 1, complete: false });
  expect(result.dirs.find(({ name }) => name === 'site')).toEqual({ name: 'site', files: 0, complete: false });
});

test('a share that never responds does not delay the result; with all threads blocked, new counts return at once', async () => {
  vi.useFakeTimers();
  try {
    const threads: Worker[] = [];
    const counter = createFolderCounter(() => {
      threads.push(Object.assign(new EventEmitter(), { unref: () => {} }) as unknown as Worker);
      return threads.at(-1)!;
    });
    const count = (signal = new AbortController().signal) => counter.count(countOptions('/mnt/gone', { milliseconds: 5000 }), signal);
    const blocked = [count(), count(), count()];
    expect(await count()).toMatchObject({ files: 0, complete: false });
    await vi.advanceTimersByTimeAsync(8000);
    expect((await Promise.all(blocked)).map(({ complete }) => complete)).toEqual([false, false, false]);
    for (const thread of threads.slice(1)) thread.emit('exit', 0);
    const aborted = new AbortController();
    const last = count(aborted.signal);
    aborted.abort();
    expect(await last).toMatchObject({ complete: false });
    // close() returns although one thread is still blocked.
    const closed = counter.close();
    threads.at(-1)!.emit('exit', 0);
    await vi.advanceTimersByTimeAsync(3000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

test('a process that exits while a count starts or runs exits cleanly', async () => {
  const root = createTree(FILES);
  writeFileSync(
    path.join(root, 'end.mjs'),
    `import { createFolderCounter } from ${JSON.stringify(new URL('./count.ts', import.meta.url).href)};
    void createFolderCounter().count({ root: '/', shares: ['/proc', '/sys'], presets: [], milliseconds: 5000 }, new AbortController().signal);
    setTimeout(() => process.exit(0), Number(process.argv[2]));`,
  );
  for (let ms = 0; ms <= 240; ms += 20) await promisify(execFile)(process.execPath, [path.join(root, 'end.mjs'), String(ms)]);
});
