import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Generated, JSONColumnType } from 'kysely';
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

/** Declares a task; only here so that the payload's type is inferred from its schema. */
export function defineTask<Payload extends TSchema>(task: Task<Payload>): Task<Payload> {
  if (!(task.queue in queues)) throw new Error(`Task ${task.name} names the queue ${task.queue}, which does not exist.`);
  if (!Number.isInteger(task.attempts) || task.attempts < 1) throw new Error(`Task ${task.name} must have at least one attempt.`);
  if (task.batch !== undefined && (!Number.isInteger(task.batch) || task.batch < 1))
    throw new Error(`Task ${task.name} has a batch below one.`);
  return task;
}

export type TaskRegistry = ReadonlyMap<string, Task>;

/** All tasks a worker can perform, by name. Two tasks of one name are a mistake in the program. */
export function createRegistry(tasks: readonly Task[]): TaskRegistry {
  const registry = new Map<string, Task>();
  for (const task of tasks) {
    if (registry.has(task.name)) throw new Error(`Two tasks are named ${task.name}.`);
    registry.set(task.name, task);
  }
  return registry;
}

/** A payload that does not fit its task's schema. Running it again cannot help. */
export class InvalidPayload extends Error {
  constructor(task: string, detail: string) {
    super(`The payload of ${task} does not fit its schema: ${detail}.`);
    this.name = 'InvalidPayload';
  }
}

const validators = new WeakMap<TSchema, Validator>();

/** Answers the payload, typed, or throws InvalidPayload. The schema is compiled at its first use. */
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

/** The task names a worker serves: those of its queues. A job whose task this program does not know stays in todo for one that does. */
export function tasksForQueues(registry: TaskRegistry, served: readonly QueueName[]): Task[] {
  return [...registry.values()].filter((task) => served.includes(task.queue));
}

/** Workers listen here; the payload is the queue that has new work. */
export const readyChannel = 'jobs_ready';

/** Someone asked a running job to stop; the payload is the job's id. */
export const abortChannel = 'jobs_abort';

type Json = JSONColumnType<Record<string, unknown>>;

export interface JobsTable {
  id: Generated<string>;
  queue: string;
  task: string;
  payload: Json;
  state: Generated<JobState>;
  priority: Generated<number>;
  lock: string | null;
  attempts: Generated<number>;
  max_attempts: number;
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

export interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  queues: string[];
  concurrency: number;
  started_at: Generated<Date>;
  heartbeat_at: Generated<Date>;
}

export interface CronSchedulesTable {
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
