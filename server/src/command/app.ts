import { assembleApp } from '../assembly/app.ts';
import { seed } from '../assembly/seed.ts';
import { logMissingLayers, protectConfigFolder } from '../content/sandbox/index.ts';
import { encryptWebhookAddresses } from '../insight/alerts/index.ts';
import { updateSchema } from '../operations/backup/index.ts';
import { recordEnvironmentLimits } from '../people/identity/index.ts';
import { endRemovedDirectories, endRemovedProviders } from '../people/providers/index.ts';
import { systemClock } from '../platform/clock.ts';
import { closeConfigFolder, connect, databaseAddress, sessionAddress, waitForSchema } from '../platform/database/index.ts';
import { connectToSupervisor, endProcess } from '../platform/processes.ts';
import { reportSecretKey } from '../platform/secrets/index.ts';
import { CommandError } from './command-error.ts';
import { openLog, openLogSink, readSettings } from './context.ts';

/** The web and API process. */
export async function runApp(): Promise<void> {
  const settings = readSettings();
  const database = connect(databaseAddress(settings), { name: 'catalog-app', sessionAddress: sessionAddress(settings) });
  const early = openLog(settings, 'app');
  const supervised = process.send !== undefined;
  if (!supervised) closeConfigFolder(settings, early);
  if (settings.autoInitDb && !supervised) {
    await updateSchema({ database, settings }, early);
    await seed(database.db);
  } else await waitForSchema(database, early);
  // Opened now, because the table it writes to did not exist before.
  const sink = openLogSink(settings, database.db, 'app');
  const log = openLog(settings, 'app', sink ? [sink] : []);
  await reportSecretKey(database.db, settings, log);
  await recordEnvironmentLimits(database.db, settings);
  await encryptWebhookAddresses({ db: database.db, settings });
  for (const [what, endRemoved] of [
    ['a directory', endRemovedDirectories] as const,
    ['an OpenID provider', endRemovedProviders] as const,
  ]) {
    const losing = await endRemoved({ db: database.db, settings }, { principalId: null, ip: '' });
    if (losing > 0) log.warning(`${losing} people lost the role or the groups that ${what} gave, because it is no longer configured.`);
  }
  if (!settings.authEnabled) log.warning('SVC_AUTH_ENABLED is false: anyone who can reach this address has full access.');

  protectConfigFolder(settings);
  const app = await assembleApp({ db: database.db, database, settings, log, clock: systemClock });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // A hanging connection to the database must not use up the grace period, after which the process would be killed.
    setTimeout(() => endProcess(0), Math.max(0, settings.stopGraceSeconds - 2) * 1000).unref();
    await app.close();
    await sink?.close();
    await database.close();
    endProcess(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const supervisor = connectToSupervisor(() => void stop());
  try {
    // After a restart thousands of agents connect within seconds.
    await app.listen({ host: settings.host, port: settings.port, backlog: 4096 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${settings.port} is in use by another program. Stop that program, or set SVC_PORT to a free port.`, 3);
    if (code === 'EACCES')
      throw new CommandError(`Port ${settings.port} requires root privileges. Set SVC_PORT to a number above 1023.`, 3);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandError(
        `This machine does not have the address ${settings.host}. Set SVC_HOST to one of its addresses, such as 127.0.0.1.`,
        3,
      );
    throw error;
  }
  log.info(`Listening on ${settings.host}:${settings.port}.`);
  supervisor.ready();
  // A supervised worker on the same host logs them already.
  if (!supervised) await logMissingLayers(log);
}
