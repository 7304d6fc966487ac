import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from '../assembly/seed.ts';
import { bootstrap, connect, databaseAddress, type EmbeddedServer, startEmbedded } from '../platform/database/index.ts';
import { embeddedFolder } from '../platform/database/open.ts';
import { supervise, acquireFolderLock, workerNodeFlags } from '../platform/processes.ts';
import type { Settings } from '../settings/index.ts';
import { version } from '../version.ts';
import { fail, openLog, readSettings } from './context.ts';

/**
 * Everything on one machine: bootstrap once, then keep one app and one worker process (and the embedded database) running.
 * Stop order: app and worker first, in parallel, within the grace; the database last. If one part ends for good, all stop.
 */
export async function runAll(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'supervisor');
  const lock = acquireFolderLock(settings.configDir);
  process.once('exit', lock.release);

  let server: EmbeddedServer | undefined;
  if (!settings.databaseUrl) server = await startEmbedded({ folder: embeddedFolder(settings) });
  const database = connect(databaseAddress(settings), { max: 2, name: 'catalog-bootstrap' });
  try {
    await bootstrap(database, log);
    await seed(database.db);
  } catch (error) {
    await database.close();
    await server?.stop();
    throw error;
  }
  await database.close();

  const module = fileURLToPath(new URL('../main.ts', import.meta.url));
  const part = (name: string, flags: readonly string[] = []) =>
    supervise({
      module,
      args: [name],
      flags,
      env: process.env,
      onRestart: (code, signal) => log.error(`The ${name} process ended (${signal ?? `code ${code}`}); starting it again.`),
    });
  const parts = { app: part('app'), worker: part('worker', workerNodeFlags) };

  let stopping = false;
  const stop = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const grace = settings.stopGraceSeconds * 1000;
    await Promise.all(Object.values(parts).map((each) => each.stop(grace)));
    await server?.stop();
    process.exit(code);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => {
    if (stopping) return;
    process.stdout.write('\nStopping…\n');
    void stop(0);
  });
  for (const [name, each] of Object.entries(parts)) {
    void each.ended.then((code) => {
      if (stopping) return;
      log.critical(`The ${name} process cannot run (code ${code}); stopping.`);
      void stop(code || 1);
    });
  }
  void server?.exited.then((code) => {
    if (stopping) return;
    log.critical(`The database ended (code ${code}); stopping.`);
    void stop(1);
  });
  await Promise.all([parts.app.ready, parts.worker.ready]);
  process.stdout.write(startMessage(settings));
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
    ...(settings.authEnabled
      ? []
      : ['', '  Sign-in is off (SVC_AUTH_ENABLED=false): everybody who reaches this address may do everything.']),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

export function explain(error: unknown): never {
  fail(error instanceof Error ? error.message : String(error));
}
