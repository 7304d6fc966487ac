import { type Static, Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { nextFirings } from '../../platform/queue/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { formatNames } from '../exports/index.ts';
import { filterParameters, sortParameter } from '../reports/index.ts';
import { scheduleKey, startRun } from './runs.ts';
import { listRuns, type RunDetails } from './runs-store.ts';
import { changeSchedule, createSchedule, nextTimes, readableSchedule, removeSchedule, schedulesFor } from './service.ts';
import { channelNames, type ScheduleRow } from './store.ts';

const tags = ['report schedules'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ schedule_id: Id });
const Cron = Type.String({ minLength: 1, maxLength: 200, description: 'Five fields, UTC.' });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*\\S[^\\u0000]*$' });
const Params = Type.Object(
  {
    ...filterParameters,
    sort: sortParameter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  },
  { ...noExtraFields, description: 'The filters of the report, as in GET /reports/{report_id}.' },
);
const optional = {
  params: Type.Optional(Params),
  format: Type.Optional(Type.Enum([...formatNames])),
  channel_ids: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })),
  channel_id: Type.Optional(nullable(Id)),
  enabled: Type.Optional(Type.Boolean()),
  only_if_rows: Type.Optional(Type.Boolean({ description: 'Delivers nothing when the report has no rows.' })),
  only_changes: Type.Optional(
    Type.Boolean({
      description: 'Contains only rows that are new, have changed or are gone since the last delivery; the column row_change says which.',
    }),
  ),
  canned_report_key: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  report_definition_id: Type.Optional(nullable(Id)),
};
const ScheduleIn = Type.Object({ name: Name, cron: Cron, ...optional }, noExtraFields);
const ScheduleUpdate = Type.Object({ name: Type.Optional(Name), cron: Type.Optional(Cron), ...optional }, noExtraFields);

const RunOut = Type.Object(
  {
    id: Id,
    trigger: Type.Enum(['cron', 'manual']),
    state: Type.Enum(['queued', 'exporting', 'delivering', 'delivered', 'stored', 'skipped', 'failed']),
    export_id: nullable(Id),
    detail: nullable(Type.String()),
    row_count: nullable(Type.Integer()),
    file_size_bytes: nullable(Type.Integer()),
    download_url: nullable(Type.String()),
    started_at: Time,
    finished_at: nullable(Time),
    deliveries: Type.Array(
      Type.Object({
        channel: nullable(Type.String()),
        state: Type.Enum(['pending', 'delivered', 'failed', 'skipped']),
        attempts: Type.Integer(),
        last_error: nullable(Type.String()),
      }),
    ),
  },
  { title: 'ScheduleRun' },
);
const ScheduleOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    owner_principal: nullable(Id),
    owner_name: Type.String(),
    canned_report_key: nullable(Type.String()),
    report_definition_id: nullable(Id),
    params: Params,
    format: Type.Enum([...formatNames]),
    cron: Type.String(),
    channel_id: nullable(Id),
    channel_ids: Type.Array(Id),
    enabled: Type.Boolean(),
    only_if_rows: Type.Boolean(),
    only_changes: Type.Boolean(),
    next_run_at: nullable(Time),
    last_cron_fired_at: nullable(Time),
    last_run: nullable(RunOut),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'ReportSchedule' },
);

export function scheduleRoutes(app: App, deps: Dependencies): void {
  recordRoutes(app, deps);
  runRoutes(app, deps);
}

function recordRoutes(app: App, deps: Dependencies): void {
  const { db } = deps;
  const presentAll = async (rows: ScheduleRow[]): Promise<Static<typeof ScheduleOut>[]> => {
    const enabled = rows.filter((row) => row.enabled).map(({ id, cron }) => ({ key: scheduleKey(id), cron }));
    const next = await nextFirings(db, enabled);
    const shown: Static<typeof ScheduleOut>[] = [];
    for (const row of rows) {
      const [last] = await listRuns(db, row.id, { limit: 1, offset: 0 });
      shown.push(present(row, next.get(scheduleKey(row.id)) ?? null, last ?? null));
    }
    return shown;
  };
  const presentOne = async (row: ScheduleRow): Promise<Static<typeof ScheduleOut>> =>
    (await presentAll([row]))[0] as Static<typeof ScheduleOut>;

  app.get(
    '/report-schedules',
    { config: read, schema: { tags, summary: 'List your report schedules', response: { 200: Type.Array(ScheduleOut) } } },
    async (request) => presentAll(await schedulesFor(deps, callerOf(request))),
  );
  app.post(
    '/report-schedules',
    {
      config: write,
      schema: {
        tags,
        summary: 'Create a report schedule',
        description: 'It runs with the rights that its owner has at that time. The report, its filters and the channels are checked now.',
        body: ScheduleIn,
        response: { 201: ScheduleOut },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await presentOne(await createSchedule(deps, callerOf(request), readInput(request.body)))),
  );
  app.get(
    '/report-schedules/:schedule_id',
    { config: read, schema: { tags, summary: 'Get a report schedule', params, response: { 200: ScheduleOut } } },
    async (request) => presentOne(await readableSchedule(deps, callerOf(request), request.params.schedule_id)),
  );
  app.patch(
    '/report-schedules/:schedule_id',
    {
      config: write,
      schema: { tags, summary: 'Change a report schedule', params, body: ScheduleUpdate, response: { 200: ScheduleOut } },
    },
    async (request) => presentOne(await changeSchedule(deps, callerOf(request), request.params.schedule_id, readInput(request.body))),
  );
  app.delete(
    '/report-schedules/:schedule_id',
    { config: write, schema: { tags, summary: 'Delete a report schedule and its history', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeSchedule(deps, callerOf(request), request.params.schedule_id);
      return reply.code(204).send(null);
    },
  );
}

function runRoutes(app: App, deps: Dependencies): void {
  const { db, clock } = deps;
  app.get(
    '/report-schedules/next',
    {
      config: read,
      schema: {
        tags,
        summary: 'Preview the next times of a cron expression',
        querystring: Type.Object(
          { cron: Cron, count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 })) },
          noExtraFields,
        ),
        response: { 200: Type.Object({ times: Type.Array(Time) }) },
      },
    },
    async ({ query: { cron, count = 5 } }) => ({
      times: nextTimes(cron, clock.now(), count, ['query', 'cron']).map((time) => time.toISOString()),
    }),
  );
  app.get(
    '/report-schedules/channels',
    {
      config: write,
      schema: {
        tags,
        summary: 'List the names of the alert channels that can deliver reports',
        response: {
          200: Type.Array(Type.Object({ id: Id, name: Type.String(), type: Type.String(), enabled: Type.Boolean() })),
        },
      },
    },
    async () => channelNames(db),
  );
  app.post(
    '/report-schedules/:schedule_id/run',
    { config: write, schema: { tags, summary: 'Run a report schedule now', params, response: { 202: RunOut } } },
    async (request, reply) => {
      const schedule = await readableSchedule(deps, callerOf(request), request.params.schedule_id);
      const { id } = await startRun(db, schedule);
      const [run] = (await listRuns(db, schedule.id, { limit: 10, offset: 0 })).filter((each) => each.id === id);
      return reply.code(202).send(presentRun(run as RunDetails));
    },
  );
  app.get(
    '/report-schedules/:schedule_id/runs',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the runs of a report schedule, newest first',
        params,
        querystring: Type.Object(
          {
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 20 })),
            offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ runs: Type.Array(RunOut) }) },
      },
    },
    async (request) => {
      const { limit = 20, offset = 0 } = request.query;
      const schedule = await readableSchedule(deps, callerOf(request), request.params.schedule_id);
      return { runs: (await listRuns(db, schedule.id, { limit, offset })).map(presentRun) };
    },
  );
}

/** channel_id is the short form of a list with one channel. */
function readInput({ channel_id, ...input }: Static<typeof ScheduleUpdate>) {
  if (channel_id !== undefined && input.channel_ids !== undefined)
    throw fieldProblem(['body', 'channel_id'], 'Send either channel_id or channel_ids, not both.', 'not_supported');
  return channel_id === undefined ? input : { ...input, channel_ids: channel_id === null ? [] : [channel_id] };
}

function presentRun(run: RunDetails): Static<typeof RunOut> {
  const { schedule_id: _schedule, job_id: _job, downloadable, ...row } = run;
  return {
    ...row,
    download_url: downloadable && row.export_id ? `/api/v1/exports/${row.export_id}/download` : null,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function present(row: ScheduleRow, next: Date | null, last: RunDetails | null): Static<typeof ScheduleOut> {
  const { owner_kind: _kind, key_id: _key, owner_id, ...rest } = row;
  return {
    ...rest,
    owner_principal: owner_id,
    channel_id: row.channel_ids[0] ?? null,
    next_run_at: next?.toISOString() ?? null,
    last_run: last ? presentRun(last) : null,
    last_cron_fired_at: row.last_cron_fired_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
