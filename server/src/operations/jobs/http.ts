import { Type } from 'typebox';
import { endAbortedScan } from '../../catalog/scan/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import {
  abortJob,
  clearFailedJobs,
  getJob,
  type JobState,
  listJobs,
  type QueueName,
  queues,
  retryJob,
  runningJobs,
  setPriority,
  summariseJobs,
} from '../../platform/queue/index.ts';
import { nullable, pageOf, pageQuery, Time } from '../../platform/schemas.ts';
import { reapAll, stallLimits } from './index.ts';
import { overviewFields, readOverview } from './overview.ts';

const JobStateName = Type.Enum(['todo', 'doing', 'aborting', 'failed', 'succeeded']);
const Args = Type.Record(Type.String(), Type.String());
const Progress = nullable(Type.Record(Type.String(), Type.Unknown()));

const JobOut = Type.Object(
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

const RunningJobOut = Type.Object({
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

const JobSummaryOut = Type.Object({
  ...overviewFields,
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

const tags = ['jobs'];

type Redact = <
  Job extends {
    args: Record<string, string | undefined>;
    lock?: string | null;
    traceback?: string | null;
    error?: string | null;
    progress?: unknown;
  },
>(
  job: Job,
) => Job;

/**
 * Paths, locks and stack traces can reveal what grants hide, so only administrators see them. Others learn of a job which library it works
 * on, if they see anything of that library.
 */
async function redactionFor(db: Db, principal: Principal): Promise<Redact> {
  if (hasScope(principal.scopes, 'admin')) return (job) => job;
  const visibility = await visibilityOf(db, principal);
  return (job) => ({
    ...job,
    args: job.args['library_id'] && visibility.mayEnter(job.args['library_id']) ? { library_id: job.args['library_id'] } : {},
    ...('lock' in job ? { lock: null } : {}),
    ...('traceback' in job ? { traceback: null, error: job.error ? 'The job failed. Ask an administrator for the reason.' : null } : {}),
    progress: null,
  });
}
const params = Type.Object({ job_id: Type.String({ format: 'uuid' }) });

export function jobRoutes(app: App, deps: Dependencies): void {
  const { db, settings } = deps;

  app.get(
    '/system/jobs',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List jobs, newest first',
        querystring: Type.Object({
          state: Type.Optional(JobStateName),
          queue: Type.Optional(Type.String({ maxLength: 128 })),
          task: Type.Optional(Type.String({ maxLength: 128 })),
          ...pageQuery(),
        }),
        response: { 200: pageOf(JobOut) },
      },
    },
    async (request) => {
      const { query } = request;
      const redact = await redactionFor(db, callerOf(request));
      if (query.cursor !== undefined && !/^[0-9a-f-]{36}$/i.test(query.cursor)) throw problem('cursor_invalid');
      const { state, queue, task, limit = 50, cursor } = query;
      const page = await listJobs(db, {
        ...(state ? { state: state as JobState } : {}),
        ...(queue ? { queue } : {}),
        ...(task ? { task } : {}),
        limit,
        cursor: cursor ?? null,
      });
      return { ...page, items: page.items.map(redact) };
    },
  );

  app.get(
    '/system/jobs/running',
    { config: { scope: 'read' }, schema: { tags, summary: 'List running jobs', response: { 200: Type.Array(RunningJobOut) } } },
    async (request) => (await runningJobs(db, stallLimits(settings))).map(await redactionFor(db, callerOf(request))),
  );

  app.get(
    '/system/jobs/summary',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get an overview of queues, jobs and workers',
        response: { 200: JobSummaryOut },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const redact = await redactionFor(db, callerOf(request));
      const limits = stallLimits(settings);
      const isAdmin = hasScope(callerOf(request).scopes, 'admin');
      const overview = await readOverview(deps, visibility, isAdmin);
      const [summary, running] = await Promise.all([summariseJobs(db, limits), runningJobs(db, limits)]);
      return { ...overview, ...summary, failed_recent: summary.failed_recent.map(redact), running: running.map(redact) };
    },
  );

  app.get(
    '/system/jobs/reap',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Run the reaper now',
        response: {
          200: Type.Object({
            requeued: Type.Integer(),
            failed: Type.Integer(),
            aborted: Type.Integer(),
            workers_removed: Type.Integer(),
            scan_runs_reconciled: Type.Integer(),
          }),
        },
      },
    },
    async () => reapAll(deps),
  );

  app.get(
    '/system/jobs/:job_id',
    { config: { scope: 'read' }, schema: { tags, summary: 'Get a job', params, response: { 200: JobOut } } },
    async (request) => {
      const job = await getJob(db, request.params.job_id);
      if (!job) throw notFound('job');
      return (await redactionFor(db, callerOf(request)))(job);
    },
  );

  app.post(
    '/system/jobs/:job_id/abort',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Stop a job', params, response: { 200: JobOut } } },
    async ({ params: { job_id } }) => {
      const done = await abortJob(db, job_id);
      if (!done) throw notFound('job');
      if (done.refused) throw problem('job_not_running');
      if (done.job.state === 'failed') await endAbortedScan(db, job_id);
      return done.job;
    },
  );

  app.post(
    '/system/jobs/:job_id/retry',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Retry a failed job', params, response: { 200: JobOut } } },
    async ({ params: { job_id } }) => {
      const done = await retryJob(db, job_id);
      if (!done) throw notFound('job');
      if (done.refused) throw problem(done.refused === 'locked' ? 'already_queued' : 'job_not_failed');
      return done.job;
    },
  );

  app.post(
    '/system/jobs/priority',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Change the priority of the waiting jobs of a queue',
        description: 'Jobs with a higher priority start first. Jobs that are queued later get the usual priority of their queue.',
        body: Type.Object(
          {
            queue: Type.Enum(Object.keys(queues) as QueueName[]),
            priority: Type.Integer({ minimum: -100, maximum: 100 }),
            scope: Type.Optional(Type.Literal('pending')),
          },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ queue: Type.String(), priority: Type.Integer(), updated: Type.Integer() }) },
      },
    },
    async (request) => {
      const { queue, priority } = request.body;
      const changed = { queue, priority, updated: await setPriority(db, queue, priority) };
      await recordEvent(db, {
        event_type: 'job_priority_changed',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: changed,
      });
      return changed;
    },
  );

  app.post(
    '/system/jobs/clear-failed',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Delete failed jobs',
        body: Type.Optional(
          Type.Union([
            Type.Object(
              { queue: Type.Optional(Type.Union([Type.String({ maxLength: 128 }), Type.Null()])) },
              { additionalProperties: false },
            ),
            Type.Null(),
          ]),
        ),
        response: { 200: Type.Object({ deleted: Type.Integer(), queue: Type.Union([Type.String(), Type.Null()]) }) },
      },
    },
    async (request) => {
      const queue = request.body?.queue ?? undefined;
      const cleared = await clearFailedJobs(db, queue ? { queue } : {});
      await recordEvent(db, {
        event_type: 'failed_jobs_cleared',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { ...cleared },
      });
      return cleared;
    },
  );
}
