import { assembleWorker } from '../assembly/worker.ts';
import { logMissingLayers, protectConfigFolder } from '../content/sandbox/index.ts';
import { systemClock } from '../platform/clock.ts';
import { closeConfigFolder, connect, sessionAddress, waitForSchema } from '../platform/database/index.ts';
import { metrics, startMetricsReport } from '../platform/metrics/index.ts';
import { connectToSupervisor, endProcess } from '../platform/processes.ts';
import { reportSecretKey } from '../platform/secrets/index.ts';
import { openLog, openLogSink, readSettings } from './context.ts';

/** The worker process: scans, extraction, indexing and schedules. */
export async function runWorker(): Promise<void> {
  const settings = readSettings();
  const database = connect(sessionAddress(settings), { max: settings.workerConcurrency + 8, name: 'catalog-worker' });
  // Without the database as a sink, because its table may not exist yet.
  const early = openLog(settings, 'worker');
  if (process.send === undefined) closeConfigFolder(settings, early);
  await waitForSchema(database, early);
  const sink = openLogSink(settings, database.db, 'worker');
  const log = openLog(settings, 'worker', sink ? [sink] : []);
  await reportSecretKey(database.db, settings, log);
  const worker = await assembleWorker({ db: database.db, database, settings, log, clock: systemClock });
  const report = startMetricsReport({ db: database.db, pool: database.pool, log, metrics, role: 'worker' });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // The last statements need a moment before the supervisor kills the process.
    await worker.stop(Math.max(0, settings.stopGraceSeconds - 3));
    await report.stop();
    await sink?.close();
    await database.close();
    endProcess(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const supervisor = connectToSupervisor(() => void stop());
  protectConfigFolder(settings);
  await worker.start();
  log.info(`Running up to ${settings.workerConcurrency} jobs at a time.`);
  supervisor.ready();
  await logMissingLayers(log);
}
