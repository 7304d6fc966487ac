import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultLimits, type SandboxPool } from '@catalog/readers';
import type { Db } from '../../../platform/database/index.ts';
import { createGroups, createHashSet } from './compare.ts';
import { insertHash, photoHashes, saveGroups, type UnhashedPhoto, unhashedPhotos } from './store.ts';

interface FindOptions {
  signal?: AbortSignal;
  progress?: (value: Record<string, unknown>) => void;
}

export interface FoundSimilar {
  hashed: number;
  unreadable: number;
  compared: number;
}

const page = 100;
const loadPage = 10_000;
/** Comparisons between two turns of the event loop. */
const atOnce = 20;

/** Hashes pictures that have no hash yet, and compares those that were not compared. Safe to repeat; a stop loses at most one page. */
export async function findSimilar(db: Db, pool: SandboxPool, options: FindOptions = {}): Promise<FoundSimilar> {
  const done: FoundSimilar = { hashed: 0, unreadable: 0, compared: 0 };
  for (let after = ''; ; ) {
    const photos = await unhashedPhotos(db, after, page);
    const last = photos.at(-1);
    if (!last) break;
    after = last.content_hash;
    for (const photo of photos) {
      options.signal?.throwIfAborted();
      const hash = await hashInSandbox(pool, photo, options.signal);
      if (hash === undefined) continue;
      await insertHash(db, photo.content_hash, hash);
      if (hash === null) done.unreadable += 1;
      else done.hashed += 1;
    }
    options.progress?.({ ...done });
  }
  await compareNew(db, done, options);
  return done;
}

/** Undefined when the reason may pass: the file could not be opened or read in time, or the task was stopped. The next run tries it again. */
async function hashInSandbox(pool: SandboxPool, photo: UnhashedPhoto, signal?: AbortSignal): Promise<Buffer | null | undefined> {
  const job = {
    path: path.join(photo.root_path, photo.rel_path),
    root: photo.root_path,
    filename: photo.filename,
    extension: photo.extension ?? '',
    size: photo.size,
    limits: { ...defaultLimits, timeoutSeconds: 60 },
  };
  const outcome = await pool.run<string | null>('photo', job, {}, signal);
  if (outcome.ok) return outcome.result === null ? null : Buffer.from(outcome.result, 'hex');
  const mayPass = outcome.stopped || outcome.unreadable || outcome.kind === 'timeout' || outcome.kind === 'dependency';
  return mayPass ? undefined : null;
}

async function compareNew(db: Db, done: FoundSimilar, { signal, progress }: FindOptions): Promise<void> {
  const known = createHashSet();
  const groups = createGroups();
  const fresh: { id: number; hash: Buffer }[] = [];
  for (let after = 0; ; ) {
    const rows = await photoHashes(db, after, loadPage);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    for (const { id, hash, compared, group_id } of rows) {
      if (!compared) fresh.push({ id, hash });
      else {
        known.add(id, hash);
        if (group_id !== null && group_id !== id) groups.join(id, [group_id]);
      }
    }
  }
  groups.changed();
  for (let at = 0; at < fresh.length; at += atOnce) {
    signal?.throwIfAborted();
    const batch = fresh.slice(at, at + atOnce);
    for (const { id, hash } of batch) {
      groups.join(id, known.near(hash));
      known.add(id, hash);
    }
    await saveGroups(
      db,
      batch.map(({ id }) => id),
      groups.changed(),
    );
    done.compared += batch.length;
    progress?.({ ...done });
    await nextTurn();
  }
}
