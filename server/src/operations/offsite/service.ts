import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { isInside } from '../../catalog/libraries/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { createSecrets, keepsSecret } from '../../platform/secrets/index.ts';
import { backupsFolder } from '../backup/index.ts';
import { secretName } from './copy.ts';
import { openTransport } from './open-transport.ts';
import { deleteTarget, findTarget, insertTarget, listLibraryRoots, type TargetRow, updateTarget } from './store.ts';
import type { TargetPlace } from './transport.ts';

interface TargetInput {
  name?: string | undefined;
  enabled?: boolean | undefined;
  keep?: number | undefined;
  config?: Record<string, string> | undefined;
  secret_access_key?: string | undefined;
}

export async function createTarget(
  { db, settings }: Dependencies,
  actor: Actor,
  kind: TargetPlace['kind'],
  input: TargetInput & { name: string },
) {
  const place = await readPlace(db, kind, input.config ?? {});
  const secrets = createSecrets(settings);
  if (kind === 's3' && keepsSecret(input.secret_access_key))
    throw fieldProblem(['body', 'secret_access_key'], 'Enter the secret key of the storage.');
  if (kind === 's3') secrets.requireKey();
  return db.transaction().execute(async (trx) => {
    const row = await insertTarget(trx as Db, { name: input.name.trim(), enabled: input.enabled ?? true, keep: input.keep ?? 7, ...place });
    if (!row) throw nameTaken();
    if (kind === 's3') await secrets.write(trx as Db, secretName(row.id), input.secret_access_key ?? '');
    await audit(trx as Db, 'backup_target_created', actor, row);
    return row;
  });
}

export async function changeTarget({ db, settings }: Dependencies, actor: Actor, id: string, input: TargetInput) {
  const before = await requireTarget(db, id);
  const place = await readPlace(db, before.kind, { ...before.config, ...input.config });
  const secrets = createSecrets(settings);
  return db.transaction().execute(async (trx) => {
    const { name = before.name, enabled = before.enabled, keep = before.keep } = input;
    const row = await updateTarget(trx as Db, { id, name: name.trim(), enabled, keep, ...place });
    if (!row) throw nameTaken();
    if (row.kind === 's3' && !keepsSecret(input.secret_access_key))
      await secrets.write(trx as Db, secretName(id), input.secret_access_key ?? '');
    await audit(trx as Db, 'backup_target_updated', actor, row);
    return row;
  });
}

/** Files at the target stay there. */
export async function removeTarget({ db, settings }: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await requireTarget(db, id);
  await db.transaction().execute(async (trx) => {
    await createSecrets(settings).remove(trx as Db, secretName(id));
    await deleteTarget(trx as Db, id);
    await audit(trx as Db, 'backup_target_deleted', actor, row);
  });
}

export async function requireTarget(db: Db, id: string): Promise<TargetRow> {
  const row = await findTarget(db, id);
  if (!row) throw notFound('backup target');
  return row;
}

/** Writes a small file and removes it. */
export async function testTarget({ db, settings }: Dependencies, target: TargetRow): Promise<{ ok: boolean; detail: string }> {
  try {
    const transport = openTransport(target, await createSecrets(settings).read(db, secretName(target.id)), createOutbound({ settings }));
    const [name, signal] = [`catalog-test-${randomUUID()}`, AbortSignal.timeout(30_000)];
    await transport.put(name, Readable.from([Buffer.from('A test of Catalog.\n')]), signal);
    await transport.remove(name, signal);
    return { ok: true, detail: 'A test file was written and removed.' };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}

/** Why the place does not protect from the loss of this machine's disk, or null. */
export function warningOf(settings: Dependencies['settings'], target: TargetRow): string | null {
  if (target.kind !== 'folder') return null;
  if (!existsSync(target.config.path)) return 'The folder does not exist. Mount the drive, or correct the path.';
  const own = [backupsFolder(settings), settings.configDir].find((folder) => existsSync(folder));
  return own !== undefined && statSync(own).dev === statSync(target.config.path).dev
    ? 'The folder is on the same disk as the backups, so it does not help when that disk fails.'
    : null;
}

async function readPlace(db: Db, kind: TargetPlace['kind'], given: Record<string, string>): Promise<TargetPlace> {
  const text = (field: string): string => {
    const value = given[field]?.trim();
    if (!value) throw fieldProblem(['body', 'config', field], `Enter a value for ${field}.`);
    return value;
  };
  if (kind === 'folder') {
    const folder = text('path');
    if (!path.isAbsolute(folder)) throw fieldProblem(['body', 'config', 'path'], 'Enter the whole path of the folder.');
    if ((await listLibraryRoots(db)).some((root) => isInside(path.resolve(folder), root)))
      throw fieldProblem(
        ['body', 'config', 'path'],
        'The folder is part of a library. Choose one outside, because libraries are never written to.',
      );
    return { kind, config: { path: path.resolve(folder) } };
  }
  const endpoint = URL.parse(text('endpoint'));
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.search)
    throw fieldProblem(
      ['body', 'config', 'endpoint'],
      'Enter an address such as https://s3.example.org, without a name or password in it.',
    );
  const bucket = text('bucket');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw fieldProblem(['body', 'config', 'bucket'], 'A bucket has 3 to 63 lower-case letters, digits, dots and hyphens.');
  const prefix = (given['prefix'] ?? '').trim().replace(/^\/+|\/+$/g, '');
  return {
    kind,
    config: {
      endpoint: endpoint.href.replace(/\/+$/, ''),
      region: given['region']?.trim() || 'us-east-1',
      bucket,
      prefix: prefix === '' ? '' : `${prefix}/`,
      access_key_id: text('access_key_id'),
    },
  };
}

const nameTaken = () => problem('conflict', 'Another backup target has this name. Choose a different one.');

const audit = (db: Db, event_type: string, actor: Actor, { id, name, kind }: TargetRow) =>
  recordEvent(db, { event_type, principal_id: actor.principalId, ip: actor.ip, details: { target_id: id, name, kind } });
