import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { createSecrets, keepsSecret } from '../../platform/secrets/index.ts';
import { authorizedKeysLine, createSshKey } from '../../platform/sftp/index.ts';
import { backupsFolder } from '../backup/index.ts';
import { secretName } from './copy.ts';
import { openTransport } from './open-transport.ts';
import { locationOf, readPlace } from './place.ts';
import { deleteCopies, deleteTarget, findTarget, insertTarget, lockTarget, type TargetRow, updateTarget } from './store.ts';
import type { TargetPlace } from './transport.ts';

interface TargetInput {
  name?: string | undefined;
  enabled?: boolean | undefined;
  keep?: number | undefined;
  config?: Record<string, string> | undefined;
  secret_access_key?: string | undefined;
  password?: string | undefined;
}

/** The secret that was given for a place, or null. */
function givenSecret(kind: TargetPlace['kind'], { secret_access_key, password }: TargetInput): string | null {
  const given = kind === 's3' ? secret_access_key : kind === 'sftp' ? password : undefined;
  return keepsSecret(given) ? null : (given ?? null);
}

/** The secret of a new place. A server with SFTP that is added without a password gets a key of its own. */
function firstSecret(kind: TargetPlace['kind'], input: TargetInput): string | null {
  const given = givenSecret(kind, input);
  if (kind === 's3' && given === null) throw fieldProblem(['body', 'secret_access_key'], 'Enter the secret key of the storage.');
  return kind === 'sftp' ? (given ?? createSshKey()) : given;
}

/** The public key is shown as long as the service signs in with the private one. */
function withPublicKey(place: TargetPlace, secret: string | null): TargetPlace {
  if (place.kind !== 'sftp' || secret === null) return place;
  const { public_key: _old, ...config } = place.config;
  const isKey = secret.startsWith('-----BEGIN ');
  return { kind: 'sftp', config: { ...config, ...(isKey ? { public_key: authorizedKeysLine(secret, 'catalog-backups') } : {}) } };
}

export async function createTarget(
  { db, settings }: Dependencies,
  actor: Actor,
  kind: TargetPlace['kind'],
  input: TargetInput & { name: string },
) {
  const given = await readPlace(db, kind, input.config ?? {});
  const secrets = createSecrets(settings);
  const secret = firstSecret(kind, input);
  if (secret !== null) secrets.requireKey();
  const place = withPublicKey(given, secret);
  return db.transaction().execute(async (trx) => {
    const row = await insertTarget(trx as Db, { name: input.name.trim(), enabled: input.enabled ?? true, keep: input.keep ?? 7, ...place });
    if (!row) throw nameTaken();
    if (secret !== null) await secrets.write(trx as Db, secretName(row), secret);
    await audit(trx as Db, 'backup_target_created', actor, row);
    return row;
  });
}

export async function changeTarget({ db, settings }: Dependencies, actor: Actor, id: string, input: TargetInput) {
  const secrets = createSecrets(settings);
  return db.transaction().execute(async (trx) => {
    await lockTarget(trx as Db, id);
    const before = await requireTarget(trx as Db, id);
    const secret = givenSecret(before.kind, input);
    const place = withPublicKey(await readPlace(trx as Db, before.kind, { ...before.config, ...input.config }), secret);
    const { name = before.name, enabled = before.enabled, keep = before.keep } = input;
    const row = await updateTarget(trx as Db, { id, name: name.trim(), enabled, keep, ...place });
    if (!row) throw nameTaken();
    if (secret !== null) await secrets.write(trx as Db, secretName(row), secret);
    // The copies are at the earlier place and stay there.
    if (!isDeepStrictEqual(locationOf(row), locationOf(before))) await deleteCopies(trx as Db, id);
    await audit(trx as Db, 'backup_target_updated', actor, row);
    return row;
  });
}

/** Files at the target stay there. */
export async function removeTarget({ db, settings }: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await requireTarget(db, id);
  await db.transaction().execute(async (trx) => {
    await createSecrets(settings).remove(trx as Db, secretName(row));
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
    const transport = openTransport(target, await createSecrets(settings).read(db, secretName(target)), createOutbound({ settings }));
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

const nameTaken = () => problem('conflict', 'Another backup target has this name. Choose a different one.');

const audit = (db: Db, event_type: string, actor: Actor, { id, name, kind }: TargetRow) =>
  recordEvent(db, { event_type, principal_id: actor.principalId, ip: actor.ip, details: { target_id: id, name, kind } });
