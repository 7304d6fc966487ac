import { closeSync, openSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory, smallSchema } from '../../test/temporary-index.ts';
import { createIndex, openWriter } from '../index.ts';
import { searchSnapshot } from '../query/execute.ts';
import { adoptSnapshot, loadNewestSnapshot, type SharedSnapshot } from '../reader/snapshot.ts';
import { verifySegments } from './open-segment.ts';
import type { IndexSnapshot, SharedSegment } from './types.ts';

/** Loads a snapshot of two segments. */
async function withSnapshot(use: (loaded: { snapshot: IndexSnapshot; shared: SharedSnapshot; directory: string }) => Promise<void>) {
  await inDirectory(async (directory) => {
    await createIndex(directory, smallSchema);
    const writer = await openWriter(directory, smallSchema);
    for (const id of ['a', 'b']) {
      await writer.upsert([{ id }]);
      await writer.commit();
    }
    await writer.close();
    const published: SharedSnapshot[] = [];
    const snapshot = await loadNewestSnapshot(directory, null, (shared) => published.push(shared));
    const [shared] = published as [SharedSnapshot];
    await use({ snapshot, shared, directory });
  });
}

/** Open files are listed, and reopened by another thread, through `/proc`. */
const onLinux = test.runIf(process.platform === 'linux');

/** The files of a directory that this process has open. */
function openFilesOf(directory: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) ? [path] : [];
    } catch {
      // The descriptor of the listing itself is closed by now.
      return [];
    }
  });
}

onLinux('segments that are dropped while they are verified stay open until then', async () => {
  await withSnapshot(async ({ snapshot: { segments }, directory }) => {
    // Small segments are verified when they are opened.
    for (const segment of segments) segment.isVerified = false;
    const verifying = verifySegments(segments);
    for (const segment of segments) segment.close();
    await verifying;
    expect(segments.map(({ isVerified }) => isVerified)).toEqual([true, true]);
    expect(openFilesOf(directory)).toEqual([]);
  });
});

onLinux('a thread opens a deleted segment through the descriptor of another thread', async () => {
  await withSnapshot(async ({ snapshot, shared }) => {
    for (const { path } of shared.segments) rmSync(path);
    const adopted = adoptSnapshot(shared, null);
    expect(searchSnapshot(adopted, {}).hits.map(({ id }) => id)).toEqual(['a', 'b']);
    for (const segment of [...adopted.segments, ...snapshot.segments]) segment.close();
  });
});

onLinux('a thread never reads another file that has the number of a closed segment', async () => {
  await withSnapshot(async ({ snapshot, shared, directory }) => {
    const other = openSync(join(directory, 'manifest.json'), 'r');
    const [first, second] = shared.segments as [SharedSegment, SharedSegment];
    rmSync(second.path);
    const reused: SharedSnapshot = { ...shared, segments: [first, { ...second, fd: other }] };
    expect(() => adoptSnapshot(reused, null)).toThrow('was removed');
    closeSync(other);
    for (const segment of snapshot.segments) segment.close();
    expect(openFilesOf(directory)).toEqual([]);
  });
});
