import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Provider } from './fields.ts';

export async function listSavedValues(db: Db, provider: Provider): Promise<{ field: string; value: unknown }[]> {
  const { rows } = await sql<{ field: string; value: unknown }>`select field, value from auth_config where provider = ${provider}`.execute(
    db,
  );
  return rows;
}

export async function saveValue(db: Db, provider: Provider, field: string, value: unknown): Promise<void> {
  await sql`insert into auth_config (provider, field, value) values (${provider}, ${field}, ${JSON.stringify(value)}::jsonb)
    on conflict (provider, field) do update set value = excluded.value, updated_at = now()`.execute(db);
}

export async function deleteValue(db: Db, provider: Provider, field: string): Promise<void> {
  await sql`delete from auth_config where provider = ${provider} and field = ${field}`.execute(db);
}

/** The labels of the directories that the app knows; null before it has started once. */
export async function readDirectoryLabels(db: Db): Promise<string[] | null> {
  const { rows } = await sql<{ value: string[] }>`select value from service_state where key = 'directory_labels'`.execute(db);
  return rows[0]?.value ?? null;
}

export async function saveDirectoryLabels(db: Db, labels: readonly string[]): Promise<void> {
  await sql`insert into service_state (key, value) values ('directory_labels', ${JSON.stringify(labels)}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now() where service_state.value <> excluded.value`.execute(db);
}

/** Enabled accounts that can sign in with one of these issuers or hosts only. */
export async function countDependents(db: Db, provider: 'oidc' | 'ldap', issuers: readonly string[]): Promise<number> {
  const { rows } = await sql<{
    people: number;
  }>`select count(distinct p.id)::int as people from principals p join identities i on i.principal_id = p.id
    where not p.disabled and p.password_hash is null and i.provider = ${provider} and i.issuer = any(${issuers}::text[])`.execute(db);
  return rows[0]?.people ?? 0;
}

export async function listRoleNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from roles`.execute(db);
  return rows.map(({ name }) => name);
}
