import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

interface StoredSecret {
  name: string;
  key_id: string;
  ciphertext: string;
}

export async function findSecret(db: Db, name: string): Promise<StoredSecret | undefined> {
  const { rows } = await sql<StoredSecret>`select name, key_id, ciphertext from secrets where name = ${name}`.execute(db);
  return rows[0];
}

export async function upsertSecret(db: Db, { name, key_id, ciphertext }: StoredSecret): Promise<void> {
  await sql`insert into secrets (name, key_id, ciphertext) values (${name}, ${key_id}, ${ciphertext})
    on conflict (name) do update set key_id = excluded.key_id, ciphertext = excluded.ciphertext, updated_at = now()`.execute(db);
}

/** Replaces a value only if it is still the one that was read, so that a rotation never overwrites a newer value. */
export async function replaceSecret(db: Db, before: StoredSecret, after: Omit<StoredSecret, 'name'>): Promise<void> {
  await sql`update secrets set key_id = ${after.key_id}, ciphertext = ${after.ciphertext}, updated_at = now()
    where name = ${before.name} and ciphertext = ${before.ciphertext}`.execute(db);
}

export async function deleteSecret(db: Db, name: string): Promise<void> {
  await sql`delete from secrets where name = ${name}`.execute(db);
}

export async function deleteSecretsBelow(db: Db, prefix: string): Promise<void> {
  await sql`delete from secrets where starts_with(name, ${prefix})`.execute(db);
}

export async function listSecretNames(db: Db, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from secrets where starts_with(name, ${prefix}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** A page of values that are not encrypted with the current key. */
export async function pageSecretsOfOtherKeys(db: Db, currentId: string, after: string, limit: number): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`select name, key_id, ciphertext from secrets where key_id <> ${currentId} and name > ${after}
    order by name limit ${limit}`.execute(db);
  return rows;
}
