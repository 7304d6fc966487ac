import type { Static, TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';

/** Queues and the priority a job gets unless told otherwise: scan control is never queued behind extraction. */
export const queues = { scan: 0, extract: -10, index: 0, maintenance: 0, alerts: 5, thumbs: -15, embed: -20, exports: -20 } as const;
export type QueueName = keyof typeof queues;

export type JobState = 'todo' | 'doing' | 'aborting' | 'failed' | 'succeeded';

/** What a running task is handed. A task must be safe to run again from the start: a crash or a lost heartbeat requeues it. */
export interface TaskContext {
  db: Db;
  log: Log;
  clock: Clock;
  jobId: string;
  attempt: number;
  /** Aborted when someone asks the job to stop, when the worker drains past its grace, or when the heartbeat was lost to another worker. */
  signal: AbortSignal;
  /** Stored on the job and shown to people; calls closer than a second apart are collapsed to the latest. */
  progress(value: Record<string, unknown>): void;
}

/**
 * One kind of job, declared in one file. `perform` returns when done; throws to fail (retried until `attempts` is used up);
 * throws `reschedule(seconds)` to be put back without counting as a failure. With `batch` above 1, up to that many jobs of this task are
 * claimed and completed together and performed one after another in one slot: meant for short tasks.
 */
export interface Task<Payload extends TSchema = TSchema> {
  name: string;
  queue: QueueName;
  payload: Payload;
  attempts: number;
  /** Whole-catalog work that may take hours: only the heartbeat net applies. */
  ageExempt?: boolean;
  batch?: number;
  perform(payload: Static<Payload>, context: TaskContext): Promise<void>;
}

export interface EnqueueOptions {
  /** At most one job with this lock is in todo, doing or aborting; a second enqueue answers null. */
  lock?: string;
  priority?: number;
  runAt?: Date;
}
