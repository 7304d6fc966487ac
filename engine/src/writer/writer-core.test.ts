import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { inDirectory, smallSchema } from '../../test/temporary-index.ts';
import { searchSnapshot } from '../query/execute.ts';
import { loadNewestSnapshot } from '../reader/snapshot.ts';
import { normalizeSchema } from '../schema.ts';
import { createBatchPacker } from '../segment/document-batch.ts';
import { createIndexDirectory } from '../store/directory.ts';
import { readManifestSync } from '../store/manifest.ts';
import { threadFile } from '../threads/calls.ts';
import type { Document } from '../types.ts';
import type { MergeMessage, MergeRequest, MergeResult } from './merge-thread.ts';
import { openWriterCore } from './writer-core.ts';

type WriterCore = Awaited<ReturnType<typeof openWriterCore>>;

/** Like a disk that breaks: from the next rename of a manifest on, every sync of a directory fails. `full`: no manifest can be written. */
const disk = vi.hoisted(() => ({ breaksAtRename: false, broken: false, full: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (disk.full && String(to).endsWith('manifest.json')) throw new Error('ENOSPC');
    fs.renameSync(from, to);
    if (disk.breaksAtRename && String(to).endsWith('manifest.json')) disk.broken = true;
  };
  const fsyncSync: typeof fs.fsyncSync = (fd) => {
    if (disk.broken && fs.fstatSync(fd).isDirectory()) throw new Error('EIO');
    fs.fsyncSync(fd);
  };
  return { ...fs, renameSync, fsyncSync };
});

async function upsert(core: WriterCore, documents: readonly Document[]): Promise<void> {
  const packer = createBatchPacker(normalizeSchema(smallSchema));
  for (const document of documents) packer.add(document);
  await core.upsert(packer.take());
}

/** Opens a writer on an index of two segments, with a commit that fails after its manifest has replaced the old one. */
async function withFailedCommit(use: (directory: string, core: WriterCore) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    createIndexDirectory(directory, smallSchema);
    const core = await openWriterCore(directory, smallSchema);
    for (const id of ['a', 'b']) {
      await upsert(core, [{ id, name: 'old' }]);
      await core.commit();
    }
    await upsert(core, [
      { id: 'b', name: 'new' },
      { id: 'c', name: 'new' },
    ]);
    disk.breaksAtRename = true;
    await expect(core.commit()).rejects.toThrow('EIO');
    Object.assign(disk, { breaksAtRename: false, broken: false });
    await use(directory, core);
  });
}

/** What a new reader finds, after checking that a new writer accepts the index and that it has no other files than the listed ones. */
async function documentsIn(directory: string): Promise<{ old: string[]; new: string[] }> {
  const { segments } = readManifestSync(directory);
  const listed = segments.flatMap(({ file, deletes }) => (deletes ? [file, deletes.file] : [file]));
  expect(readdirSync(directory).filter((name) => name.startsWith('s-'))).toEqual(listed.sort());
  (await openWriterCore(directory, smallSchema)).close();
  const snapshot = await loadNewestSnapshot(directory, null);
  const find = (text: string) => searchSnapshot(snapshot, { text }).hits.map(({ id }) => id);
  const found = { old: find('old'), new: find('new') };
  for (const segment of snapshot.segments) segment.close();
  return found;
}

async function merge(request: MergeRequest): Promise<MergeResult> {
  const worker = new Worker(threadFile('merge-thread'));
  worker.postMessage(request);
  const [message] = (await once(worker, 'message')) as [MergeMessage];
  await worker.terminate();
  if ('error' in message) throw new Error(message.error.message);
  return message.result;
}

test('closing after a commit that failed behind the rename keeps every file that the manifest lists', async () => {
  await withFailedCommit(async (directory, core) => {
    core.close();
    expect(await documentsIn(directory)).toEqual({ old: ['a'], new: ['b', 'c'] });
  });
});

test('the next commit has a new generation, and includes the changes even after a merge', async () => {
  await withFailedCommit(async (directory, core) => {
    const { generation } = readManifestSync(directory);
    const sources = core.segments().filter(({ committed }) => committed);
    const request = core.planMerge(sources);
    await core.installMerge(sources, request, await merge(request));
    expect(readManifestSync(directory).generation).toBe(generation + 1);
    await core.commit();
    expect(readManifestSync(directory).generation).toBe(generation + 2);
    core.close();
    expect(await documentsIn(directory)).toEqual({ old: ['a'], new: ['b', 'c'] });
  });
});

test('a commit that empties a segment leaves no delete list of it behind', async () => {
  await inDirectory(async (directory) => {
    createIndexDirectory(directory, smallSchema);
    const core = await openWriterCore(directory, smallSchema);
    for (const name of ['first', 'second', 'third']) {
      await upsert(core, [{ id: 'a', name }]);
      await core.commit();
    }
    const [segment] = readManifestSync(directory).segments;
    expect(readdirSync(directory).filter((name) => name.startsWith('s-'))).toEqual([segment?.file]);
    core.close();
  });
});

test('a merge that cannot be installed leaves no file behind', async () => {
  await inDirectory(async (directory) => {
    createIndexDirectory(directory, smallSchema);
    const core = await openWriterCore(directory, smallSchema);
    for (const id of ['a', 'b']) {
      await upsert(core, [{ id, name: 'old' }]);
      await core.commit();
    }
    const segmentFiles = () => readdirSync(directory).filter((name) => name.startsWith('s-'));
    const before = segmentFiles();
    const request = core.planMerge(core.segments());
    const result = await merge(request);
    disk.full = true;
    await expect(core.installMerge(core.segments(), request, result)).rejects.toThrow('ENOSPC');
    disk.full = false;
    expect(segmentFiles()).toEqual(before);
    core.close();
    expect(await documentsIn(directory)).toEqual({ old: ['a', 'b'], new: [] });
  });
});
