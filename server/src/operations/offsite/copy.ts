/**
 * Copies the newest backups to every target. The states of a copy:
 *
 * (no row)  the backup is among the newest that the target keeps, and waits for the next run.
 * copying   a run writes it. Only one run exists at a time, so a copy found in this state was interrupted and starts again.
 * retrying  an attempt failed; the next one is at next_attempt_at.
 * done      the target has the whole backup. Older ones beyond the target's number are removed there.
 * failed    all attempts failed. A person starts it again.
 *
 * A copy that is not done is forgotten when its backup is no longer among those. All copies are forgotten when the target becomes another place.
 */

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { createSecrets } from '../../platform/secrets/index.ts';
import { type Bundle, backupsFolder, bundleNames, checkParts, openBundle, packBundle } from '../backup/index.ts';
import { openTransport } from './open-transport.ts';
import {
  beginCopy,
  type CopyRow,
  deleteCopy,
  failCopy,
  findTarget,
  finishCopy,
  forgetUnfinished,
  listCopies,
  listTargets,
  type TargetRow,
} from './store.ts';
import type { Transport } from './transport.ts';

const maxAttempts = 8;
const firstRetrySeconds = 300;
const longestRetrySeconds = 6 * 3600;

export const secretName = ({ id, kind }: Pick<TargetRow, 'id' | 'kind'>): string =>
  `backup-target/${id}/${kind === 'sftp' ? 'credential' : 'secret_access_key'}`;
const fileName = (bundle: string): string => `${bundle}.tar`;

interface CopyCounts {
  copied: number;
  failed: number;
  removed: number;
}

type CopyDeps = Pick<Dependencies, 'db' | 'settings' | 'log'> & { outbound: Outbound; now: Date; signal: AbortSignal };

export async function copyBackups(deps: CopyDeps): Promise<CopyCounts> {
  const counts: CopyCounts = { copied: 0, failed: 0, removed: 0 };
  const newest = bundleNames(backupsFolder(deps.settings));
  for (const target of await listTargets(deps.db)) {
    if (target.enabled) await copyTo(deps, target, newest.slice(0, target.keep), counts);
  }
  return counts;
}

async function copyTo(deps: CopyDeps, target: TargetRow, bundles: readonly string[], counts: CopyCounts): Promise<void> {
  await forgetUnfinished(deps.db, target.id, bundles);
  const copies = new Map((await listCopies(deps.db)).filter(({ target_id }) => target_id === target.id).map((row) => [row.bundle, row]));
  for (const bundle of bundles.toReversed()) {
    deps.signal.throwIfAborted();
    if (!isDue(copies.get(bundle), deps.now)) continue;
    // The target may have changed while the last backup was copied. The next run continues.
    if (!isDeepStrictEqual(await findTarget(deps.db, target.id), target)) return;
    const ok = await copyOne(deps, target, bundle);
    counts[ok ? 'copied' : 'failed'] += 1;
  }
  counts.removed += await removeSurplus(deps, target);
}

function isDue(copy: CopyRow | undefined, now: Date): boolean {
  if (!copy || copy.state === 'copying') return true;
  return copy.state === 'retrying' && (copy.next_attempt_at ?? now) <= now;
}

async function transportOf({ db, settings, outbound }: CopyDeps, target: TargetRow): Promise<Transport> {
  return openTransport(target, await createSecrets(settings).read(db, secretName(target)), outbound);
}

async function copyOne(deps: CopyDeps, target: TargetRow, name: string): Promise<boolean> {
  const { db, settings, log, signal } = deps;
  const attempt = await beginCopy(db, target.id, name);
  try {
    const bundle: Bundle = openBundle(path.join(backupsFolder(settings), name));
    // A damaged backup must not replace good ones at the target.
    await checkParts(bundle, signal);
    const transport = await transportOf(deps, target);
    await finishCopy(db, target.id, name, await transport.put(fileName(name), packBundle(bundle), signal));
    log.info(`Copied the backup ${name} to ${target.name}.`);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    const { message } = error as Error;
    const retrySeconds = attempt >= maxAttempts ? null : Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (attempt - 1));
    await failCopy(db, target.id, name, message, retrySeconds);
    log.error(`The backup ${name} could not be copied to ${target.name} (attempt ${attempt} of ${maxAttempts}). ${message}`);
    return false;
  }
}

/** Removes only what this service has written there. */
async function removeSurplus(deps: CopyDeps, target: TargetRow): Promise<number> {
  const done = (await listCopies(deps.db)).filter(({ target_id, state }) => target_id === target.id && state === 'done');
  let removed = 0;
  for (const { bundle } of done.slice(target.keep)) {
    try {
      await (await transportOf(deps, target)).remove(fileName(bundle), deps.signal);
    } catch (error) {
      deps.log.warning(`The old backup ${bundle} could not be removed from ${target.name}. ${(error as Error).message}`);
      return removed;
    }
    await deleteCopy(deps.db, target.id, bundle);
    removed += 1;
  }
  return removed;
}
