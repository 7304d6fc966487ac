import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { problem } from '../../platform/problem.ts';
import { enqueue, type Task } from '../../platform/queue/index.ts';
import { nullable, Time } from '../../platform/schemas.ts';
import { BundleExists, importBundle, packBundle } from './archive.ts';
import { incompleteNote } from './create.ts';
import { backupsFolder, bundleNames, findBundleFolder, openBundle, readVerification, removeBundle } from './folder.ts';
import { DamagedBundle, partsOf } from './manifest.ts';

const tags = ['system'];
const params = Type.Object({ name: Type.String({ maxLength: 64 }) });
const JobOut = Type.Object({ job_id: Type.String({ format: 'uuid' }) });
const BundleOut = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  created_at: nullable(Time),
  created_by: nullable(Type.String()),
  item_count: nullable(Type.Integer()),
  schema_head: nullable(Type.Integer()),
  app_version: nullable(Type.String()),
  complete: Type.Boolean(),
  missing: Type.Array(Type.String()),
  damage: nullable(Type.String({ description: 'What is wrong with the manifest; null if it can be read.' })),
  verification: nullable(Type.Object({ verified_at: Time, ok: Type.Boolean(), error: nullable(Type.String()), seconds: Type.Number() })),
});

export function backupRoutes(app: App, { db, settings }: Dependencies, tasks: { backup: MaintenanceTask[]; verify: Task }): void {
  const audit = (request: FastifyRequest, event_type: string, details: Record<string, unknown>) =>
    recordEvent(db, { event_type, principal_id: request.principal?.id ?? null, ip: request.clientAddress, details });
  const requireFolder = (name: string): string => {
    const folder = findBundleFolder(settings, name);
    if (!folder) throw problem('not_found', 'No backup has this name.');
    return folder;
  };
  const present = (name: string): Type.Static<typeof BundleOut> => {
    const folder = requireFolder(name);
    const verification = readVerification(folder);
    try {
      const { manifest } = openBundle(folder);
      const { created_at, created_by, item_count, schema_head, app_version, complete, missing } = manifest;
      const bytes = partsOf(manifest).reduce((sum, part) => sum + part.bytes, 0);
      return { name, bytes, created_at, created_by, item_count, schema_head, app_version, complete, missing, damage: null, verification };
    } catch (error) {
      if (!(error instanceof DamagedBundle)) throw error;
      const unknown = { created_at: null, created_by: null, item_count: null, schema_head: null, app_version: null };
      return { name, bytes: 0, ...unknown, complete: false, missing: [], damage: error.message, verification };
    }
  };

  app.post(
    '/system/backup',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Back up the database',
        response: { 202: Type.Object({ ...JobOut.properties, incomplete_note: Type.String() }) },
      },
    },
    async (request, reply) => {
      const [definition] = tasks.backup;
      const id = definition ? await enqueue(db, definition.task, {}, { lock: definition.task.name }) : null;
      if (!id) throw problem('already_queued', 'A backup is already queued or running. Wait until it finishes.');
      await audit(request, 'backup_started', { job_id: id });
      return reply.code(202).send({ job_id: id, incomplete_note: incompleteNote(settings) });
    },
  );

  app.get(
    '/system/backups',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'List backups, newest first',
        response: {
          200: Type.Object({ bundles: Type.Array(BundleOut), dir: Type.String(), keep: Type.Integer(), incomplete_note: Type.String() }),
        },
      },
    },
    async () => ({
      bundles: bundleNames(backupsFolder(settings))
        .filter((name) => findBundleFolder(settings, name) !== null)
        .map(present),
      dir: backupsFolder(settings),
      keep: settings.backupKeep,
      incomplete_note: incompleteNote(settings),
    }),
  );

  app.get(
    '/system/backups/:name',
    {
      config: { scope: 'admin', raw: true },
      schema: {
        tags,
        summary: 'Download a whole backup as a tar file, which `catalog restore` accepts',
        params,
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const bundle = readable(() => openBundle(requireFolder(request.params.name)));
      await audit(request, 'backup_downloaded', { name: request.params.name });
      return reply
        .type('application/x-tar')
        .header('content-disposition', `attachment; filename="${bundle.name}.tar"`)
        .header('cache-control', 'no-store')
        .send(packBundle(bundle));
    },
  );

  app.delete(
    '/system/backups/:name',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Delete a backup', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const folder = requireFolder(request.params.name);
      await audit(request, 'backup_deleted', { name: request.params.name });
      removeBundle(folder);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/system/backups/:name/verify',
    {
      config: { scope: 'admin' },
      schema: { tags, summary: 'Verify a backup by restoring it into a temporary database', params, response: { 202: JobOut } },
    },
    async (request, reply) => {
      requireFolder(request.params.name);
      const id = await enqueue(db, tasks.verify, { name: request.params.name }, { lock: tasks.verify.name });
      if (!id) throw problem('already_queued', 'A verification is already queued or running. Wait until it finishes.');
      return reply.code(202).send({ job_id: id });
    },
  );

  // In a scope of its own, because only this route accepts a tar file.
  void app.register(async (scope) => {
    // The handler reads the stream itself.
    scope.addContentTypeParser('application/x-tar', (_request, _payload, done) => done(null, undefined));
    scope.post(
      '/system/backups',
      {
        config: { scope: 'admin', bodySeconds: 86_400 },
        schema: {
          tags,
          summary: 'Add a backup that was downloaded before (a tar file)',
          consumes: ['application/x-tar'],
          response: { 201: BundleOut },
        },
      },
      async (request, reply) => {
        if (!request.headers['content-type']?.startsWith('application/x-tar'))
          throw problem('unsupported_media_type', 'Send the backup as application/x-tar.');
        try {
          const { name } = await importBundle(settings, request.raw);
          await audit(request, 'backup_uploaded', { name });
          return reply.code(201).send(present(name));
        } catch (error) {
          if (error instanceof BundleExists) throw problem('conflict', error.message);
          throw asProblem(error);
        }
      },
    );
  });
}

function asProblem(error: unknown): unknown {
  return error instanceof DamagedBundle ? problem('backup_damaged', error.message) : error;
}

function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw asProblem(error);
  }
}
