import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
// The files themselves: index.ts also loads what restores and verifies, which takes longer than a small backup.
import { BundleExists, importBundle } from '../operations/backup/archive.ts';
import { type BackupDeps, createBackup } from '../operations/backup/create.ts';
import { type Bundle, findBundleFolder, openBundle } from '../operations/backup/folder.ts';
import { openExisting, processInBackground } from '../platform/database/index.ts';
import { givenSettings, type Settings } from '../settings/index.ts';
import { CommandError } from './command-error.ts';
import { openLog, readSettings } from './context.ts';

const options = {
  to: { type: 'string' },
  keep: { type: 'string' },
  environment: { type: 'string' },
  authority: { type: 'boolean' },
} as const;

/** `catalog backup` writes a bundle; `catalog backup verify BACKUP` proves that one can be restored. */
export async function runBackup(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [action, given, ...more] = positionals;
  const isVerify = action === 'verify' && given !== undefined && more.length === 0 && Object.keys(values).length === 0;
  const keep = Number(values.keep ?? '1');
  if (action !== undefined && !isVerify) throw new CommandError(usage, 2);
  if (!Number.isInteger(keep) || keep < 1)
    throw new CommandError(`--keep must be a whole number from 1, not "${values.keep}".\n${usage}`, 2);
  processInBackground();
  const settings = readSettings();
  const database = await openExisting(settings, openLog(settings, 'backup'));
  try {
    if (given === undefined) await create({ database, settings }, values);
    else await verify({ database, settings }, given);
  } finally {
    await database.close();
  }
}

const usage = 'Usage: catalog backup [--to FOLDER] [--keep N] [--environment FILE] [--authority]\n       catalog backup verify BACKUP';

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${usage}`, 2);
  }
}

const signal = new AbortController().signal;

async function create(deps: BackupDeps, given: { to?: string; keep?: string; environment?: string; authority?: boolean }): Promise<void> {
  const environmentFile = given.environment;
  const { folder, manifest } = await createBackup(deps, {
    createdBy: 'catalog backup',
    now: new Date(),
    signal,
    progress: () => {},
    ...(given.to === undefined ? {} : { folder: path.resolve(given.to) }),
    keep: given.keep === undefined ? deps.settings.backupKeep : Number(given.keep),
    environment: givenSettings(process.env),
    // "-" is the standard input, for an environment file outside the container.
    secretFiles: {
      ...(environmentFile === undefined ? {} : { environmentFile: readFileSync(environmentFile === '-' ? 0 : environmentFile, 'utf8') }),
      authority: given.authority ?? false,
    },
  });
  process.stdout.write(`${folder}\n${manifest.item_count} items. ${describeSecrets(manifest)}\n`);
}

function describeSecrets({ complete, files, missing }: Bundle['manifest']): string {
  const plain = files.some(({ name }) => /env\.backup|agent-ca\.pem/.test(name));
  return [
    ...(plain ? ['Secrets are included in plain text. Keep the backup in a safe place.'] : []),
    ...(complete && !plain ? ['The secret key and the settings are included, protected by SVC_BACKUP_PASSPHRASE.'] : []),
    ...(missing.length > 0
      ? [`Not included: ${missing.join(', ')}. Keep copies of them in another place, or set SVC_BACKUP_PASSPHRASE.`]
      : []),
  ].join(' ');
}

async function verify(deps: BackupDeps, given: string): Promise<void> {
  const { name, folder } = await locateBundle(deps.settings, given);
  // The checks load every capability, which a backup does not need.
  const [{ databaseChecks }, { verifyBackup }] = await Promise.all([
    import('../assembly/checks.ts'),
    import('../operations/backup/verify.ts'),
  ]);
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
