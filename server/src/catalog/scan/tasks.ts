import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Log } from '../../platform/log/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask, type Task } from '../../platform/queue/index.ts';
import type { ScanDependencies } from './context.ts';
import { purgeScanChanges } from './diff.ts';
import { abortedCode, clearedCode } from './heartbeat.ts';
import { reattachAll } from './reattach.ts';
import { backfillContentHashes, rehashJob, rehashLibrary, type rehashPayload, rehashSmallFiles } from './rehash.ts';
import { performScan, scanDependencies } from './run.ts';
import { createScanRun, endRun, findRun, type RunRow } from './run-store.ts';
import { scopesOf } from './scopes.ts';
import { scanPayload, scanTaskName } from './service.ts';

const backfillPayload = Type.Object({});

/** `dependenciesFor` is called for each job, so that tests can pass their own. */
export function createScanTask(dependenciesFor: (db: Db) => ScanDependencies): Task<typeof scanPayload> {
  return defineTask({
    name: scanTaskName,
    queue: 'scan',
    payload: scanPayload,
    attempts: 1,
    ageExempt: true,
    async perform({ scan_run_id }, { db, jobId, log, signal }) {
      const run = await claimRun(db, scan_run_id, jobId);
      if (!run) return;
      await logEnd(await performScan({ ...dependenciesFor(db), log }, run.id, signal), { db, log });
      // The queue requeues or ends an aborted job by this reason.
      if (signal.aborted) throw signal.reason;
    },
  });
}

/** How a scan ended. A watched folder is scanned on every change, so only failures of such scans are logged. */
async function logEnd(run: RunRow, { db, log }: { db: Db; log: Log }): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from all_libraries where id = ${run.library_id}`.execute(db);
  const name = rows[0]?.name ?? '–';
  const fields = { library_id: run.library_id, scan_id: run.id };
  if (run.status === 'failed') log.warning(`Scan of ${name} failed. ${run.error ?? ''}`.trim(), { ...fields, code: run.error_code });
  else if (run.status === 'stopped') log.info(`Scan of ${name} stopped.`, fields);
  else if (run.trigger !== 'watch') {
    const count = (name: string) => Number(run.stats[name] ?? 0);
    const [fresh, changed, missing, returned] = [count('new'), count('changed'), count('missing'), count('returned')];
    log.info(
      returned > 0
        ? `Scan of ${name} finished: ${fresh} new, ${changed} changed, ${missing} missing, ${returned} found again.`
        : `Scan of ${name} finished: ${fresh} new, ${changed} changed, ${missing} missing.`,
      fields,
    );
  }
}

/**
 * The run this job performs. A job that is claimed again after its worker died, or retried by a person after it failed or was aborted, finds a
 * run that was already started: that run counts as failed, unless it has ended, and a new run replaces it.
 */
async function claimRun(db: Db, runId: string, jobId: string): Promise<RunRow | null> {
  // The newest run of this job, because a second retry must not resume the first run.
  const { rows } = await sql<{ id: string }>`select id from scan_runs where job_id = ${jobId} order by id desc limit 1`.execute(db);
  const run = await findRun(db, rows[0]?.id ?? runId);
  if (!run) return null;
  if (run.status === 'stopping') {
    await endRun(db, run.id, { status: 'stopped', stats: run.stats });
    return null;
  }
  if (run.status === 'running' && run.phase === 'queued') return run;
  const isAborted = run.error_code === abortedCode || run.error_code === clearedCode;
  if (run.status !== 'running' && run.status !== 'failed' && !isAborted) return null;
  if (run.status === 'running') {
    await endRun(db, run.id, {
      status: 'failed',
      stats: run.stats,
      error: 'The worker that ran this scan stopped before it was done.',
      errorCode: 'worker_gone',
    });
  }
  const next = await createScanRun(db, {
    libraryId: run.library_id,
    trigger: run.trigger,
    scopes: scopesOf(run),
    forceEmpty: run.force_empty,
  });
  await sql`update scan_runs set job_id = ${jobId} where id = ${next.id}`.execute(db);
  return { ...next, job_id: jobId };
}

const hashOptions = (settings: Dependencies['settings']) => ({
  rateMbps: settings.hashBackfillRateMbps,
  hashFullMaxBytes: settings.scanHashFullMaxBytes,
  workerLabels: settings.workerLabels,
});

/** Both tasks do nothing in maintenance mode. */
function createHashTasks(settings: Dependencies['settings']): {
  rehash: Task<typeof rehashPayload>;
  backfill: Task<typeof backfillPayload>;
} {
  const options = hashOptions(settings);
  return {
    rehash: defineTask({
      ...rehashJob,
      async perform({ library_id }, { db, log, signal, progress }) {
        if ((await maintenanceMode(db)).active) return;
        const done = await rehashLibrary(db, library_id, { ...options, signal, progress });
        if (signal.aborted) throw signal.reason;
        log.info('Rehashed a library.', { library_id, ...done });
      },
    }),
    backfill: defineTask({
      name: 'backfill_content_hashes',
      queue: 'maintenance',
      payload: backfillPayload,
      attempts: 1,
      ageExempt: true,
      async perform(_payload, { db, log, signal, progress }) {
        if ((await maintenanceMode(db)).active) return;
        const done = await backfillContentHashes(db, { ...options, maxBytes: settings.hashBackfillMaxBytes, signal, progress });
        if (signal.aborted) throw signal.reason;
        log.info('Added content hashes.', { ...done });
      },
    }),
  };
}

/** Extraction and sidecar reading belong to higher layers, so the worker passes them in. */
export function scanTasks(
  { settings }: Pick<Dependencies, 'settings'>,
  higher: Pick<ScanDependencies, 'queueExtraction' | 'queueUnopened' | 'associateSidecars'>,
): Task[] {
  const options = {
    batchSize: settings.scanBatchSize,
    emptyGuard: settings.scanEmptyGuard,
    vanishGuardPct: settings.scanVanishGuardPct,
    crossLibraryMoves: settings.scanCrossLibraryMoves,
    hashFullMaxBytes: settings.scanHashFullMaxBytes,
    stagedPipeline: settings.stagedPipeline,
  };
  return [createScanTask((db) => scanDependencies({ db, options, ...higher })), createHashTasks(settings).rehash];
}

export const scanMaintenance = (
  { settings }: Pick<Dependencies, 'settings'>,
  { queueExtraction }: Pick<ScanDependencies, 'queueExtraction'>,
): MaintenanceTask[] => [
  {
    key: 'purge_scan_changes',
    title: 'Scan change log',
    description: 'Deletes the change log of old scans, except for the newest ten scans of each library.',
    category: 'cleanup',
    defaultCron: '10 4 * * *',
    task: defineMaintenanceTask('purge_scan_changes', ({ db }) => purgeScanChanges(db, settings.auditRetentionDays)),
  },
  {
    key: 'reattach_annotations',
    title: 'Tags and notes of moved files',
    description:
      'Returns the tags and notes of missing files to the files with the same contents, if there is exactly one that can be meant.',
    category: 'integrity',
    defaultCron: '40 4 * * *',
    task: defineMaintenanceTask('reattach_annotations', ({ db, signal }) =>
      reattachAll(db, { crossLibrary: settings.scanCrossLibraryMoves, queueExtraction, signal }),
    ),
  },
  {
    key: 'backfill_content_hashes',
    title: 'Content hashes',
    description: 'Adds content hashes to files that have only a quick hash, up to a byte limit per run.',
    category: 'integrity',
    defaultCron: null,
    task: createHashTasks(settings).backfill,
  },
  {
    key: 'rehash_small_files',
    title: 'Hashes of small files',
    description: 'Hashes small files again that were hashed by an older version, up to 50,000 files a night.',
    category: 'integrity',
    defaultCron: '55 4 * * *',
    task: defineMaintenanceTask('rehash_small_files', async ({ db, signal, progress }) => {
      const done = await rehashSmallFiles(db, { ...hashOptions(settings), maxFiles: 50_000, signal, progress });
      signal.throwIfAborted();
      return done;
    }),
  },
];
