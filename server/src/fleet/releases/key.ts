/**
 * The key that signs releases of the agent program. It is made at the first start; the database holds its public half, which agents pin when
 * they enrol. Nothing in the service signs: releases are signed on the command line, so that whoever takes over the service through its API
 * cannot make agents run another program. The private half may be moved to another machine; then nobody can, who only has this one.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';

const stateKey = 'agent_release_key';

function releaseKeyFile({ configDir }: Pick<Settings, 'configDir'>): string {
  return path.join(configDir, 'agent-release-key.pem');
}

/** The public key that agents pin, in PEM form; null before the first start with agents. */
async function findReleaseKey(db: Db): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`select value #>> '{}' as value from service_state where key = ${stateKey}`.execute(db);
  return rows[0]?.value ?? null;
}

/** Makes the key at the first start. Later it is never replaced, because enrolled agents accept no other. */
export async function ensureReleaseKey(db: Db, settings: Settings): Promise<string> {
  const known = await findReleaseKey(db);
  if (known !== null) return known;
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await sql`select pg_advisory_xact_lock(hashtextextended('agent release key', 0))`.execute(tx);
    const made = await findReleaseKey(tx);
    if (made !== null) return made;
    const file = releaseKeyFile(settings);
    // A file without a record is left from an earlier database; its agents go on accepting it.
    if (!existsSync(file)) writeKey(file, generateKeyPairSync('ed25519').privateKey);
    const pem = createPublicKey(readKey(settings)).export({ type: 'spki', format: 'pem' }).toString();
    await sql`insert into service_state (key, value) values (${stateKey}, to_jsonb(${pem}::text))`.execute(tx);
    return pem;
  });
}

/** The private key. Throws an error that says what to do if the key is not on this machine. */
export function readKey(settings: Pick<Settings, 'configDir'>): KeyObject {
  const file = releaseKeyFile(settings);
  if (!existsSync(file)) throw new Error(`The key that signs releases is not here (${file}). Sign on the machine that has it.`);
  return createPrivateKey(readFileSync(file, 'utf8'));
}

function writeKey(file: string, key: KeyObject): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, key.export({ type: 'pkcs8', format: 'pem' }).toString());
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, file);
}
