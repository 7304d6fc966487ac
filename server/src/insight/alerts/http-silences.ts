import { type TSchema, Type } from 'typebox';
import { isReferenceError } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { requireAlert } from './groups.ts';
import {
  deleteSilence,
  findSilence,
  insertSilence,
  isTimeZone,
  listSilences,
  lockSilence,
  updateSilence,
  wakeSilenced,
} from './silences.ts';
import type { SilenceRow } from './tables.ts';

const tags = ['alerts'];
const admin = { scope: 'admin' } as const;
const text = nullable(Type.String());
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const Silence = Type.Object(
  {
    id: Id,
    rule_id: nullable(Id),
    library_id: nullable(Id),
    alert_key: text,
    reason: Type.String(),
    starts_at: Time,
    ends_at: nullable(Time),
    daily_from: text,
    daily_to: text,
    time_zone: text,
    created_by: Type.String(),
    created_at: Time,
  },
  { title: 'AlertSilence' },
);
const DayTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
/** What can be changed later. */
const fields = {
  rule_id: optional(nullable(Id)),
  library_id: optional(nullable(Id)),
  reason: optional(Type.String({ maxLength: 500 })),
  ends_at: optional(nullable(Time)),
  daily_from: optional(nullable(DayTime)),
  daily_to: optional(nullable(DayTime)),
  time_zone: optional(nullable(Type.String({ maxLength: 64 }))),
};

export function alertSilenceRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/alert-silences',
    { config: admin, schema: { tags, summary: 'List silences and quiet hours', response: { 200: Type.Array(Silence) } } },
    async () => (await listSilences(db, clock.now())).map(presentSilence),
  );
  app.post(
    '/alert-silences',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Silence alerts until a time, or daily',
        body: Type.Object({ alert_id: optional(nullable(Id)), starts_at: optional(Time), ...fields }, noExtraFields),
        response: { 201: Silence },
      },
    },
    async (request, reply) => {
      const { alert_id, starts_at, rule_id = null, library_id = null, reason = '' } = request.body;
      const now = clock.now();
      const alert = alert_id ? await requireAlert(db, alert_id) : null;
      const row = await insertSilence(db, {
        rule_id: alert?.rule_id ?? rule_id,
        library_id,
        dedup_key: alert?.dedup_key ?? null,
        reason,
        starts_at: starts_at ? new Date(starts_at) : now,
        ...checkedTimes(request.body, now),
        created_by: callerOf(request).name,
      }).catch(refuseUnknownRule);
      return reply.code(201).send(presentSilence(row));
    },
  );
  app.patch(
    '/alert-silences/:silence_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change a silence or quiet hours',
        params: Type.Object({ silence_id: Id }),
        body: Type.Object(fields, noExtraFields),
        response: { 200: Silence },
      },
    },
    async (request) => {
      const now = clock.now();
      const changed = await db.transaction().execute(async (tx) => {
        const found = await lockSilence(tx, request.params.silence_id);
        if (!found) throw notFound('silence');
        const { ends_at, ...row } = found;
        const wanted = { ...row, ends_at: ends_at?.toISOString() ?? null, ...request.body };
        const { rule_id, library_id, reason } = wanted;
        return updateSilence(tx, found.id, { rule_id, library_id, reason, ...checkedTimes(wanted, now) }).catch(refuseUnknownRule);
      });
      if (!changed) throw notFound('silence');
      await wakeSilenced(db, now);
      return presentSilence(changed);
    },
  );
  app.delete(
    '/alert-silences/:silence_id',
    { config: admin, schema: { tags, summary: 'End a silence', params: Type.Object({ silence_id: Id }), response: { 204: NoContent } } },
    async (request, reply) => {
      if (!(await findSilence(db, request.params.silence_id))) throw notFound('silence');
      await deleteSilence(db, request.params.silence_id);
      await wakeSilenced(db, clock.now());
      return reply.code(204).send(null);
    },
  );
}

interface WantedTimes {
  ends_at?: string | null;
  daily_from?: string | null;
  daily_to?: string | null;
  time_zone?: string | null;
}

/** A silence has either an end or daily hours. */
function checkedTimes({ ends_at = null, daily_from = null, daily_to = null, time_zone = null }: WantedTimes, now: Date) {
  const end = ends_at ? new Date(ends_at) : null;
  if ((end === null) === (daily_from === null || daily_to === null))
    throw fieldProblem(['body', 'ends_at'], 'Enter either an end, or the daily hours from and to.', 'silence');
  if (end && end <= now) throw fieldProblem(['body', 'ends_at'], 'The end has passed. Choose a later one.', 'silence');
  if (daily_from !== null && daily_from === daily_to)
    throw fieldProblem(['body', 'daily_to'], 'Choose an end other than the beginning.', 'silence');
  if (time_zone && !isTimeZone(time_zone))
    throw fieldProblem(['body', 'time_zone'], 'This time zone is not known. Use a name such as Europe/Oslo.', 'silence');
  return { ends_at: end, daily_from, daily_to, time_zone: daily_from === null ? null : (time_zone ?? 'UTC') };
}

function refuseUnknownRule(error: unknown): never {
  if (isReferenceError(error)) throw problem('unprocessable', 'The rule does not exist.');
  throw error;
}

function presentSilence({ dedup_key, starts_at, ends_at, created_at, ...row }: SilenceRow) {
  return {
    ...row,
    alert_key: dedup_key,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
