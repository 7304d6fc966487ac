import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { enqueue } from '../../platform/queue/index.ts';
import { NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { recordEvent } from '../audit/index.ts';
import { readDirectoryConfig } from '../providers/index.ts';
import { countObjects, deleteAlias, listAliases, listObjects, listSources, type ObjectRow, upsertAliases } from './store.ts';
import { directorySyncTask } from './tasks.ts';

const tags = ['directory'];
const config = { scope: 'admin' } as const;
const text = nullable(Type.String());
const DirectoryObjectOut = Type.Object(
  {
    object_guid: Type.String(),
    object_sid: text,
    sam_account_name: text,
    display_name: text,
    user_principal_name: text,
    distinguished_name: Type.String(),
    kind: Type.Enum(['user', 'group', 'computer', 'other']),
    domain: text,
    member_of_sids: Type.Array(Type.String()),
    disabled: Type.Boolean(),
    deleted: Type.Boolean(),
    last_synced_at: Time,
  },
  { title: 'DirectoryObject' },
);
const Count = Type.Integer();
const Page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })),
  q: Type.Optional(Type.String({ maxLength: 256 })),
};
const present = ({ total: _, ...row }: ObjectRow) => ({ ...row, last_synced_at: row.last_synced_at.toISOString() });

export function directoryRoutes(app: App, deps: Dependencies): void {
  const { db } = deps;
  const task = directorySyncTask(deps);

  app.post(
    '/directory/sync',
    {
      config,
      schema: {
        tags,
        summary: 'Read the directories now',
        response: { 202: Type.Object({ job_id: text, already_queued: Type.Optional(Type.Boolean()) }) },
      },
    },
    async (request, reply) => {
      const { enabled } = await readDirectoryConfig(deps);
      if (!enabled) throw problem('unprocessable', 'The directory sync is off. Turn it on under Admin, Sign-in.');
      const id = await enqueue(db, task, {}, { lock: task.name });
      if (id === null) return reply.code(202).send({ job_id: null, already_queued: true });
      await recordEvent(db, { event_type: 'directory_sync_started', principal_id: actorOf(request).principalId, ip: actorOf(request).ip });
      return reply.code(202).send({ job_id: id });
    },
  );

  app.get(
    '/directory/status',
    {
      config,
      schema: {
        tags,
        summary: 'Get the status of directory sync',
        response: {
          200: Type.Object({
            enabled: Type.Boolean(),
            users: Count,
            groups: Count,
            computers: Count,
            other: Count,
            last_synced_at: nullable(Time),
            sources: Type.Array(
              Type.Object({ label: Type.String(), last_synced_at: nullable(Time), last_full_at: nullable(Time), last_error: text }),
            ),
          }),
        },
      },
    },
    async () => {
      const sources = (await listSources(db)).map((row) => ({
        ...row,
        last_synced_at: row.last_synced_at?.toISOString() ?? null,
        last_full_at: row.last_full_at?.toISOString() ?? null,
      }));
      const newest = sources
        .map(({ last_synced_at }) => last_synced_at ?? '')
        .sort()
        .at(-1);
      return { enabled: (await readDirectoryConfig(deps)).enabled, ...(await countObjects(db)), last_synced_at: newest || null, sources };
    },
  );

  app.get(
    '/directory/objects',
    {
      config,
      schema: {
        tags,
        summary: 'List users, groups and computers of the directories',
        querystring: Type.Object(
          {
            ...Page,
            kind: Type.Optional(Type.Enum(['user', 'group', 'computer', 'other'])),
            include_deleted: Type.Optional(Type.Boolean({ default: false })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ objects: Type.Array(DirectoryObjectOut), total: Count, limit: Count, offset: Count }) },
      },
    },
    async (request) => {
      const { limit = 100, offset = 0, q, kind, include_deleted = false } = request.query;
      const rows = await listObjects(db, { q, kind, includeDeleted: include_deleted, limit, offset });
      return { objects: rows.map(present), total: rows[0]?.total ?? 0, limit, offset };
    },
  );

  const Alias = {
    alias: Type.String({ minLength: 1, maxLength: 256 }),
    canonical: Type.String({ minLength: 1, maxLength: 256 }),
  };
  app.get(
    '/principal-aliases',
    {
      config,
      schema: {
        tags,
        summary: 'List names of identifiers; those given by hand first',
        querystring: Type.Object(Page, noExtraFields),
        response: {
          200: Type.Object({
            aliases: Type.Array(
              Type.Object(
                { alias: Type.String(), canonical: Type.String(), display: text, source: Type.Enum(['manual', 'ldap']), created_at: Time },
                { title: 'PrincipalAlias' },
              ),
            ),
          }),
        },
      },
    },
    async (request) => {
      const { q, limit = 100, offset = 0 } = request.query;
      const rows = await listAliases(db, q, limit, offset);
      return { aliases: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) };
    },
  );

  app.put(
    '/principal-aliases',
    {
      config,
      schema: {
        tags,
        summary: 'Name identifiers by hand',
        description: 'Identifiers that a directory names are skipped unless `force` is true; the name given by hand then wins.',
        querystring: Type.Object({ force: Type.Optional(Type.Boolean({ default: false })) }, noExtraFields),
        body: Type.Array(Type.Object({ ...Alias, display: Type.Optional(nullable(Type.String({ maxLength: 256 }))) }, noExtraFields), {
          maxItems: 500,
        }),
        response: { 200: Type.Object({ upserted: Count, skipped: Count }) },
      },
    },
    async (request) => {
      const upserted = await upsertAliases(db, request.body, request.query.force ?? false);
      const { principalId, ip } = actorOf(request);
      await recordEvent(db, { event_type: 'aliases_changed', principal_id: principalId, ip, details: { upserted } });
      return { upserted, skipped: request.body.length - upserted };
    },
  );

  app.delete(
    '/principal-aliases/:alias',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a name given by hand',
        params: Type.Object({ alias: Type.String({ minLength: 1, maxLength: 256, description: 'The alias, percent-encoded.' }) }),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { alias } = request.params;
      if (!(await deleteAlias(db, alias))) throw problem('not_found', `No alias "${alias}" was given by hand.`);
      const { principalId, ip } = actorOf(request);
      await recordEvent(db, { event_type: 'aliases_changed', principal_id: principalId, ip, details: { deleted: alias } });
      return reply.code(204).send(null);
    },
  );
}
