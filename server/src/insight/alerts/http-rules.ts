import { type TSchema, Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { firingByRule } from './events-store.ts';
import { previewRule } from './preview.ts';
import { changeRule, changeRules, completeRule, createRule, eventTypes, removeRule, requireRule } from './rules.ts';
import { listRules } from './rules-store.ts';
import { rememberExistingHits } from './saved-hits.ts';
import { searchMatch } from './search-rules.ts';
import type { RuleRow } from './tables.ts';

const tags = ['alerts'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ rule_id: Id });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const Seconds = Type.Integer({ minimum: 0, maximum: 31_536_000 });
const Digest = nullable(Type.Enum(['hourly', 'daily']));
const Ids = Type.Array(Id, { maxItems: 200 });
const Repeat = nullable(Type.Integer({ minimum: 60, maximum: 31_536_000 }));

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  enabled: Type.Boolean(),
  is_system: Type.Boolean(),
  severity: Type.Enum(['info', 'warning', 'critical']),
  library_id: nullable(Id),
  path_glob: nullable(Type.String({ maxLength: 1000 })),
  event_types: Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: eventTypes.length, uniqueItems: true }),
  hash_change_only: Type.Boolean(),
  saved_search_id: nullable(Id),
  group_by: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 }),
  group_wait_s: Seconds,
  digest_window: Digest,
  repeat_interval_s: Repeat,
  threshold_count: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  threshold_window_s: nullable(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
  notify_resolved: Type.Boolean(),
  channel_ids: Ids,
  escalate_after_s: nullable(Type.Integer({ minimum: 60, maximum: 604_800 })),
  escalate_channel_ids: Ids,
  inhibited_by: Ids,
  inhibit_window_s: Type.Integer({ minimum: 0, maximum: 86_400 }),
};
const partial = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema as TSchema)])) as {
  [Field in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[Field]>>;
};
const RuleIn = Type.Object({ ...partial, name: fields.name, event_types: fields.event_types }, noExtraFields);
const RuleUpdate = Type.Object(partial, noExtraFields);
const PreviewIn = Type.Object(
  { ...partial, event_types: fields.event_types, days: optional(Type.Integer({ minimum: 1, maximum: 90 })) },
  noExtraFields,
);

const AlertRule = Type.Object(
  {
    id: Id,
    ...fields,
    event_types: Type.Array(Type.String()),
    firing: Type.Integer({ description: 'Alerts of this rule that fire now.' }),
    created_at: Time,
  },
  { title: 'AlertRule' },
);
const Preview = Type.Object(
  {
    fired: nullable(Type.Integer()),
    times: Type.Array(Time),
    matches: Type.Integer(),
    days: Type.Array(Type.Object({ day: Type.String(), matches: Type.Integer() })),
    alternatives: Type.Array(Type.Object({ threshold_count: Type.Integer(), fired: Type.Integer() })),
    complete: Type.Boolean(),
    note: nullable(Type.String()),
  },
  { title: 'AlertRulePreview' },
);

export function alertRuleRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  const { db, clock, settings } = deps;
  const shown = async (row: RuleRow) => present(row, await firingByRule(db));
  app.get(
    '/alert-rules',
    { config: admin, schema: { tags, summary: 'List alert rules', response: { 200: Type.Array(AlertRule) } } },
    async () => {
      const firing = await firingByRule(db);
      return (await listRules(db)).map((row) => present(row, firing));
    },
  );
  app.post(
    '/alert-rules',
    { config: admin, schema: { tags, summary: 'Create an alert rule', body: RuleIn, response: { 201: AlertRule } } },
    async (request, reply) => {
      const row = await createRule(deps, actorOf(request), callerOf(request), request.body);
      if (row.event_types.includes(searchMatch)) await rememberExistingHits(deps, reader, row);
      return reply.code(201).send(await shown(row));
    },
  );
  app.post(
    '/alert-rules/bulk',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change several alert rules',
        body: Type.Object(
          {
            rule_ids: Type.Array(Id, { minItems: 1, maxItems: 500 }),
            enabled: optional(Type.Boolean()),
            set_throttle: optional(Type.Boolean()),
            digest_window: optional(Digest),
            group_wait_s: optional(Seconds),
            repeat_interval_s: optional(Repeat),
            channel_mode: optional(Type.Enum(['set', 'add', 'remove'])),
            channel_ids: optional(Ids),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ updated: Type.Integer(), missing: Type.Array(Id) }) },
      },
    },
    async (request) => changeRules(deps, actorOf(request), callerOf(request), request.body),
  );
  app.post(
    '/alert-rules/preview',
    { config: admin, schema: { tags, summary: 'Test a rule against the past', body: PreviewIn, response: { 200: Preview } } },
    async ({ body }) => {
      const { days = 7, ...input } = body;
      const rule = completeRule({ name: 'preview', ...input });
      return previewRule(db, rule, { now: clock.now(), days, groupIntervalS: settings.alertGroupIntervalS });
    },
  );
  app.get(
    '/alert-rules/:rule_id',
    { config: admin, schema: { tags, summary: 'Get an alert rule', params, response: { 200: AlertRule } } },
    async (request) => shown(await requireRule(db, request.params.rule_id)),
  );
  app.patch(
    '/alert-rules/:rule_id',
    { config: admin, schema: { tags, summary: 'Update an alert rule', params, body: RuleUpdate, response: { 200: AlertRule } } },
    async (request) => {
      const before = await requireRule(db, request.params.rule_id);
      const row = await changeRule(deps, actorOf(request), callerOf(request), before.id, request.body);
      if (row.saved_search_id !== null && row.saved_search_id !== before.saved_search_id) await rememberExistingHits(deps, reader, row);
      return shown(row);
    },
  );
  app.delete(
    '/alert-rules/:rule_id',
    { config: admin, schema: { tags, summary: 'Delete an alert rule and its alerts', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeRule(deps, actorOf(request), request.params.rule_id);
      return reply.code(204).send(null);
    },
  );
}

function present({ owner_id: _owner, created_at, group_by, ...row }: RuleRow, firing: ReadonlyMap<string, number>) {
  return {
    ...row,
    group_by: ['event_type', 'library_id', 'rule_id', ...group_by],
    firing: firing.get(row.id) ?? 0,
    created_at: created_at.toISOString(),
  };
}
