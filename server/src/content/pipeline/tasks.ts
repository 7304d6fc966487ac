import os from 'node:os';
import { createSandboxPool, ocrObstacle, ocrTaskModule, sniffTaskModule, thumbTaskModule } from '@catalog/readers';
import { addStageCounts, type BackpressureReport, reportBackpressure, type StageCounts } from '../../catalog/stages/index.ts';
import { cachedFor } from '../../platform/cached-for.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { metrics } from '../../platform/metrics/index.ts';
import { defineTask, rescheduleIn, summariseJobs, type Task } from '../../platform/queue/index.ts';
import type { Settings } from '../../settings/index.ts';
import { mayWritePictures, openThumbStore } from '../thumbs/index.ts';
import { createBackpressure } from './backpressure.ts';
import { type ExtractionDependencies, type ItemOutcome, processItem, type ThumbState } from './process-item.ts';
import { batchSize, extractJob, queueStale } from './queue.ts';
import { claimPending, isNothingWaiting, releaseClaims } from './store.ts';

const turnMs = 5000;

export function extractTask(
  dependenciesFor: (db: Db) => ExtractionDependencies,
  gate: ExtractionGate,
): Task<(typeof extractJob)['payload']> {
  return defineTask({
    ...extractJob,
    async perform({ library_id }, { db, jobId, log, signal, progress }) {
      const release = await gate.enter();
      // Above the concurrency limit, or the disk is critically full: try later without counting a failure.
      if (release === null) {
        if (await isNothingWaiting(db, library_id)) return;
        throw rescheduleIn(15 + Math.random() * 30);
      }
      const counts: Partial<Record<ItemOutcome, number>> = {};
      const stageCounter = createStageCounter();
      const started = performance.now();
      // While it keeps its slot, a job goes on with further batches: the jobs that found no slot come back much later.
      const readBatch = async (): Promise<boolean> => {
        const items = await claimPending(db, jobId, library_id, batchSize);
        for (const item of items) {
          signal.throwIfAborted();
          let thumb: ThumbState | undefined;
          const onThumb = (state: ThumbState): void => {
            thumb = state;
          };
          const outcome = await processItem({ ...dependenciesFor(db), onThumb }, item, signal);
          counts[outcome] = (counts[outcome] ?? 0) + 1;
          metrics.count('catalog_files_extracted_total', { category: item.file_category, outcome });
          await stageCounter.add(db, item.run_id, outcome, thumb);
          progress({ done: Object.values(counts).reduce((sum, n) => sum + n, 0), ...counts });
        }
        return items.length === batchSize;
      };
      try {
        while (await readBatch()) {
          if (!(await gate.mayStay())) return;
          // Jobs with a higher priority get the worker in between.
          if (performance.now() - started > turnMs) throw rescheduleIn(0);
        }
      } finally {
        release();
        // Both only speed things up: lost counts show as slower progress, and unreleased claims expire.
        await stageCounter.flush(db).catch((error: unknown) => log.warning('Extraction counts were not written.', { error }));
        await releaseClaims(db, jobId).catch((error: unknown) => log.warning('Claimed items were not released.', { error }));
      }
    },
  });
}

/** Queues what would be read otherwise now. Whether text can be recognised is found out each time, because a language may have been installed. */
export async function refreshExtracts(db: Db, { ocrLang }: Pick<Settings, 'ocrLang'>): Promise<number> {
  return queueStale(db, (await ocrObstacle(ocrLang)) === null);
}

export const extractMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'refresh_extracts',
    title: 'Outdated extractions',
    description: 'Reads files that were never read, and after an upgrade those whose extractor has improved.',
    category: 'integrity',
    defaultCron: '20 3 * * *',
    task: defineMaintenanceTask('refresh_extracts', async ({ db, progress }) => progress({ queued: await refreshExtracts(db, settings) })),
  },
];

interface ExtractionWorker {
  tasks: Task[];
  start(): void;
  stop(): void;
}

/** Extraction in one worker process: the sandbox pool, the concurrency limit that follows the machine's load, and the task. */
export function openExtraction(deps: Dependencies): ExtractionWorker {
  const { db, settings, log } = deps;
  const maxConcurrency = settings.extractBackpressureMaxConcurrency || settings.workerConcurrency;
  const pressure = createBackpressure({
    enabled: settings.extractBackpressure,
    min: Math.min(settings.extractBackpressureMinConcurrency, maxConcurrency),
    max: maxConcurrency,
    highLoad: settings.extractBackpressureHighLoad,
    lowLoad: settings.extractBackpressureLowLoad,
    decreaseFactor: settings.extractBackpressureDecreaseFactor,
    expandCooldownSeconds: settings.extractBackpressureExpandCooldownSeconds,
  });
  const pool = createSandboxPool({
    size: Math.min(maxConcurrency, Math.max(2, os.availableParallelism())),
    tasks: { thumb: thumbTaskModule, ocr: ocrTaskModule, sniff: sniffTaskModule },
  });
  const thumbs = openThumbStore(settings);
  const mayWriteThumbs = mayWritePictures(settings);
  const disk = cachedFor(5000, () => probeDisks(settings));
  // At critical, extraction pauses only when the database's own disk is monitored.
  const isOpen = async () => !(await disk()).paths.some(({ is_pg, status }) => is_pg && status === 'critical');
  const gate = createGate({ ceiling: pressure.ceiling, open: isOpen });
  const pressureLog = log.child('backpressure');
  const workerName = `${os.hostname()}:${process.pid}`;

  async function currentReport(): Promise<BackpressureReport | null> {
    if (!(await isOpen()))
      return { state: 'paused', reason: 'The disk of the database is critically full. Extraction resumes when space is free.' };
    const state = pressure.state();
    if (state === 'normal') return null;
    const ceiling = pressure.ceiling();
    return state === 'tripped'
      ? { state, reason: `The machine is busy: ${ceiling} of ${maxConcurrency} files are read at a time.` }
      : { state, reason: `The machine has caught up: ${ceiling} of ${maxConcurrency} files are read at a time.` };
  }
  let timer: NodeJS.Timeout | undefined;

  async function sample(): Promise<void> {
    const [load = 0] = os.loadavg();
    const perCore = process.platform === 'win32' ? null : load / os.availableParallelism();
    const { queues } = await summariseJobs(db, { heartbeatSeconds: 30, stallSeconds: 3600, exemptTasks: [] });
    const change = pressure.sample(Date.now(), perCore, queues['extract']?.todo ?? 0);
    if (change) pressureLog.info(change);
    await reportBackpressure(db, workerName, await currentReport());
  }
  const sampleFailed = (error: unknown): void => pressureLog.debug('The load was not sampled; the next sample follows shortly.', { error });

  return {
    tasks: [extractTask((at) => ({ db: at, settings, pool, thumbs, mayWriteThumbs }), gate)],
    start() {
      timer = setInterval(() => void sample().catch(sampleFailed), settings.extractBackpressureSampleSeconds * 1000);
    },
    stop() {
      clearInterval(timer);
      pool.close();
      // A report that cannot be withdrawn expires after 90 s.
      void reportBackpressure(db, workerName, null).catch(() => {});
    },
  };
}

/**
 * Limits how many extract jobs run at once in this worker: up to the backpressure ceiling, and none while the disk is critically full.
 */
interface ExtractionGate {
  /** Returns a function that gives the slot back, or null when there is no free slot. */
  enter(): Promise<(() => void) | null>;
  /** False when a job inside has to leave, because the ceiling came down or the disk is critically full. */
  mayStay(): Promise<boolean>;
  inside(): number;
}

export function createGate(options: { ceiling(): number; open(): Promise<boolean> }): ExtractionGate {
  let inside = 0;
  return {
    async enter() {
      if (inside >= options.ceiling() || !(await options.open())) return null;
      inside += 1;
      let left = false;
      return () => {
        if (!left) inside -= 1;
        left = true;
      };
    },
    mayStay: async () => inside <= options.ceiling() && (await options.open()),
    inside: () => inside,
  };
}

const everyMs = 2000;

/** Sums the outcomes of a batch per scan run and writes them every two seconds, so that progress is visible at little cost. */
function createStageCounter() {
  const sums = new Map<string, StageCounts>();
  let written = performance.now();

  async function flush(db: Db): Promise<void> {
    const due = [...sums];
    sums.clear();
    written = performance.now();
    for (const [runId, each] of due) await addStageCounts(db, runId, each);
  }

  return {
    flush,
    async add(db: Db, runId: string | null, outcome: ItemOutcome, thumb: ThumbState | undefined): Promise<void> {
      // A stopped item is processed and counted again later.
      if (runId === null || outcome === 'stopped') return;
      const sum = sums.get(runId) ?? { extracted: 0, failed: 0, thumbs_wanted: 0, thumbs_done: 0, thumbs_failed: 0 };
      sums.set(runId, sum);
      sum.extracted += 1;
      if (outcome === 'failed') sum.failed += 1;
      if (thumb !== undefined) sum.thumbs_wanted += 1;
      if (thumb === 'settled') sum.thumbs_done += 1;
      if (thumb === 'failed') sum.thumbs_failed += 1;
      if (performance.now() - written > everyMs) await flush(db);
    },
  };
}
