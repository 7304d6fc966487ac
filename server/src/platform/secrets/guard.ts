/**
 * The key guard: the database holds the fingerprint of the key in use, so that a service started with another key, for example after a
 * restore, says so instead of failing at the next alert.
 *
 * unset      no key is configured and none was ever used.
 * stamped    the first start with a key: its fingerprint was stored.
 * match      the key is the one on record.
 * mismatch   another key is configured. Values stored before cannot be read.
 * missing    a fingerprint is on record, but no key is configured.
 *
 * A mismatch ends when the original key is restored, when `catalog secrets rotate` has encrypted everything with the new key, or when the
 * stored fingerprint is cleared after every secret was entered again.
 */
import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { fingerprint } from './cipher.ts';
import { type KeySettings, readKeyRing } from './keys.ts';

const stateKey = 'secret_key_fingerprint';

export interface KeyState {
  state: 'unset' | 'stamped' | 'match' | 'mismatch' | 'missing';
  /** The fingerprint on record. */
  stored: string | null;
  /** The fingerprint of the configured key. */
  configured: string | null;
  /** What is wrong and what to do next; null when nothing is. */
  message: string | null;
}

/** Compares without storing anything. */
export async function checkSecretKey(db: Db, settings: KeySettings): Promise<KeyState> {
  const ring = readKeyRing(settings);
  const configured = ring ? fingerprint(ring.current) : null;
  const stored = await storedFingerprint(db);
  const state =
    stored === null
      ? configured === null
        ? 'unset'
        : 'stamped'
      : configured === null
        ? 'missing'
        : configured === stored
          ? 'match'
          : 'mismatch';
  const rotatable = ring?.previous.some((key) => fingerprint(key) === stored) ?? false;
  return { state, stored, configured, message: describe(state, { stored, configured, rotatable }) };
}

/** At the start of a process: stores the fingerprint of the first key, and logs an error when the key is not the one on record. */
export async function reportSecretKey(db: Db, settings: KeySettings, log: Log): Promise<KeyState> {
  const checked = await checkSecretKey(db, settings);
  if (checked.state === 'stamped' && checked.configured) await stampKeyFingerprint(db, checked.configured, { replace: false });
  if (checked.message) log.error(checked.message);
  return checked;
}

async function storedFingerprint(db: Db): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`select value #>> '{}' as value from service_state where key = ${stateKey}`.execute(db);
  return rows[0]?.value ?? null;
}

export async function stampKeyFingerprint(db: Db, value: string, { replace }: { replace: boolean }): Promise<void> {
  await sql`insert into service_state (key, value) values (${stateKey}, to_jsonb(${value}::text))
    on conflict (key) do update set value = excluded.value, updated_at = now() where ${replace}`.execute(db);
}

/** The next start stores the fingerprint of the key it finds. */
export async function clearKeyFingerprint(db: Db): Promise<void> {
  await sql`delete from service_state where key = ${stateKey}`.execute(db);
}

function describe(
  state: KeyState['state'],
  { stored, configured, rotatable }: { stored: string | null; configured: string | null; rotatable: boolean },
): string | null {
  if (state === 'missing')
    return `SVC_SECRET_KEY is not set, but stored secrets were encrypted with the key ${stored}. Set that key again; until then they cannot be read.`;
  if (state !== 'mismatch') return null;
  const differs = `SVC_SECRET_KEY (fingerprint ${configured}) is not the key that stored secrets were encrypted with (fingerprint ${stored}).`;
  return rotatable
    ? `${differs} Run "catalog secrets rotate" to encrypt them with the new key.`
    : `${differs} Restore the original key, or enter every secret again and then run "catalog secrets clear-fingerprint".`;
}
