import { sql } from 'kysely';
import type { Ownership } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** Reports that fit the start page. The newest pins stay when there are more. */
export const maxPins = 6;

/** The pinned reports of an account, or of one of its limited keys, oldest pin first. */
export async function pinsOf(db: Db, { owner, key }: Ownership): Promise<string[]> {
  const { rows } = await sql<{
    report_id: string;
  }>`select report_id from report_pins where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid
    order by id desc limit ${maxPins}`.execute(db);
  return rows.map(({ report_id }) => report_id).reverse();
}

export async function addPin(db: Db, { owner, key }: Ownership, reportId: string): Promise<void> {
  await sql`insert into report_pins (owner_id, key_id, report_id) values (${owner}::uuid, ${key}::uuid, ${reportId}) on conflict do nothing`.execute(
    db,
  );
}

export async function removePin(db: Db, { owner, key }: Ownership, reportId: string): Promise<void> {
  await sql`delete from report_pins where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid and report_id = ${reportId}`.execute(
    db,
  );
}

/** Removes the pins that do not fit any more. */
export async function dropOldPins(db: Db, { owner, key }: Ownership): Promise<void> {
  await sql`delete from report_pins where id in (select id from report_pins where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid
    order by id desc offset ${maxPins})`.execute(db);
}
