import type { Db } from '../../platform/database/index.ts';
import { JobInterrupted } from '../../platform/queue/index.ts';
import { compactTotals } from '../counts/index.ts';
import type { ScanCounters } from './context.ts';
import { reportProgress } from './run-store.ts';

/** Thrown by the heartbeat when the run must end: a stop was requested, another process ended it, or its worker is stopping. */
export class StopRequested extends Error {
  readonly requested: boolean;
  readonly reason: { error?: string; errorCode?: string };
  constructor(requested: boolean, reason: { error?: string; errorCode?: string } = {}) {
    super(reason.error ?? 'A stop of the scan was requested.');
    this.requested = requested;
    this.reason = reason;
  }
}

/** The run of a job that a person aborted has one of these error codes; a retry of the job performs a new run. */
export const abortedCode = 'aborted';
export const clearedCode = 'force_cleared';

const interruption = ({ reason }: AbortSignal): StopRequested =>
  reason instanceof JobInterrupted && reason.kind === 'abort'
    ? new StopRequested(true, { errorCode: abortedCode })
    : new StopRequested(false, { error: 'The worker that ran this scan is stopping.', errorCode: 'worker_gone' });

const heartbeatMs = 1000;
const compactEveryMs = 10_000;

/** Stores a run's progress in the database about once a second and reads back whether the run may continue. */
export function createHeartbeat(given: {
  db: Db;
  runId: string;
  counters: ScanCounters;
  last: { seen: number; seconds: number } | undefined;
  signal?: AbortSignal | undefined;
}) {
  const { db, runId, counters, last, signal } = given;
  const started = performance.now();
  let reported = Number.NEGATIVE_INFINITY;
  let compacted = started;
  let phase = 'checking';
  let folder = '';
  let walkSeconds: number | undefined;

  const stats = (): Record<string, unknown> => {
    const elapsed = (performance.now() - started) / 1000;
    const walked = walkSeconds ?? elapsed;
    return {
      ...counters,
      excluded: counters.excluded_gate + counters.excluded_filtered,
      pruned_counted: counters.pruned_files !== undefined,
      elapsed,
      walk_seconds: walked,
      files_per_s: walked > 0 ? counters.seen / walked : 0,
      bytes_per_s: walked > 0 ? counters.bytes_seen / walked : 0,
      current_folder: folder,
      // Based on the last complete scan.
      ...(last
        ? { estimate: { seen: last.seen, seconds: last.seconds, share: last.seen > 0 ? Math.min(1, counters.seen / last.seen) : null } }
        : {}),
    };
  };

  return {
    stats,
    async beat(now: { folder?: string | undefined; phase?: string }): Promise<void> {
      if (now.folder !== undefined) folder = now.folder;
      if (now.phase !== undefined && now.phase !== phase) {
        if (phase === 'walking') walkSeconds = (performance.now() - started) / 1000;
        phase = now.phase;
      }
      if (signal?.aborted) throw interruption(signal);
      if (performance.now() - reported < heartbeatMs) return;
      reported = performance.now();
      if (reported - compacted > compactEveryMs) {
        await compactTotals(db);
        compacted = performance.now();
      }
      const status = await reportProgress(db, runId, phase, stats());
      if (status === 'stopping') throw new StopRequested(true);
      if (status === undefined) throw new StopRequested(false);
      if (signal?.aborted) throw interruption(signal);
    },
  };
}

/** Waits for long work while sending heartbeats, so that a stop request is noticed and the run does not look stalled. */
export async function withHeartbeat<T>(heartbeat: (now: { folder?: string }) => Promise<void>, work: Promise<T>): Promise<T> {
  // When the heartbeat throws, nobody awaits the work any more; without this its failure would end the process.
  work.catch(() => {});
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<'pause'>((resolve) => {
      timer = setTimeout(resolve, heartbeatMs, 'pause');
    });
    const first = await Promise.race([work.then(() => 'done' as const), pause]).finally(() => clearTimeout(timer));
    if (first === 'done') return work;
    await heartbeat({});
  }
}
