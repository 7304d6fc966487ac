import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from '../assembly/seed.ts';
import { updateSchema } from '../operations/backup/index.ts';
import { closeConfigFolder, connect, type SupervisedServer, sessionAddress, superviseEmbedded } from '../platform/database/index.ts';
import { embeddedFolder } from '../platform/database/open.ts';
import { acquireFolderLock, appNodeFlags, endProcess, type SupervisedProcess, supervise, workerNodeFlags } from '../platform/processes.ts';
import { ensureKeyFile } from '../platform/secrets/index.ts';
import type { Settings } from '../settings/index.ts';
import { version } from '../version.ts';
import { openLog, readSettings } from './context.ts';

/**
 * Runs everything on one machine: updates the schema, then keeps one app process, one worker process and the embedded database running.
 * On stop, app and worker end first, in parallel and within the grace period; the database ends last. If one of them cannot be kept
 * running, all stop.
 */
export async function runAll(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'supervisor');
  closeConfigFolder(settings, log);
  const lock = acquireFolderLock(settings.configDir);
  process.once('exit', lock.release);
  const newKey = ensureKeyFile(settings);
  if (newKey)
    log.info(`Created ${newKey}, the key that encrypts stored secrets. Keep a copy of it apart from your backups.`, { file: newKey });

  let starting: Promise<SupervisedServer> | undefined;
  const children: SupervisedProcess[] = [];
  let stopping = false;
  const stop = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const grace = settings.stopGraceSeconds * 1000;
    await Promise.all(children.map((child) => child.stop(grace)));
    // A database that does not start is reported below.
    await starting?.then(
      (server) => server.stop(),
      () => {},
    );
    endProcess(code);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => {
    if (stopping) return;
    process.stdout.write('\nStopping…\n');
    void stop(0);
  });

  // The signal handlers above must exist by now, because this starts other programs right away.
  if (!settings.databaseUrl) starting = superviseEmbedded({ folder: embeddedFolder(settings), log });
  const server = await starting;
  if (stopping) return;
  const database = connect(sessionAddress(settings), { max: 2, name: 'catalog-bootstrap' });
  try {
    await updateSchema({ database, settings }, log);
    await seed(database.db);
  } catch (error) {
    // Stopping ends the connection in the middle of an update, which is then undone by the database.
    if (stopping) return;
    await server?.stop();
    throw error;
  } finally {
    await database.close();
  }
  if (stopping) return;

  const module = fileURLToPath(new URL('../main.ts', import.meta.url));
  const startProcess = (name: string, flags: readonly string[] = []) =>
    supervise({
      module,
      args: [name],
      flags,
      env: process.env,
      onRestart: (code, signal) =>
        log.error(`The ${name} process exited unexpectedly (${signal ?? `code ${code}`}). It is being restarted.`),
      onKill: () => log.warning(`The ${name} process did not stop within ${settings.stopGraceSeconds} seconds and was killed.`),
    });
  const processes = { app: startProcess('app', appNodeFlags), worker: startProcess('worker', workerNodeFlags) };

  children.push(processes.app, processes.worker);
  for (const [name, child] of Object.entries(processes)) {
    void child.ended.then((code) => {
      if (stopping) return;
      log.critical(`The ${name} process cannot be kept running (code ${code}). Stopping.`);
      void stop(code || 1);
    });
  }
  void server?.failed.then(() => {
    log.critical('The database cannot be kept running. Stopping.');
    void stop(1);
  });
  // A process that is stopped while it starts is never ready.
  await Promise.race([Promise.all(children.map(({ ready }) => ready)), Promise.all(children.map(({ ended }) => ended))]);
  if (!stopping) process.stdout.write(startMessage(settings));
}

function startMessage(settings: Settings): string {
  const scheme = settings.tlsCertFile ? 'https' : 'http';
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(settings.host) ? 'localhost' : settings.host;
  const lines = [
    `Catalog ${version} is running.`,
    '',
    `  Open   ${scheme}://${host}:${settings.port}`,
    `  Data   ${path.resolve(settings.configDir)}`,
    ...(settings.mediaPath ? [`  Media  ${settings.mediaPath}`] : []),
    `  Stop   Ctrl-C`,
    ...(settings.authEnabled ? [] : ['', '  Sign-in is off (SVC_AUTH_ENABLED=false): anyone who can reach this address has full access.']),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}
