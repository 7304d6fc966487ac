import type { Db } from '../../platform/database/index.ts';
import { compactTotals } from '../counts/index.ts';
import type { ScanCounters } from './context.ts';
import { reportProgress } from './run-store.ts';

/** Thrown at a breath when the run must end: asked to stop, ended by someone else, or its worker is going away. */
export class StopRequested extends Error {
  readonly asked: boolean;
  readonly reason: { error?: string; errorCode?: string };
  constructor(asked: boolean, reason: { error?: string; errorCode?: string } = {}) {
    super(reason.error ?? 'The scan was asked to stop.');
    this.asked = asked;
    this.reason = reason;
  }
}

const heartbeatMs = 1000;
const compactEveryMs = 10_000;

/** Keeps a run's progress in the database, about once a second, and learns there whether to go on. */
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
  let folded = started;
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
      // From the last complete scan: how many files there were, and what share of them has been met.
      ...(last
        ? { estimate: { seen: last.seen, seconds: last.seconds, share: last.seen > 0 ? Math.min(1, counters.seen / last.seen) : null } }
        : {}),
    };
  };

  return {
    stats,
    async breathe(now: { folder?: string | undefined; phase?: string }): Promise<void> {
      if (now.folder !== undefined) folder = now.folder;
      if (now.phase !== undefined && now.phase !== phase) {
        if (phase === 'walking') walkSeconds = (performance.now() - started) / 1000;
        phase = now.phase;
      }
      if (signal?.aborted)
        throw new StopRequested(false, { error: 'The worker that ran this scan is going away.', errorCode: 'worker_gone' });
      if (performance.now() - reported < heartbeatMs) return;
      reported = performance.now();
      if (reported - folded > compactEveryMs) {
        await compactTotals(db);
        folded = performance.now();
      }
      const status = await reportProgress(db, runId, phase, stats());
      if (status === 'stopping') throw new StopRequested(true);
      if (status === undefined) throw new StopRequested(false);
      if (signal?.aborted) throw new StopRequested(false, { error: 'The worker that ran this scan went away.', errorCode: 'worker_gone' });
    },
  };
}

/** Waits for something long and keeps breathing meanwhile: a stop is heard, and nobody thinks the run dead. */
export async function withHeartbeat<T>(breathe: (now: { folder?: string }) => Promise<void>, work: Promise<T>): Promise<T> {
  // Whoever breaks off here leaves the work behind; its failure is then nobody's concern.
  work.catch(() => {});
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<'pause'>((resolve) => {
      timer = setTimeout(resolve, heartbeatMs, 'pause');
    });
    const first = await Promise.race([work.then(() => 'done' as const), pause]).finally(() => clearTimeout(timer));
    if (first === 'done') return work;
    await breathe({});
  }
}
