import { sql } from 'kysely';
import { connectClient, type Database, type Db, dbOf } from '../../platform/database/index.ts';
import { checkSecretKey } from '../../platform/secrets/index.ts';
import { requestNewRebuild } from '../../search/projection/index.ts';
import { givenSettings } from '../../settings/index.ts';
import { describeFiles, restoreFiles } from './config-files.ts';
import { type BackupDeps, createBackup } from './create.ts';
import { type Bundle, checkParts } from './folder.ts';
import { replaceDatabase, requireKnownSchema } from './load.ts';
import { formatEnvironment, isProtected, readProtected, restoreAgentAuthority, restoredEnvironment, restoreSecrets } from './protected.ts';
import { readSecretFiles } from './secret-files.ts';
import { clearUnfinished, markUnfinished } from './unfinished.ts';

export interface RestorePlan {
  /** What the restore does, one sentence each. */
  steps: string[];
  warnings: string[];
  /** Whether the database holds anything that the restore replaces. */
  replaces: boolean;
}

/** Checks everything that can be checked without a change. Throws when the restore cannot work. */
export async function planRestore({ database, settings }: BackupDeps, bundle: Bundle, backupFirst: boolean): Promise<RestorePlan> {
  const { manifest } = bundle;
  requireKnownSchema(manifest);
  await requireStopped(database);
  await checkParts(bundle);
  const current = await currentContent(database);
  const key = current ? await checkSecretKey(database.db, settings) : null;
  const wanted = manifest.fingerprints.secret_key;
  const sealed = await readSecrets(settings, bundle);
  const replaces = current !== null && (current.items > 0 || current.accounts > 0);
  const steps = [
    `Restore ${manifest.name}, made ${manifest.created_at} by Catalog ${manifest.app_version} (schema ${manifest.schema_head}): ${manifest.item_count} items in ${manifest.tables.length} tables.`,
    ...(replaces && backupFirst ? ['Back up the current database first.'] : []),
    replaces
      ? `Replace the current database, which has ${current.items} items and ${current.accounts} accounts. All of it is removed.`
      : 'Fill the empty database.',
    ...describeFiles(settings, bundle),
    ...(sealed?.environmentFile != null
      ? [`Write the secret key to the config folder, and the settings of the backed-up installation to ${restoredEnvironment} beside it.`]
      : []),
    ...(sealed?.agent_ca != null
      ? ['Write the certificate authority of the agents to the config folder, so that their certificates stay valid.']
      : []),
    'Rebuild the search index and check the consistency of the catalog.',
  ];
  const warnings = [
    ...(isProtected(manifest) && settings.backupPassphrase === undefined
      ? ['The backup holds the secret key. To restore it too, stop here, set SVC_BACKUP_PASSPHRASE and start again.']
      : []),
    ...(wanted && key && key.configured !== wanted && !(sealed && sealed.keys.length > 0 && settings.secretKey === undefined)
      ? [
          `The secret key of this installation (${key.configured ?? 'none'}) is not the one the backup was made with (${wanted}). Stored secrets such as alert passwords stay unreadable until you restore that key.`,
        ]
      : []),
    ...(replaces && !backupFirst ? ['The current database is not backed up first.'] : []),
  ];
  return { steps, warnings, replaces };
}

interface RestoreOptions {
  /** The plan that a person has agreed to; without one it is made first. */
  plan?: RestorePlan;
  now: Date;
  signal: AbortSignal;
  progress(value: Record<string, unknown>): void;
  backupFirst: boolean;
}

/**
 * Carries out the plan up to the index, and returns the backup of the old data, if one was made. The database changes in one transaction
 * that also requests the rebuild of the index, so an interrupted restore leaves the old catalog, or the new one with a rebuild to come and
 * a record that files and keys are still to be written.
 */
export async function restoreBackup(deps: BackupDeps, bundle: Bundle, options: RestoreOptions): Promise<Bundle | null> {
  const { replaces } = options.plan ?? (await planRestore(deps, bundle, options.backupFirst));
  // Somebody may have started the service since the plan was made.
  await requireStopped(deps.database);
  const secrets = await readSecrets(deps.settings, bundle);
  const before =
    replaces && options.backupFirst
      ? await createBackup(deps, {
          ...options,
          createdBy: `before the restore of ${bundle.name}`,
          keep: null,
          environment: givenSettings(process.env),
        })
      : null;
  const client = await connectClient(deps.database.address, 'catalog-restore');
  try {
    await replaceDatabase(client, bundle, {
      ...options,
      compare: false,
      async beforeCommit() {
        const db = dbOf(client);
        await forgetWorkers(db);
        await failBackupJobs(db);
        await requestNewRebuild(db);
        await markUnfinished(db, bundle.name);
      },
    });
  } finally {
    await client.end();
  }
  options.progress({ stage: 'files' });
  await restoreFiles(deps.settings, bundle);
  if (secrets) {
    restoreSecrets(deps.settings, secrets.keys, secrets.environmentFile);
    restoreAgentAuthority(deps.settings, secrets.agent_ca);
  }
  await clearUnfinished(deps.database.db);
  return before;
}

interface BundleSecrets {
  keys: string[];
  environmentFile: string | null;
  agent_ca: string | null;
}

/** The secrets that the bundle holds, encrypted or in plain text. Null without them, or without the passphrase. */
async function readSecrets(settings: BackupDeps['settings'], bundle: Bundle): Promise<BundleSecrets | null> {
  const plain = readSecretFiles(bundle);
  const sealed = await readProtected(settings, bundle);
  if (!plain && !sealed) return null;
  return {
    keys: plain?.environmentFile != null ? plain.secret_keys : (sealed?.secret_keys ?? []),
    environmentFile: plain?.environmentFile ?? (sealed ? formatEnvironment(sealed.environment) : null),
    agent_ca: plain?.agent_ca ?? sealed?.agent_ca ?? null,
  };
}

/** A running service would go on with rows that no longer exist. */
async function requireStopped({ db }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name in ('catalog-app', 'catalog-worker')`.execute(db);
  if (rows.length > 0) throw new Error('Catalog is running on this database. Stop every app and worker process, then restore.');
}

/** Null when the database has no tables of Catalog. */
async function currentContent({ db }: Database): Promise<{ items: number; accounts: number } | null> {
  const { rows } = await sql<{
    found: boolean;
  }>`select to_regclass('items') is not null and to_regclass('principals') is not null as found`.execute(db);
  if (!rows[0]?.found) return null;
  const counts = await sql<{ items: number; accounts: number }>`select (select count(*) from items) as items,
    (select count(*) from principals) as accounts`.execute(db);
  return counts.rows[0] ?? null;
}

async function forgetWorkers(db: Db): Promise<void> {
  await sql`delete from workers`.execute(db);
}

/** The bundle holds the job that wrote it, still running. It must not be requeued. */
async function failBackupJobs(db: Db): Promise<void> {
  await sql`update jobs set state = 'failed', finished_at = now(), worker_id = null, error = 'The catalog was restored from a backup that was made while this job ran.'
    where state in ('doing', 'aborting') and task in ('backup_now', 'verify_backup')`.execute(db);
}
