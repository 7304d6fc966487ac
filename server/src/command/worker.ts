import { assembleWorker } from '../assembly/worker.ts';
import { systemClock } from '../platform/clock.ts';
import { closeConfigFolder, connect, databaseAddress, waitForDatabase } from '../platform/database/index.ts';
import { connectToSupervisor } from '../platform/processes.ts';
import { reportSecretKey } from '../platform/secrets/index.ts';
import { openLog, openLogSink, readSettings } from './context.ts';

/** The worker process: scans, extraction, indexing and schedules. */
export async function runWorker(): Promise<void> {
  const settings = readSettings();
  const database = connect(databaseAddress(settings), { max: settings.workerConcurrency + 8, name: 'catalog-worker' });
  const sink = openLogSink(settings, database.db, 'worker');
  const log = openLog(settings, 'worker', sink ? [sink] : []);
  if (process.send === undefined) closeConfigFolder(settings, log);
  await waitForDatabase(database, log);
  await reportSecretKey(database.db, settings, log);
  const worker = await assembleWorker({ db: database.db, database, settings, log, clock: systemClock });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await worker.stop(settings.stopGraceSeconds);
    await sink?.close();
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const supervisor = connectToSupervisor(() => void stop());
  await worker.start();
  log.info(`Running up to ${settings.workerConcurrency} jobs at a time.`);
  supervisor.ready();
}
