import { bootstrap, type Database, NewerSchemaError } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { givenSettings, type Settings } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { backupsFolder, bundleNames, findBundleFolder, openBundle } from './folder.ts';
import { unfinishedRestore } from './unfinished.ts';

/**
 * Brings the schema to this version. Existing data is backed up before its schema changes, unless SVC_BACKUP_BEFORE_UPDATE is false; without
 * that backup nothing is changed.
 */
export async function updateSchema(
  deps: { database: Database; settings: Settings },
  log: Log,
): Promise<{ applied: string[]; head: number }> {
  try {
    const done = await bootstrap(deps.database, log, async (from, to) => {
      if (deps.settings.backupBeforeUpdate) await backUpBefore(deps, log, { from, to });
    });
    const unfinished = await unfinishedRestore(deps.database.db);
    if (unfinished) log.error(unfinished);
    return done;
  } catch (error) {
    if (error instanceof NewerSchemaError) error.message = `${error.message} ${wayBack(deps.settings, error.newest)}`;
    throw error;
  }
}

async function backUpBefore(
  deps: { database: Database; settings: Settings },
  log: Log,
  { from, to }: { from: number; to: number },
): Promise<void> {
  log.info(`Backing up before the schema is updated from version ${from} to ${to}.`);
  try {
    const { name } = await createBackup(deps, {
      createdBy: `before the update from schema ${from} to ${to}`,
      now: new Date(),
      signal: new AbortController().signal,
      progress: () => {},
      keep: deps.settings.backupKeep,
      environment: givenSettings(process.env),
    });
    log.info(`Wrote the backup ${name}. To go back: install the earlier version and run "catalog restore ${name}".`);
  } catch (error) {
    throw new Error(
      `The update was not started, because the backup before it failed: ${(error as Error).message} Nothing was changed. Fix this and start again, or set SVC_BACKUP_BEFORE_UPDATE=false to update without a backup.`,
    );
  }
}

/** Which backup brings the data back to a schema that this version knows. */
function wayBack(settings: Settings, newest: number): string {
  const name = bundleNames(backupsFolder(settings)).find((candidate) => schemaOf(settings, candidate) <= newest);
  return name
    ? `To go back to this version with the data of that time: catalog restore ${name}`
    : 'The config folder has no backup that this version could restore.';
}

function schemaOf(settings: Settings, name: string): number {
  const folder = findBundleFolder(settings, name);
  try {
    return folder ? openBundle(folder).manifest.schema_head : Number.POSITIVE_INFINITY;
  } catch {
    // A damaged backup is not one to go back to.
    return Number.POSITIVE_INFINITY;
  }
}
