import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Grows with every change of the live taxonomy; all processes read it before they trust a map they hold. */
export async function taxonomyVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select value::int version from service_state where key = 'taxonomy_version'`.execute(db);
  return rows[0]?.version ?? 0;
}

export async function increaseTaxonomyVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`insert into service_state (key, value) values ('taxonomy_version', '1')
    on conflict (key) do update set value = to_jsonb(service_state.value::int + 1), updated_at = now() returning value::int version`.execute(
    db,
  );
  return rows[0]!.version;
}

/** The newest version whose changes have reached every item. */
export async function reclassifiedVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select value::int version from service_state where key = 'taxonomy_reclassified'`.execute(
    db,
  );
  return rows[0]?.version ?? 0;
}

export async function recordReclassified(db: Db, version: number): Promise<void> {
  await sql`insert into service_state (key, value) values ('taxonomy_reclassified', to_jsonb(${version}::int))
    on conflict (key) do update set value = to_jsonb(greatest(service_state.value::int, ${version}::int)), updated_at = now()`.execute(db);
}
