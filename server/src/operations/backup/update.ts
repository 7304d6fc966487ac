import path from 'node:path';
import { bootstrap, type Database, NewerSchemaError } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { givenSettings, type Settings } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { applyRetention, backupsFolder, bundleNames, findBundleFolder, openBundle, removeBundle } from './folder.ts';
import type { Manifest } from './manifest.ts';
import { unfinishedRestore } from './unfinished.ts';

/**
 * Brings the schema to this version. Existing data is backed up before its schema changes, unless SVC_BACKUP_BEFORE_UPDATE is false; without
 * that backup nothing is changed. An update that fails at every start keeps all earlier backups, and one backup of its own.
 */
export async function updateSchema(
  deps: { database: Database; settings: Settings },
  log: Log,
): Promise<{ applied: string[]; head: number }> {
  try {
    let made = '';
    const done = await bootstrap(deps.database, log, async (from, to) => {
      if (deps.settings.backupBeforeUpdate) made = await backUpBefore(deps, log, { from, to });
    });
    if (made) removeOrWarn(log, () => applyRetention(backupsFolder(deps.settings), deps.settings.backupKeep, made));
    const unfinished = await unfinishedRestore(deps.database.db);
    if (unfinished) log.error(unfinished);
    return done;
  } catch (error) {
    if (error instanceof NewerSchemaError) error.message = `${error.message} ${wayBack(deps.settings, error.newest)}`;
    throw error;
  }
}

/** Returns the name of the backup. */
async function backUpBefore(
  deps: { database: Database; settings: Settings },
  log: Log,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const createdBy = `before the update from schema ${from} to ${to}`;
  log.info(`Backing up before the schema is updated from version ${from} to ${to}.`);
  let made: string;
  try {
    const { name } = await createBackup(deps, {
      createdBy,
      now: new Date(),
      signal: new AbortController().signal,
      progress: () => {},
      keep: null,
      environment: givenSettings(process.env),
    });
    made = name;
  } catch (error) {
    throw new Error(
      `The update was not started, because the backup before it failed: ${(error as Error).message} Nothing was changed. Fix this and start again, or set SVC_BACKUP_BEFORE_UPDATE=false to update without a backup.`,
    );
  }
  log.info(`Wrote the backup ${made}. To go back: install the earlier version and run "catalog restore ${made}".`);
  removeOrWarn(log, () => removeEarlierAttempts(deps.settings, made, createdBy));
  return made;
}

/** Replaces only attempts next to each other: another backup between two of them shows that the data was in use in between. */
function removeEarlierAttempts(settings: Settings, made: string, createdBy: string): void {
  const names = bundleNames(backupsFolder(settings));
  const at = names.indexOf(made);
  // Names are times: if the clock was ahead before, earlier attempts have later names.
  for (const others of [names.slice(0, at).reverse(), names.slice(at + 1)]) {
    const end = others.findIndex((name) => readManifest(settings, name)?.created_by !== createdBy);
    for (const name of others.slice(0, end === -1 ? undefined : end)) removeBundle(path.join(backupsFolder(settings), name));
  }
}

/** An old backup that cannot be removed must not keep the service from starting. */
function removeOrWarn(log: Log, remove: () => void): void {
  try {
    remove();
  } catch (error) {
    log.warning(`Old backups could not be removed: ${(error as Error).message}`);
  }
}

/** Which backup brings the data back to a schema that this version knows. */
function wayBack(settings: Settings, newest: number): string {
  const name = bundleNames(backupsFolder(settings)).find((candidate) => {
    const manifest = readManifest(settings, candidate);
    return manifest !== null && manifest.schema_head <= newest;
  });
  return name
    ? `To go back to this version with the data of that time: catalog restore ${name}`
    : 'The config folder has no backup that this version could restore.';
}

/** Null for a damaged backup: it is neither one to go back to nor one to replace. */
function readManifest(settings: Settings, name: string): Manifest | null {
  const folder = findBundleFolder(settings, name);
  try {
    return folder === null ? null : openBundle(folder).manifest;
  } catch {
    return null;
  }
}
