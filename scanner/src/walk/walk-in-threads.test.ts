import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWalkFileSystem } from './file-system.ts';
import { createInlineWalk, type StartWalk, type WalkBatch, type WalkOptions } from './walk.ts';
import { walkInThreads } from './walk-in-threads.ts';

let root: string;
let options: WalkOptions;

// More folders than the first thread may send ahead before the first batch is consumed, so that it always hands some over.
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'walk-'));
  for (let branch = 0; branch < 45; branch += 1) {
    for (let leaf = 0; leaf < 45; leaf += 1) mkdirSync(path.join(root, `branch-${branch}`, `leaf-${leaf}`), { recursive: true });
    writeFileSync(path.join(root, `branch-${branch}`, 'file'), '');
  }
  options = { root, start: '', recursive: true, patterns: [], countPruned: false, network: false, stableIds: true, stamp: '' };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function walkedBy(start: StartWalk, threads: number): Promise<WalkBatch[]> {
  const batches: WalkBatch[] = [];
  for await (const batch of start({ ...options, threads })) batches.push(batch);
  return batches;
}

const foldersOf = (batches: readonly WalkBatch[]) => batches.flatMap(({ folders }) => folders);

test.each([1, 2, 4])('%i threads list every folder once, each after the folder above it', async (threads) => {
  const alone = foldersOf(await walkedBy(createInlineWalk(createWalkFileSystem(options)), 1));
  const batches = await walkedBy(walkInThreads, threads);
  const folders = foldersOf(batches);
  expect(folders.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(alone.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  const seen = new Set<string>(['.']);
  for (const { path: folder } of folders) {
    expect(seen).toContain(folder === '' ? '.' : path.dirname(folder));
    seen.add(folder === '' ? '.' : folder);
  }
  const parts = new Set(batches.map(({ part }) => part));
  if (threads === 1) expect(parts).toEqual(new Set([0]));
  else expect(parts.size).toBeGreaterThan(1);
});

test('each part of a shared walk begins below the last folder of the batch that handed it over, and goes on in order', async () => {
  const last = new Map<number, string>([[0, '']]);
  for (const { part, folders, handedOver } of await walkedBy(walkInThreads, 4)) {
    for (const { path: folder } of folders) {
      const parent = path.dirname(folder);
      const before = last.get(part);
      if (folder !== '') expect(parent === '.' || before === parent || before?.startsWith(`${parent}/`)).toBe(true);
      last.set(part, folder);
    }
    if (handedOver) last.set(handedOver.part, last.get(part) ?? '');
  }
  expect(last.size).toBeGreaterThan(1);
});

test('a shared walk that is left early ends its threads', async () => {
  for await (const { handedOver } of walkInThreads({ ...options, threads: 4 })) if (handedOver) break;
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort')).toEqual([]);
});
