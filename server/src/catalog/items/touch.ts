import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';

const anonymousId = '00000000-0000-0000-0000-000000000000';
/** A limit on programs, whose requests would outweigh everything else the person opened. */
const maxTouchesPerMinute = 120;

/** Counts that a person opened an item, at most 120 times a minute. Two within a second, such as a double click, count once. */
export async function touchItem(db: Db, principal: Principal, itemId: string): Promise<void> {
  const { rows } = await sql<{ used: number; wait: number }>`with budget as (
      insert into touch_budgets as b (subject, minute, used) values (${principal.id ?? anonymousId}, date_trunc('minute', now()), 1)
      on conflict (subject) do update set used = case when b.minute = excluded.minute then b.used + 1 else 1 end, minute = excluded.minute
      returning subject, used, 60 - extract(second from now())::float8 as wait),
    counted as (
      insert into item_touches (subject, item_id) select subject, ${itemId}::uuid from budget where used <= ${maxTouchesPerMinute}
      on conflict (subject, item_id) do update set count = least(item_touches.count + 1, 1000000), last_at = now()
      where item_touches.last_at < now() - interval '1 second')
    select used, wait from budget`.execute(db);
  const { used, wait } = one(rows);
  if (used > maxTouchesPerMinute)
    throw problem('too_many_touches', `Only ${maxTouchesPerMinute} opened items are counted per minute. Try again later.`, {
      retryAfter: Math.max(1, wait),
    });
}
