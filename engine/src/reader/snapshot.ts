import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { openSegment, setDeleted, shareSegment } from '../segment/open-segment.ts';
import type { IndexSnapshot, Segment, SharedSegment } from '../segment/types.ts';
import { type Manifest, readDeletes, readManifest } from '../store/manifest.ts';
import type { Schema } from '../types.ts';

/** A loaded snapshot as it is sent to the other threads. */
export interface SharedSnapshot {
  generation: number;
  schema: Schema;
  segments: SharedSegment[];
  deletes: Uint32Array[];
}

/**
 * Loads the newest manifest. Segments of the current snapshot are reused, and it stays in service until it is replaced. A writer may delete
 * a file after the manifest was read; then there is a newer manifest, and loading starts again with the segments that were read so far:
 * otherwise a large index would never be loaded while small segments come and go.
 */
export async function loadNewestSnapshot(
  directory: string,
  snapshot: IndexSnapshot | null,
  publish: (shared: SharedSnapshot) => void = () => undefined,
): Promise<IndexSnapshot> {
  const loaded = new Set<Segment>();
  const closeOthers = (files: readonly string[]) => {
    for (const segment of loaded) if (!files.includes(segment.file) && loaded.delete(segment)) segment.close();
  };
  try {
    for (;;) {
      const manifest = await readManifest(directory);
      closeOthers(manifest.segments.map(({ file }) => file));
      if (snapshot && snapshot.generation === manifest.generation) return snapshot;
      try {
        return await load(directory, manifest, snapshot, loaded, publish);
      } catch (error) {
        const newest = await readManifest(directory);
        if (newest.generation === manifest.generation) throw error;
      }
    }
  } catch (error) {
    closeOthers([]);
    throw error;
  }
}

/** While one is verified, the next are read from disk. */
const segmentsAtOnce = 4;

async function load(
  directory: string,
  manifest: Manifest,
  snapshot: IndexSnapshot | null,
  loaded: Set<Segment>,
  publish: (shared: SharedSnapshot) => void,
): Promise<IndexSnapshot> {
  const known = [...(snapshot?.segments ?? []), ...loaded];
  const segments = await mapSome(manifest.segments, segmentsAtOnce, async (entry) => {
    const same = known.find((segment) => segment.file === entry.file);
    if (same) return same;
    // Only the first snapshot keeps queries waiting. Later ones are verified completely while the one before is still in use.
    const segment = await openSegment(join(directory, entry.file), entry.bytes, manifest.schema, snapshot === null);
    if (segment.documents !== entry.documents) {
      segment.close();
      throw new EngineError('corrupt', `Segment ${entry.file} has a different number of documents than the manifest.`);
    }
    loaded.add(segment);
    return segment;
  });
  const deletes = manifest.segments.map((entry) => readDeletes(directory, entry));
  const { generation, schema } = manifest;
  publish({ generation, schema, segments: segments.map((segment) => segment.shared), deletes });
  return replaceSnapshot(snapshot, { generation, schema, segments }, deletes);
}

/** Works on some at a time. After an error no further one is begun, and it is thrown when those that were begun have ended. */
async function mapSome<T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const workThrough = async (): Promise<void> => {
    while (next < all.length) {
      const at = next++;
      try {
        results[at] = await work(all[at] as T);
      } catch (error) {
        next = all.length;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workThrough));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return results;
}

/** Runs synchronously, so no query can see a partly replaced snapshot. */
function replaceSnapshot(old: IndexSnapshot | null, next: IndexSnapshot, deletes: readonly Uint32Array[]): IndexSnapshot {
  for (const [index, segment] of next.segments.entries()) setDeleted(segment, deletes[index] ?? new Uint32Array(0));
  for (const segment of old?.segments ?? []) if (!next.segments.includes(segment)) segment.close();
  return next;
}

/** Switches to a snapshot that another thread has loaded. */
export function adoptSnapshot(shared: SharedSnapshot, snapshot: IndexSnapshot | null): IndexSnapshot {
  const { generation, schema } = shared;
  const opened: Segment[] = [];
  try {
    const segments = shared.segments.map((each) => {
      const known = snapshot?.segments.find((segment) => segment.shared.path === each.path);
      if (known) return known;
      const segment = shareSegment(each, schema);
      opened.push(segment);
      return segment;
    });
    return replaceSnapshot(snapshot, { generation, schema, segments }, shared.deletes);
  } catch (error) {
    for (const segment of opened) segment.close();
    throw error;
  }
}
