import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { ConfigIn } from './channels/config.ts';
import {
  changeChannel,
  createChannel,
  removeChannel,
  requireChannel,
  type SchedulesOfChannel,
  shownConfig,
  testChannel,
} from './channels/service.ts';
import { listChannels } from './channels/store.ts';
import type { ChannelRow } from './tables.ts';

const tags = ['alerts'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ channel_id: Id });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const ChannelTypeName = Type.Enum(['webhook', 'smtp', 'gateway']);
/** Messages are always sent by this service. */
const Locality = Type.Enum(['central']);

const AlertChannel = Type.Object(
  {
    id: Id,
    name: Type.String(),
    type: ChannelTypeName,
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'Secrets read as __redacted__, or null when they are not set.' }),
    dispatch_locality: Locality,
    enabled: Type.Boolean(),
    created_at: Time,
    last_delivered_at: nullable(Time),
    last_error: nullable(Type.String()),
    failures: Type.Integer({ description: 'Messages in a row that could not be delivered.' }),
  },
  { title: 'AlertChannel' },
);
const ChannelIn = Type.Object(
  {
    name: Name,
    type: ChannelTypeName,
    config: Type.Optional(ConfigIn),
    dispatch_locality: Type.Optional(Locality),
    enabled: Type.Optional(Type.Boolean()),
  },
  noExtraFields,
);
const ChannelUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(ConfigIn),
    dispatch_locality: Type.Optional(Locality),
    enabled: Type.Optional(Type.Boolean()),
  },
  noExtraFields,
);
const TestResult = Type.Object(
  { ok: Type.Boolean(), detail: Type.String(), status_code: nullable(Type.Integer()), retryable: Type.Boolean() },
  { title: 'AlertTestResult' },
);

export function alertChannelRoutes(app: App, deps: Dependencies, schedulesOf: SchedulesOfChannel): void {
  const { db } = deps;
  const present = (row: ChannelRow) => presentChannel(deps, row);
  app.get(
    '/alert-channels',
    { config: admin, schema: { tags, summary: 'List alert channels', response: { 200: Type.Array(AlertChannel) } } },
    async () => Promise.all((await listChannels(db)).map(present)),
  );
  app.post(
    '/alert-channels',
    { config: admin, schema: { tags, summary: 'Create an alert channel', body: ChannelIn, response: { 201: AlertChannel } } },
    async (request, reply) => reply.code(201).send(await present(await createChannel(deps, actorOf(request), request.body))),
  );
  app.get(
    '/alert-channels/:channel_id',
    { config: admin, schema: { tags, summary: 'Get an alert channel', params, response: { 200: AlertChannel } } },
    async (request) => present(await requireChannel(db, request.params.channel_id)),
  );
  app.patch(
    '/alert-channels/:channel_id',
    { config: admin, schema: { tags, summary: 'Update an alert channel', params, body: ChannelUpdate, response: { 200: AlertChannel } } },
    async (request) => present(await changeChannel(deps, actorOf(request), request.params.channel_id, request.body)),
  );
  app.delete(
    '/alert-channels/:channel_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Delete an alert channel that no alert rule and no report schedule uses',
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await removeChannel(deps, actorOf(request), request.params.channel_id, schedulesOf);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/alert-channels/:channel_id/test',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send a test message, optionally with values that are not saved',
        params,
        body: Type.Optional(nullable(Type.Object({ config: Type.Optional(ConfigIn) }, noExtraFields))),
        response: { 200: TestResult },
      },
    },
    async (request) => {
      const row = await requireChannel(db, request.params.channel_id);
      return presentTest(await testChannel(deps, { row, type: row.type, config: request.body?.config ?? null }));
    },
  );
  app.post(
    '/alert-channels/test',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send a test message through a channel that is not saved',
        body: Type.Object({ type: ChannelTypeName, config: ConfigIn }, noExtraFields),
        response: { 200: TestResult },
      },
    },
    async ({ body }) => presentTest(await testChannel(deps, { row: null, type: body.type, config: body.config })),
  );
}

const presentTest = ({ ok, detail, status_code, retryable }: Awaited<ReturnType<typeof testChannel>>) => ({
  ok,
  detail,
  status_code,
  retryable,
});

async function presentChannel(deps: Dependencies, row: ChannelRow) {
  const { id, name, type, enabled, created_at, last_delivered_at, last_error, failures } = row;
  return {
    id,
    name,
    type,
    config: await shownConfig(deps, row),
    dispatch_locality: 'central' as const,
    enabled,
    created_at: created_at.toISOString(),
    last_delivered_at: last_delivered_at?.toISOString() ?? null,
    last_error,
    failures,
  };
}
