import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Reports that fit the start page. The newest pins stay when there are more. */
export const maxPins = 6;

/** The pinned reports of a person, oldest pin first. */
export async function pinsOf(db: Db, ownerId: string | null): Promise<string[]> {
  const { rows } = await sql<{ report_id: string }>`select report_id from report_pins where owner_id is not distinct from ${ownerId}::uuid
    order by id desc limit ${maxPins}`.execute(db);
  return rows.map(({ report_id }) => report_id).reverse();
}

export async function addPin(db: Db, ownerId: string | null, reportId: string): Promise<void> {
  await sql`insert into report_pins (owner_id, report_id) values (${ownerId}::uuid, ${reportId}) on conflict do nothing`.execute(db);
}

export async function removePin(db: Db, ownerId: string | null, reportId: string): Promise<void> {
  await sql`delete from report_pins where owner_id is not distinct from ${ownerId}::uuid and report_id = ${reportId}`.execute(db);
}

/** Removes the pins that do not fit any more. */
export async function dropOldPins(db: Db, ownerId: string | null): Promise<void> {
  await sql`delete from report_pins where id in (select id from report_pins where owner_id is not distinct from ${ownerId}::uuid
    order by id desc offset ${maxPins})`.execute(db);
}
