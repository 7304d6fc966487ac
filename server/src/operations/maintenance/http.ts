import { Type } from 'typebox';
import { recordEvent } from '../../people/audit/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { maintenanceMode, setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { nullable, Time } from '../../platform/schemas.ts';
import { describeTasks, findTask, runTask, updateTask } from './index.ts';

const tags = ['maintenance'];

const TaskOut = Type.Object({
  key: Type.String(),
  title: Type.String(),
  description: Type.String(),
  category: Type.Enum(['cleanup', 'integrity', 'monitors', 'system', 'ondemand']),
  queue: Type.String(),
  cron: nullable(Type.String()),
  default_cron: nullable(Type.String()),
  overridden: Type.Boolean(),
  enabled: Type.Boolean(),
  editable: Type.Boolean(),
  gate: nullable(
    Type.Object(
      { enabled: Type.Literal(false), reason: Type.String() },
      { description: 'Why the task does nothing with the current settings; null if it works.' },
    ),
  ),
  runnable: Type.Boolean(),
  next_run_at: nullable(Time),
  last_run: nullable(
    Type.Object({
      job_id: Type.String(),
      status: Type.String(),
      at: Time,
      started_at: nullable(Time),
      duration_seconds: nullable(Type.Number()),
      outcome: nullable(Type.String({ description: 'What the run did, or why it failed; null while it has not finished.' })),
      counts: Type.Record(Type.String(), Type.Number(), { description: 'The numbers in the outcome, by name.' }),
    }),
  ),
});
const ModeOut = Type.Object({ active: Type.Boolean(), reason: nullable(Type.String()), started_at: nullable(Time) });
const params = Type.Object({ task: Type.String({ maxLength: 64 }) });

export function maintenanceRoutes(app: App, { db }: Dependencies, definitions: readonly MaintenanceTask[]): void {
  const describeOne = async (key: string, principal: Principal) => one(await describeFor(principal, [findTask(definitions, key)]));
  /** Errors can name files, so only administrators see them. */
  const describeFor = async (principal: Principal, wanted: readonly MaintenanceTask[]) => {
    const tasks = await describeTasks(db, wanted);
    if (hasScope(principal.scopes, 'admin')) return tasks;
    return tasks.map((task) =>
      task.last_run?.status === 'failed'
        ? { ...task, last_run: { ...task.last_run, outcome: 'The run failed. Ask an administrator for the reason.' } }
        : task,
    );
  };

  app.get(
    '/system/maintenance',
    {
      config: { scope: 'read' },
      schema: { tags, summary: 'List maintenance tasks', response: { 200: Type.Object({ tasks: Type.Array(TaskOut) }) } },
    },
    async (request) => ({ tasks: await describeFor(callerOf(request), definitions) }),
  );

  app.get(
    '/system/maintenance/:task',
    { config: { scope: 'read' }, schema: { tags, summary: 'Get a maintenance task', params, response: { 200: TaskOut } } },
    async (request) => describeOne(request.params.task, callerOf(request)),
  );

  app.patch(
    '/system/maintenance/:task',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Reschedule, disable or reset a maintenance task',
        params,
        body: Type.Object(
          { cron: Type.Optional(nullable(Type.String({ maxLength: 200 }))), enabled: Type.Optional(Type.Boolean()) },
          { additionalProperties: false },
        ),
        response: { 200: TaskOut },
      },
    },
    async (request) => {
      await updateTask(db, findTask(definitions, request.params.task), request.body);
      await recordEvent(db, {
        event_type: 'maintenance_changed',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { task: request.params.task, ...request.body },
      });
      return describeOne(request.params.task, callerOf(request));
    },
  );

  app.post(
    '/system/maintenance/:task/run',
    {
      config: { scope: 'admin' },
      schema: { tags, summary: 'Run a maintenance task now', params, response: { 202: Type.Object({ job_id: Type.String() }) } },
    },
    async (request, reply) => reply.code(202).send({ job_id: await runTask(db, findTask(definitions, request.params.task)) }),
  );

  app.get(
    '/system/maintenance-mode',
    { config: { scope: 'read' }, schema: { tags, summary: 'Get whether the service is in maintenance mode', response: { 200: ModeOut } } },
    async () => maintenanceMode(db),
  );

  app.post(
    '/system/maintenance-mode',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Enter or leave maintenance mode',
        body: Type.Object(
          { active: Type.Boolean(), reason: Type.Optional(nullable(Type.String({ maxLength: 500 }))) },
          { additionalProperties: false },
        ),
        response: { 200: ModeOut },
      },
    },
    async (request) => {
      const mode = await setMaintenanceMode(db, request.body.active, request.body.reason ?? null);
      await recordEvent(db, {
        event_type: 'maintenance_mode_changed',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { active: mode.active, reason: mode.reason },
      });
      return mode;
    },
  );
}
