import { type TSchema, Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor, Id, NoContent, nullable, pageQuery, Time } from '../../platform/schemas.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import type { SchedulesOfChannel } from './channels/service.ts';
import { resendFailed } from './deliver.ts';
import {
  type AlertPosition,
  type AlertRow,
  acknowledge,
  countEvents,
  countFiring,
  type EventRow,
  findEvent,
  listAlerts,
  listEvents,
} from './events-store.ts';
import { requireAlert, setDue } from './groups.ts';
import { alertChannelRoutes } from './http-channels.ts';
import { alertRuleRoutes } from './http-rules.ts';
import { alertSilenceRoutes } from './http-silences.ts';
import { fileSentence } from './notify.ts';

const tags = ['alerts'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const Status = Type.Enum(['delivered', 'failed', 'pending', 'suppressed']);
const text = nullable(Type.String());
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const AlertEvent = Type.Object(
  {
    id: Id,
    rule_id: Id,
    alert_id: Id,
    item_id: nullable(Id),
    library_id: nullable(Id),
    event_type: Type.String(),
    dedup_key: Type.String(),
    message: Type.String(),
    status: Status,
    delivered: Type.Boolean(),
    delivered_at: nullable(Time),
    delivery_attempts: Type.Integer(),
    occurred_at: Time,
    last_error: text,
  },
  { title: 'AlertEvent' },
);

const Alert = Type.Object(
  {
    id: Id,
    rule_id: Id,
    rule_name: Type.String(),
    severity: Type.Enum(['info', 'warning', 'critical']),
    event_type: Type.String(),
    library_id: nullable(Id),
    library: text,
    title: Type.String(),
    message: Type.String(),
    state: Type.Enum(['waiting', 'firing', 'resolved']),
    outcome: text,
    events: Type.Integer(),
    opened_at: Time,
    last_event_at: Time,
    resolved_at: nullable(Time),
    notified_at: nullable(Time),
    acknowledged_at: nullable(Time),
    acknowledged_by: text,
    held: nullable(Type.String({ description: 'Why a message is not sent yet.' })),
    deliveries: Type.Array(
      Type.Object({
        channel_id: Id,
        channel: Type.String(),
        state: Type.Enum(['pending', 'sending', 'delivered', 'failed']),
        attempts: Type.Integer(),
        last_error: text,
        delivered_at: text,
      }),
    ),
  },
  { title: 'Alert' },
);

export function alertRoutes(app: App, deps: Dependencies, reader: SearchReader, schedulesOf: SchedulesOfChannel): void {
  alertChannelRoutes(app, deps, schedulesOf);
  alertRuleRoutes(app, deps, reader);
  eventRoutes(app, deps);
  firingRoutes(app, deps);
  alertSilenceRoutes(app, deps);
}

function eventRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/alert-events',
    {
      config: read,
      schema: {
        tags,
        summary: 'List alert events about what you may see, newest first',
        querystring: Type.Object({
          rule_id: optional(Id),
          library_id: optional(Id),
          alert_id: optional(Id),
          delivered: optional(Type.Boolean()),
          status: optional(Status),
          ...pageQuery(),
        }),
        response: { 200: Type.Array(AlertEvent) },
      },
    },
    async (request, reply) => {
      const { delivered, status, alert_id, limit = 50, cursor, ...filter } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      const before =
        decodeCursor(cursor, (value): value is number => typeof value === 'number' && Number.isSafeInteger(value)) ?? undefined;
      const wanted = status ?? (delivered === true ? 'delivered' : undefined);
      const rows = await listEvents(db, visibility, { ...filter, group_id: alert_id, status: wanted, before, limit });
      const shown = delivered === false ? rows.filter((row) => row.status !== 'delivered') : rows;
      const last = rows.at(-1);
      if (last && rows.length === limit) void reply.header('x-next-cursor', encodeCursor(last.position));
      const details = callerOf(request).scopes.includes('admin');
      // The error of a delivery says where messages go.
      return shown.map((row) => ({ ...presentEvent(row), ...(details ? {} : { last_error: null }) }));
    },
  );
  app.get(
    '/alert-events/summary',
    {
      config: read,
      schema: {
        tags,
        summary: 'Count alert events by status',
        querystring: Type.Object({ library_id: optional(Id) }),
        response: {
          200: Type.Object({ delivered: Type.Integer(), failed: Type.Integer(), pending: Type.Integer(), suppressed: Type.Integer() }),
        },
      },
    },
    async (request) => countEvents(db, await visibilityOf(db, callerOf(request)), request.query.library_id),
  );
  app.post(
    '/alert-events/:event_id/resend',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send failed messages about an event again',
        params: Type.Object({ event_id: Id }),
        response: { 200: Type.Object({ queued: Type.Integer() }) },
      },
    },
    async (request) => {
      const event = await findEvent(db, await visibilityOf(db, callerOf(request)), request.params.event_id);
      if (!event) throw notFound('alert event');
      return { queued: await resendFailed(db, event.group_id, clock.now()) };
    },
  );
}

function firingRoutes(app: App, { db, clock }: Dependencies): void {
  const params = Type.Object({ alert_id: Id });
  app.get(
    '/alerts',
    {
      config: read,
      schema: {
        tags,
        summary: 'List alerts that fire or have fired',
        querystring: Type.Object({
          state: optional(Type.Enum(['firing', 'resolved'])),
          days: optional(Type.Integer({ minimum: 1, maximum: 365 })),
          before: optional(Time),
          ...pageQuery(),
        }),
        response: {
          200: Type.Object({
            items: Type.Array(Alert),
            next_cursor: text,
            firing: Type.Integer(),
            resolved_last_week: Type.Integer(),
          }),
        },
      },
    },
    async (request) => {
      const { state = 'firing', days, before, limit = 50, cursor } = request.query;
      const caller = callerOf(request);
      const visibility = await visibilityOf(db, caller);
      const since = days === undefined ? undefined : new Date(clock.now().getTime() - days * 86_400_000);
      const found = await listAlerts(db, visibility, {
        state,
        since,
        before: before ? new Date(before) : undefined,
        after: decodeCursor(cursor, isPosition),
        limit: limit + 1,
      });
      const rows = found.slice(0, limit);
      const { firing, resolved } = await countFiring(db, visibility);
      const details = caller.scopes.includes('admin');
      return {
        items: rows.map((row) => presentAlert(row, { whole: visibility.unrestricted, details })),
        next_cursor: found.length > limit ? cursorAt(state, rows.at(-1) as AlertRow) : null,
        firing,
        resolved_last_week: resolved,
      };
    },
  );
  app.post(
    '/alerts/:alert_id/acknowledge',
    { config: admin, schema: { tags, summary: 'Acknowledge an alert, which stops its reminders', params, response: { 204: NoContent } } },
    async (request, reply) => {
      const { id, name } = callerOf(request);
      await requireAlert(db, request.params.alert_id);
      await acknowledge(db, request.params.alert_id, { id, name }, clock.now());
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/alerts/:alert_id/resend',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send the failed messages of an alert again',
        params,
        response: { 200: Type.Object({ queued: Type.Integer() }) },
      },
    },
    async (request) => {
      const alert = await requireAlert(db, request.params.alert_id);
      const queued = await resendFailed(db, alert.id, clock.now());
      if (queued === 0 && alert.state !== 'resolved' && alert.notified_at === null) await setDue(db, alert.id, clock.now());
      return { queued };
    },
  );
}

function isPosition(value: unknown): value is AlertPosition {
  const { time, id } = (value ?? {}) as Partial<AlertPosition>;
  return typeof time === 'string' && !Number.isNaN(Date.parse(time)) && typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
}

const cursorAt = (state: 'firing' | 'resolved', row: AlertRow): string =>
  encodeCursor({ time: iso(state === 'firing' ? row.opened_at : row.resolved_at), id: row.id });

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

function presentEvent(row: EventRow) {
  const { id, rule_id, group_id, item_id, library_id, event_type, dedup_key, message, status, delivery_attempts, last_error } = row;
  return {
    id,
    rule_id,
    alert_id: group_id,
    item_id,
    library_id,
    event_type,
    dedup_key,
    message,
    status,
    delivered: status === 'delivered',
    delivered_at: iso(row.delivered_at),
    delivery_attempts,
    occurred_at: row.occurred_at.toISOString(),
    last_error,
  };
}

/** Who sees only part of the files gets the number of those files, and who is no administrator does not see where messages went. */
function presentAlert(row: AlertRow, { whole, details }: { whole: boolean; details: boolean }) {
  const events = whole ? row.events : row.visible_events;
  return {
    id: row.id,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    severity: row.severity,
    event_type: row.event_type,
    library_id: row.library_id,
    library: row.library,
    title: row.message === '' ? fileSentence(row, events, row.library, row.first_path ?? '') : whole ? row.message : row.rule_name,
    message: whole ? row.message : '',
    state: row.state,
    outcome: row.outcome,
    events,
    opened_at: row.opened_at.toISOString(),
    last_event_at: row.last_event_at.toISOString(),
    resolved_at: iso(row.resolved_at),
    notified_at: iso(row.notified_at),
    acknowledged_at: iso(row.acknowledged_at),
    acknowledged_by: row.acknowledged_name,
    held: row.held,
    deliveries: details ? (row.deliveries as { state: 'pending' }[] as never[]) : [],
  };
}
