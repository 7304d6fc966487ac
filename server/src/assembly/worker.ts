import { libraryTasks } from '../catalog/libraries/tasks.ts';
import { createWatchSupervisor, scanSchedules } from '../catalog/scan/index.ts';
import { scanTasks } from '../catalog/scan/tasks.ts';
import { associateSidecars } from '../catalog/sidecars/index.ts';
import { reclassifyTask } from '../catalog/taxonomy/tasks.ts';
import { requestEmbedding } from '../content/embeddings/index.ts';
import { createSidecarReader, queueExtraction, queueUnopened } from '../content/pipeline/index.ts';
import { openExtraction, refreshExtracts } from '../content/pipeline/tasks.ts';
import { sniffLibraryTask } from '../content/sniff/tasks.ts';
import { proveTask } from '../insight/duplicates/tasks.ts';
import { exportTasks } from '../insight/exports/tasks.ts';
import { reportSchedules } from '../insight/schedules/index.ts';
import { scheduleTasks } from '../insight/schedules/tasks.ts';
import { verifyTask } from '../operations/backup/tasks.ts';
import { reapAll } from '../operations/jobs/index.ts';
import { maintenanceSchedules } from '../operations/maintenance/index.ts';
import type { Dependencies } from '../platform/dependencies.ts';
import { createScheduler, createWorker, type QueueName, type Task } from '../platform/queue/index.ts';
import { openPassageWriter, openSearchWriter } from '../search/engines/index.ts';
import { createPassageProjector } from '../search/passages/index.ts';
import { createProjector } from '../search/projection/index.ts';
import { isEnabled } from '../settings/index.ts';
import { databaseChecks } from './checks.ts';
import { maintenanceTasks } from './maintenance.ts';

interface AssembledWorker {
  start(): Promise<void>;
  stop(graceSeconds: number): Promise<void>;
}

/** One worker process: job slots, schedules, file system watching and index writing. Each scheduled occurrence fires in one worker only. */
export async function assembleWorker(deps: Dependencies): Promise<AssembledWorker> {
  const { db, database, settings, log, clock } = deps;
  const definitions = maintenanceTasks(deps);
  const queues = settings.workerQueues.includes('all') ? undefined : (settings.workerQueues as QueueName[]);
  const extraction = openExtraction(deps);
  const worker = createWorker({
    database,
    tasks: [
      ...catalogTasks(deps),
      ...definitions.map(({ task }) => task),
      ...extraction.tasks,
      sniffLibraryTask,
      ...exportTasks(deps),
      proveTask(deps),
      ...scheduleTasks(deps),
      verifyTask(deps, databaseChecks),
    ],
    log: log.child('queue'),
    clock,
    concurrency: settings.workerConcurrency,
    ...(queues ? { queues } : {}),
    labels: settings.workerLabels,
    heartbeatSeconds: settings.jobStallHeartbeatSeconds,
    requeueBudget: settings.reapMaxAttempts,
  });
  const projector = createProjector({ ...deps, log: log.child('index') }, openSearchWriter(settings));
  const passages = createPassageProjector({ ...deps, log: log.child('passages') }, openPassageWriter(settings));
  const watches = [null, ...settings.workerLabels].map((label) =>
    createWatchSupervisor({
      db,
      log: log.child('watch'),
      options: { label, incremental: settings.watchIncremental, maxEvents: settings.watchIncrementalMaxEvents },
    }),
  );
  const scheduler = createScheduler({
    db,
    log: log.child('schedule'),
    schedules: async () => [
      ...(await maintenanceSchedules(db, definitions)),
      ...(await scanSchedules(db, { maxCatchupMinutes: settings.scanScheduleMaxCatchupMinutes })),
      ...(await reportSchedules(db)),
    ],
  });
  // Runs outside the queue as well: when every slot hangs, a queued reaper would never start.
  const reap = (): void => void reapAll(deps).catch((error: unknown) => log.debug('The reaper could not run; it tries again.', { error }));
  let reaper: NodeJS.Timeout | undefined;
  return {
    async start() {
      // Often, so that a scan whose worker was killed goes on soon.
      reaper = setInterval(reap, 10_000);
      projector.start();
      passages.start();
      extraction.start();
      for (const watch of watches) watch.start();
      worker.start();
      scheduler.start();
      // Loads the model, so that a new one is noticed now and not at the next scheduled run.
      if (isEnabled(settings, 'SVC_SEMANTIC_ENABLED')) await requestEmbedding(db);
    },
    async stop(graceSeconds) {
      clearInterval(reaper);
      await scheduler.stop();
      await Promise.all(watches.map((watch) => watch.stop()));
      await worker.drain(graceSeconds);
      extraction.stop();
      await projector.stop();
      await passages.stop();
    },
  };
}

/** Scans and the taxonomy call extraction and sidecars, which belong to a higher layer. */
function catalogTasks(deps: Dependencies): Task[] {
  const { settings } = deps;
  const scans = scanTasks(deps, {
    queueExtraction: async (db, libraryId, ids) => {
      await queueExtraction(db, libraryId, ids);
    },
    queueUnopened,
    associateSidecars: async (db, libraryId, folderIds) => {
      const reader = createSidecarReader();
      try {
        return await associateSidecars(db, libraryId, folderIds, { priority: settings.sidecarMetadataPriority, read: reader.read });
      } finally {
        reader.close();
      }
    },
  });
  const reclassify: typeof reclassifyTask = {
    ...reclassifyTask,
    async perform(payload, context) {
      await reclassifyTask.perform(payload, context);
      // A category may route the extension to another reader now.
      await refreshExtracts(context.db, settings);
    },
  };
  return [...scans, reclassify, ...libraryTasks];
}
