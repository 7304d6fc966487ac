import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { ClaimedJob } from './claim.ts';
import type { Task } from './contract.ts';
import type { FinishedRun } from './finish.ts';
import { JobInterrupted, type RunOutcome, outcomeOf } from './outcomes.ts';
import { createProgress } from './progress.ts';
import { checkPayload } from './tasks.ts';

/** One claimed job while this worker holds it. */
export interface Run {
  id: string;
  claim: number;
  job: ClaimedJob;
  controller: AbortController;
}

export function createRun(job: ClaimedJob): Run {
  return { id: job.id, claim: job.claim, job, controller: new AbortController() };
}

/** The first reason stands: a run that lost its job is not turned into an aborted one afterwards. */
export function interrupt(run: Run, kind: JobInterrupted['kind']): void {
  if (!run.controller.signal.aborted) run.controller.abort(new JobInterrupted(kind));
}

/** Performs one job to its end and says how it ended; never throws. */
export async function performRun(
  run: Run,
  task: Task,
  parts: { db: Db; log: Log; clock: Clock; random: () => number; writeProgress(run: Run, value: Record<string, unknown>): Promise<void> },
): Promise<FinishedRun> {
  const { signal } = run.controller;
  const attempt = run.job.attempts;
  const log = parts.log.child(task.name);
  const progress = createProgress((value) => parts.writeProgress(run, value));
  let outcome: RunOutcome = { kind: 'succeeded' };
  try {
    // A later job of a batch may be called off before its turn.
    signal.throwIfAborted();
    const payload = checkPayload(task, run.job.payload);
    await task.perform(payload, { db: parts.db, log, clock: parts.clock, jobId: run.id, attempt, signal, progress: progress.report });
  } catch (error) {
    outcome = outcomeOf(error, { attempt, signal, random: parts.random });
    if (outcome.kind === 'failed') log.error(`Job ${run.id} failed: ${outcome.error}`, { error, attempt, job_id: run.id });
  }
  return { id: run.id, claim: run.claim, outcome, progress: await progress.close() };
}
