import { Time, nullable } from '../../platform/schemas.ts';
import { Type } from 'typebox';

export const JobStateName = Type.Enum(['todo', 'doing', 'aborting', 'failed', 'succeeded']);
const Args = Type.Record(Type.String(), Type.String());
const Progress = nullable(Type.Record(Type.String(), Type.Unknown()));

export const JobOut = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    queue: Type.String(),
    task: Type.String(),
    state: JobStateName,
    priority: Type.Integer(),
    args: Args,
    lock: nullable(Type.String()),
    attempts: Type.Integer(),
    max_attempts: Type.Integer(),
    requeues: Type.Integer(),
    run_at: Time,
    created_at: Time,
    started_at: nullable(Time),
    heartbeat_at: nullable(Time),
    finished_at: nullable(Time),
    worker_id: nullable(Type.String()),
    abort_requested: Type.Boolean(),
    error: nullable(Type.String()),
    traceback: nullable(Type.String()),
    progress: Progress,
  },
  { title: 'JobOut' },
);

export const RunningJobOut = Type.Object({
  id: Type.String({ format: 'uuid' }),
  queue: Type.String(),
  task: Type.String(),
  state: JobStateName,
  args: Args,
  started_at: Time,
  seconds_running: Type.Number(),
  attempts: Type.Integer(),
  retry_cap: Type.Integer(),
  worker_id: Type.String(),
  worker_alive: Type.Boolean(),
  stalled: Type.Boolean(),
  stalled_since: nullable(Time),
  progress: Progress,
});

export const JobSummaryOut = Type.Object({
  queues: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
  stalled: Type.Object({ total: Type.Integer(), by_queue: Type.Record(Type.String(), Type.Integer()) }),
  running: Type.Array(RunningJobOut),
  failed_recent: Type.Array(JobOut),
  workers: Type.Array(
    Type.Object({
      id: Type.String(),
      host: Type.String(),
      pid: Type.Integer(),
      queues: Type.Array(Type.String()),
      concurrency: Type.Integer(),
      started_at: Time,
      alive: Type.Boolean(),
    }),
  ),
});
