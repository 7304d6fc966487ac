import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../settings/index.ts';
import { closeFolder, databaseFolderName, protectConfigFolder } from '../config-folder.ts';
import type { Log } from '../log/contract.ts';
import { checkServer, connect, type Database, type DatabaseAddress, UnusableDatabaseError } from './connection.ts';
import { clusterMark, type EmbeddedServer, embeddedAddress, startEmbedded } from './embedded.ts';
import { databaseFailure } from './failure.ts';
import { hasSchema, migrate, missingMigrations } from './migrate.ts';
import { unprivilegedIdentity } from './native.ts';

/** Closes the config folder to other users, as every command does before it writes there. */
export function closeConfigFolder(settings: Settings, log: Log): void {
  const failure = protectConfigFolder(settings.configDir, databaseGroup(settings));
  if (failure) log.warning(failure);
}

const databaseGroup = ({ databaseUrl }: Settings): number | null => (databaseUrl ? null : (unprivilegedIdentity()?.gid ?? null));

/** The embedded server's folder below the config directory. */
export function embeddedFolder(settings: Settings): string {
  return path.join(settings.configDir, databaseFolderName);
}

export function databaseAddress(settings: Settings): DatabaseAddress {
  return settings.databaseUrl ? { connectionString: settings.databaseUrl } : embeddedAddress(embeddedFolder(settings));
}

/** Like `databaseAddress`, but past a connection pooler: for workers, migrations, and everything else that needs a session of its own. */
export function sessionAddress(settings: Settings): DatabaseAddress {
  return settings.queueDsn ? { connectionString: settings.queueDsn } : databaseAddress(settings);
}

/**
 * Opens the database for a one-shot command: the external one, the embedded one if it is running, or the embedded one started temporarily.
 */
export async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  closeConfigFolder(settings, log);
  return open(settings, log);
}

async function open(settings: Settings, log: Log): Promise<Database> {
  let server: EmbeddedServer | undefined;
  if (!settings.databaseUrl && !(await isEmbeddedRunning(settings))) server = await startEmbedded({ folder: embeddedFolder(settings) });
  const database = connect(sessionAddress(settings), { max: 4, name: 'catalog-command' });
  await waitForDatabase(database, log, { retry: settings.databaseUrl !== undefined });
  return {
    ...database,
    async close() {
      await database.close();
      await server?.stop();
    },
  };
}

/** Like `openDatabase`, for commands that need a catalog: where there is none, nothing is created. */
export async function openExisting(settings: Settings, log: Log): Promise<Database> {
  const isAbsent = !settings.databaseUrl && !statSync(clusterMark(embeddedFolder(settings)), { throwIfNoEntry: false });
  if (isAbsent) throw new Error(noCatalog(settings));
  // With a database elsewhere, a command that only reads needs no config folder, or one that belongs to another user.
  if (existsSync(settings.configDir) && statSync(settings.configDir).isDirectory()) {
    const failure = closeFolder(settings.configDir, databaseGroup(settings));
    if (failure) log.warning(failure);
  }
  const database = await open(settings, log);
  try {
    if (await hasSchema(database.pool)) return database;
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  throw new Error(noCatalog(settings));
}

function noCatalog({ databaseUrl, configDir }: Settings): string {
  return databaseUrl
    ? 'There is no catalog in the database of SVC_DATABASE_URL. Correct the address, or create a catalog with "catalog bootstrap".'
    : `There is no catalog in ${configDir}. Set SVC_CONFIG_DIR to the config folder of yours, or create a catalog with "catalog all".`;
}

async function isEmbeddedRunning(settings: Settings): Promise<boolean> {
  const address = embeddedAddress(embeddedFolder(settings));
  if (!existsSync(path.join(address.host, `.s.PGSQL.${address.port}`))) return false;
  const probe = connect(address, { max: 1 });
  try {
    await checkServer(probe.db);
    return true;
  } catch {
    // A socket file without a server behind it is left by a crash.
    return false;
  } finally {
    await probe.close();
  }
}

/** Waits until the server is available. Throws at once when waiting cannot help, such as for a wrong password or an old version. */
async function waitForDatabase(
  database: Database,
  log: Log,
  { retry = true, signal }: { retry?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await checkServer(database.db);
      return;
    } catch (error) {
      if (!(error instanceof UnusableDatabaseError) || !error.retry || !retry || signal?.aborted) throw error;
      if (attempt % 5 === 0) log.warning(`${error.message} Trying again.`);
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 250 * 2 ** attempt)));
    }
  }
}

/** Applies missing migrations. Idempotent; concurrent calls wait for each other. `beforeUpdate` runs before an existing schema changes. */
export async function bootstrap(
  database: Database,
  log: Log,
  beforeUpdate: (from: number, to: number) => Promise<void>,
): Promise<{ applied: string[]; head: number }> {
  await waitForDatabase(database, log);
  // The migration lock belongs to a session, which a pooler would not keep.
  const direct = connect(database.address, { max: 1, name: 'catalog-bootstrap' });
  const done = await migrate(direct.pool, undefined, beforeUpdate).finally(() => direct.close());
  if (done.applied.length > 0) log.info(`The schema is at version ${done.head}.`, { applied: done.applied });
  return done;
}

/** Waits until another process has applied all migrations, for a process that does not apply them itself. */
export async function waitForSchema(database: Database, log: Log): Promise<void> {
  await waitForDatabase(database, log);
  for (let attempt = 0; ; attempt += 1) {
    const missing = await missingMigrations(database.pool).catch((error: unknown) => {
      if (databaseFailure(error) !== 'lost') throw error;
      return Number.POSITIVE_INFINITY;
    });
    if (missing === 0) return;
    if (attempt === 0) log.info('Waiting for the app, or for "catalog bootstrap", to update the database schema.');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
