import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/http/index.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** Counts that somebody opened an item. Two within a second are one: a double click is not twice the interest. */
export async function touchItem(db: Db, principal: Principal, itemId: string): Promise<void> {
  await sql`insert into item_touches (subject, item_id) values (${principal.id ?? nobody}, ${itemId})
    on conflict (subject, item_id) do update set count = least(item_touches.count + 1, 1000000), last_at = now()
    where item_touches.last_at < now() - interval '1 second'`.execute(db);
}
