import { createReadStream, existsSync, statSync } from 'node:fs';
import { databaseChecks } from '../assembly/checks.ts';
import {
  type BackupDeps,
  type Bundle,
  BundleExists,
  createBackup,
  findBundleFolder,
  importBundle,
  openBundle,
  verifyBackup,
} from '../operations/backup/index.ts';
import { openDatabase } from '../platform/database/index.ts';
import { givenSettings, type Settings } from '../settings/index.ts';
import { fail, openLog, readSettings } from './context.ts';

/** `catalog backup` writes a bundle; `catalog backup verify BACKUP` proves that one can be restored. */
export async function runBackup(args: readonly string[]): Promise<void> {
  const [action, given, ...more] = args;
  if (action !== undefined && (action !== 'verify' || given === undefined || more.length > 0))
    fail('Usage: catalog backup [verify BACKUP]', 2);
  const settings = readSettings();
  const database = await openDatabase(settings, openLog(settings, 'backup'));
  try {
    if (given === undefined) await create({ database, settings });
    else await verify({ database, settings }, given);
  } finally {
    await database.close();
  }
}

const signal = new AbortController().signal;

async function create(deps: BackupDeps): Promise<void> {
  const { folder, manifest } = await createBackup(deps, {
    createdBy: 'catalog backup',
    now: new Date(),
    signal,
    progress: () => {},
    keep: deps.settings.backupKeep,
    environment: givenSettings(process.env),
  });
  process.stdout.write(
    `${folder}\n${manifest.item_count} items. ${
      manifest.complete
        ? 'The secret key and the settings are included, protected by SVC_BACKUP_PASSPHRASE.'
        : `Not included: ${manifest.missing.join(', ')}. Keep copies of them in another place, or set SVC_BACKUP_PASSPHRASE.`
    }\n`,
  );
}

async function verify(deps: BackupDeps, given: string): Promise<void> {
  const { name, folder } = await locateBundle(deps.settings, given);
  const result = await verifyBackup(deps, folder, { now: new Date(), signal, progress: () => {}, checks: databaseChecks });
  if (result.ok) return void process.stdout.write(`${name} can be restored. Every row was compared, in ${result.seconds} s.\n`);
  process.stderr.write(`${name} is damaged. ${result.error}\n`);
  process.exitCode = 1;
}

/** Accepts the name of a backup, its folder, or the tar file that the service offers for download, which is added to the backups. */
export async function locateBundle(settings: Settings, given: string): Promise<Bundle> {
  const known = findBundleFolder(settings, given);
  if (known) return openBundle(known);
  if (!existsSync(given)) throw new Error(`There is no backup "${given}" in the config folder, and no such file or folder.`);
  if (statSync(given).isDirectory()) return openBundle(given);
  try {
    return await importBundle(settings, createReadStream(given));
  } catch (error) {
    const present = error instanceof BundleExists && error.same ? findBundleFolder(settings, error.bundleName) : null;
    if (!present) throw error;
    return openBundle(present);
  }
}
