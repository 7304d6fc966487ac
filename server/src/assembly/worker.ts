import { scanSchedules } from '../catalog/scan/index.ts';
import { reapAll } from '../operations/jobs/index.ts';
import { maintenanceSchedules } from '../operations/maintenance/index.ts';
import type { Parts } from '../platform/parts.ts';
import { createScheduler, createWorker, type QueueName } from '../platform/queue/index.ts';
import { openWatch } from './catalog.ts';
import { openContent } from './content.ts';
import { maintenanceTasks } from './maintenance.ts';
import { openSearch } from './search.ts';
import { assembleTasks } from './tasks.ts';

export interface AssembledWorker {
  start(): Promise<void>;
  stop(graceSeconds: number): Promise<void>;
}

/** One worker process: the queue's slots and the schedules. Every worker may run the schedules; each occurrence fires once. */
export async function assembleWorker(parts: Parts): Promise<AssembledWorker> {
  const { db, database, settings, log, clock } = parts;
  const definitions = maintenanceTasks(parts);
  const queues = settings.workerQueues.includes('all') ? undefined : (settings.workerQueues as QueueName[]);
  const content = openContent(parts);
  const worker = createWorker({
    database,
    tasks: [...assembleTasks(parts), ...content.tasks],
    log: log.child('queue'),
    clock,
    concurrency: settings.workerConcurrency,
    ...(queues ? { queues } : {}),
    heartbeatSeconds: settings.jobStallHeartbeatSeconds,
    requeueBudget: settings.reapMaxAttempts,
  });
  const search = openSearch(parts);
  const projector = search.projector();
  const watch = openWatch(parts);
  const scheduler = createScheduler({
    db,
    clock,
    log: log.child('schedule'),
    schedules: async () => [
      ...(await maintenanceSchedules(db, definitions)),
      ...(await scanSchedules(db, { maxCatchupMinutes: settings.scanScheduleMaxCatchupMinutes })),
    ],
  });
  // Also outside the queue: with every slot hung, a reaper that waits for a slot would never come.
  const reap = (): void => void reapAll(parts).catch((error: unknown) => log.warning('The reaper could not run.', { error }));
  let reaper: NodeJS.Timeout | undefined;
  return {
    async start() {
      reaper = setInterval(reap, 300_000);
      projector.start();
      content.start();
      watch.start();
      worker.start();
      scheduler.start();
    },
    async stop(graceSeconds) {
      clearInterval(reaper);
      await scheduler.stop();
      await watch.stop();
      await worker.drain(graceSeconds);
      content.stop();
      await projector.stop();
      await search.reader.close();
    },
  };
}
