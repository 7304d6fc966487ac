import type { Generated, JSONColumnType } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';

/** The queues with their default priorities, chosen so that scans never wait behind extraction. */
export const queues = { scan: 0, extract: -10, index: 0, maintenance: 0, alerts: 5, thumbs: -15, embed: -20, exports: -20 } as const;
export type QueueName = keyof typeof queues;

export type JobState = 'todo' | 'doing' | 'aborting' | 'failed' | 'succeeded';

/** Passed to a running task. A task must be safe to run again from the start, because a crash or a lost heartbeat requeues it. */
export interface TaskContext {
  db: Db;
  log: Log;
  clock: Clock;
  jobId: string;
  attempt: number;
  /** Aborted when a user stops the job, when the worker shuts down and its grace period ends, or when the heartbeat was lost. */
  signal: AbortSignal;
  /** Stored on the job and shown in the console. Of several calls within a second only the last is stored. */
  progress(value: Record<string, unknown>): void;
}

/**
 * One kind of job. `perform` returns when it is done, throws to fail (and is retried until `attempts` is used up), or throws
 * `rescheduleIn(seconds)` to be requeued without counting as a failure. With `batch` above 1, up to that many jobs are claimed together,
 * performed one after another in one slot, and completed together; use it for short tasks.
 */
export interface Task<Payload extends TSchema = TSchema> {
  name: string;
  queue: QueueName;
  payload: Payload;
  attempts: number;
  /** For tasks that may run for hours: the reaper checks only their heartbeat, not their age. */
  ageExempt?: boolean;
  batch?: number;
  /** The payload field with the library whose files the task reads. Only workers that serve the library run it. */
  placeField?: string;
  perform(payload: Static<Payload>, context: TaskContext): Promise<void>;
}

export interface EnqueueOptions {
  /** At most one job with this lock is in todo, doing or aborting; enqueueing a second one returns null. */
  lock?: string;
  priority?: number;
  runAt?: Date;
}

/** Declares a task, with the payload type inferred from its schema. */
export function defineTask<Payload extends TSchema>(task: Task<Payload>): Task<Payload> {
  if (!(task.queue in queues)) throw new Error(`Task ${task.name} names the queue ${task.queue}, which does not exist.`);
  if (!Number.isInteger(task.attempts) || task.attempts < 1) throw new Error(`Task ${task.name} must have at least one attempt.`);
  if (task.batch !== undefined && (!Number.isInteger(task.batch) || task.batch < 1))
    throw new Error(`Task ${task.name} has a batch below one.`);
  return task;
}

type TaskRegistry = ReadonlyMap<string, Task>;

/** All tasks a worker can perform, by name. Throws when two tasks have the same name. */
export function createRegistry(tasks: readonly Task[]): TaskRegistry {
  const registry = new Map<string, Task>();
  for (const task of tasks) {
    if (registry.has(task.name)) throw new Error(`Two tasks are named ${task.name}.`);
    registry.set(task.name, task);
  }
  return registry;
}

/** The payload does not match the task's schema. Jobs that fail with this error are not retried. */
export class InvalidPayload extends Error {
  constructor(task: string, detail: string) {
    super(`The payload of ${task} does not match its schema: ${detail}.`);
    this.name = 'InvalidPayload';
  }
}

const validators = new WeakMap<TSchema, Validator>();

/** Returns the payload with its type, or throws InvalidPayload. The schema is compiled on first use. */
export function checkPayload<Payload extends TSchema>(task: Task<Payload>, payload: unknown): Static<Payload> {
  let validator = validators.get(task.payload);
  if (!validator) {
    validator = Compile(task.payload as TSchema);
    validators.set(task.payload, validator);
  }
  if (!validator.Check(payload)) {
    const first = validator.Errors(payload).at(-1);
    throw new InvalidPayload(task.name, first ? `${first.instancePath || 'it'} ${first.message}` : 'it is not valid');
  }
  return payload as Static<Payload>;
}

/** The tasks of these queues. Jobs of tasks unknown to this version stay in todo until a worker that knows them claims them. */
export function tasksForQueues(registry: TaskRegistry, served: readonly QueueName[]): Task[] {
  return [...registry.values()].filter((task) => served.includes(task.queue));
}

/** A worker holds the session lock of this name and its id while it is connected; the reaper looks for it. */
export const workerLock = 'catalog worker ';

/** Notification channel for new jobs; the payload is the name of their queue. */
export const readyChannel = 'jobs_ready';

/** Notification channel for requests to stop a running job; the payload is the job id. */
export const abortChannel = 'jobs_abort';

type Json = JSONColumnType<Record<string, unknown>>;

interface JobsTable {
  id: Generated<string>;
  queue: string;
  task: string;
  payload: Json;
  state: Generated<JobState>;
  priority: Generated<number>;
  lock: string | null;
  attempts: Generated<number>;
  max_attempts: number;
  place: string | null;
  requeues: Generated<number>;
  claim: Generated<number>;
  age_exempt: Generated<boolean>;
  run_at: Generated<Date>;
  created_at: Generated<Date>;
  started_at: Date | null;
  heartbeat_at: Date | null;
  finished_at: Date | null;
  worker_id: string | null;
  abort_requested: Generated<boolean>;
  error: string | null;
  traceback: string | null;
  progress: JSONColumnType<Record<string, unknown> | null>;
}

interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  queues: string[];
  concurrency: number;
  labels: Generated<string[]>;
  started_at: Generated<Date>;
  heartbeat_at: Generated<Date>;
}

interface CronSchedulesTable {
  key: string;
  cron: string;
  last_occurrence: Date;
  fired_at: Date | null;
}

declare module '../database/tables.ts' {
  interface Tables {
    jobs: JobsTable;
    workers: WorkersTable;
    cron_schedules: CronSchedulesTable;
  }
}
