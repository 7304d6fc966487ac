import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { enqueue, type Task } from '../../platform/queue/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { changeTarget, createTarget, removeTarget, requireTarget, testTarget, warningOf } from './service.ts';
import { type CopyRow, listCopies, listTargets, retryCopies, type TargetRow } from './store.ts';

const tags = ['system'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ target_id: Id });
const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  enabled: Type.Boolean(),
  keep: Type.Integer({ minimum: 1, maximum: 1000, description: 'How many backups the target keeps.' }),
  config: Type.Object(
    {
      path: Type.Optional(Type.String({ maxLength: 4096, description: 'The folder, for targets of the kinds folder and sftp.' })),
      endpoint: Type.Optional(Type.String({ maxLength: 500 })),
      region: Type.Optional(Type.String({ maxLength: 64 })),
      bucket: Type.Optional(Type.String({ maxLength: 63 })),
      prefix: Type.Optional(Type.String({ maxLength: 500 })),
      access_key_id: Type.Optional(Type.String({ maxLength: 200 })),
      host: Type.Optional(Type.String({ maxLength: 255 })),
      port: Type.Optional(Type.String({ maxLength: 5, description: 'Of the SFTP server; 22 by default.' })),
      username: Type.Optional(Type.String({ maxLength: 200 })),
      host_keys: Type.Optional(
        Type.String({ maxLength: 4000, description: 'Fingerprints of the keys of the SFTP server, as ssh-keygen -l prints them.' }),
      ),
    },
    noExtraFields,
  ),
};
const Secret = Type.String({ maxLength: 500, description: 'Kept encrypted and never returned. Empty keeps the stored one.' });
const secrets = {
  secret_access_key: Type.Optional(Secret),
  password: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Of the SFTP server. Kept encrypted and never returned. A target that is added without one gets a key of its own.',
    }),
  ),
};
const Kind = Type.Enum(['folder', 's3', 'sftp']);
const TargetIn = Type.Object(
  {
    name: fields.name,
    kind: Kind,
    config: fields.config,
    enabled: Type.Optional(fields.enabled),
    keep: Type.Optional(fields.keep),
    ...secrets,
  },
  noExtraFields,
);
const TargetUpdate = Type.Object({ ...Type.Partial(Type.Object(fields)).properties, ...secrets }, noExtraFields);
const CopyOut = Type.Object({
  bundle: Type.String(),
  state: Type.Enum(['copying', 'retrying', 'done', 'failed']),
  attempts: Type.Integer(),
  bytes: nullable(Type.Integer()),
  error: nullable(Type.String()),
  next_attempt_at: nullable(Time),
  finished_at: nullable(Time),
});
const TargetOut = Type.Object(
  {
    id: Id,
    ...fields,
    kind: Kind,
    public_key: nullable(Type.String({ description: 'The line for authorized_keys on the SFTP server; null if a password is used.' })),
    warning: nullable(Type.String({ description: 'Why the target does not protect from the loss of this machine; null if it does.' })),
    copies: Type.Array(CopyOut, { description: 'The copies at this target, newest first.' }),
  },
  { title: 'BackupTarget' },
);

const presentCopy = ({ bundle, state, attempts, bytes, error, next_attempt_at, finished_at }: CopyRow) => ({
  bundle,
  state,
  attempts,
  bytes,
  error,
  next_attempt_at: next_attempt_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null,
});

function placeOf({ config }: TargetRow): Record<string, string> {
  const { public_key: _shown, ...place }: Record<string, string> = { ...config };
  return place;
}

export function offsiteRoutes(app: App, deps: Dependencies, task: Task): void {
  const { db, settings } = deps;
  const present = (row: TargetRow, copies: readonly CopyRow[]) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    enabled: row.enabled,
    keep: row.keep,
    config: placeOf(row),
    public_key: row.kind === 'sftp' ? (row.config.public_key ?? null) : null,
    warning: warningOf(settings, row),
    copies: copies.filter(({ target_id }) => target_id === row.id).map(presentCopy),
  });

  app.get(
    '/system/backup-targets',
    { config: admin, schema: { tags, summary: 'List targets for copies of backups', response: { 200: Type.Array(TargetOut) } } },
    async () => {
      const copies = await listCopies(db);
      return (await listTargets(db)).map((row) => present(row, copies));
    },
  );
  app.post(
    '/system/backup-targets',
    { config: admin, schema: { tags, summary: 'Add a target for copies of backups', body: TargetIn, response: { 201: TargetOut } } },
    async (request, reply) => {
      const row = await createTarget(deps, actorOf(request), request.body.kind, request.body);
      return reply.code(201).send(present(row, []));
    },
  );
  app.patch(
    '/system/backup-targets/:target_id',
    {
      config: admin,
      schema: { tags, summary: 'Change a target for copies of backups', params, body: TargetUpdate, response: { 200: TargetOut } },
    },
    async (request) => present(await changeTarget(deps, actorOf(request), request.params.target_id, request.body), await listCopies(db)),
  );
  app.delete(
    '/system/backup-targets/:target_id',
    { config: admin, schema: { tags, summary: 'Remove a target; its files stay there', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeTarget(deps, actorOf(request), request.params.target_id);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/system/backup-targets/:target_id/test',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Write a test file to a target and remove it',
        params,
        response: { 200: Type.Object({ ok: Type.Boolean(), detail: Type.String() }) },
      },
    },
    async (request) => testTarget(deps, await requireTarget(db, request.params.target_id)),
  );
  app.post(
    '/system/backup-targets/:target_id/copy',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Copy backups to a target now, also those that failed',
        params,
        response: { 202: Type.Object({ job_id: Type.String({ format: 'uuid' }) }) },
      },
    },
    async (request, reply) => {
      const target = await requireTarget(db, request.params.target_id);
      await retryCopies(db, target.id);
      const id = await enqueue(db, task, {}, { lock: task.name });
      if (!id) throw problem('already_queued', 'Backups are being copied already. The target is part of that run or of the next one.');
      return reply.code(202).send({ job_id: id });
    },
  );
}
