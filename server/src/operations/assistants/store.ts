import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { ToolError } from './tools.ts';

export const maxCallsPerMinute = 60;

/** Counts a call of this key, in the database, so that all processes share the limit. */
export async function takeCall(db: Db, subject: string): Promise<void> {
  const { rows } = await sql<{ used: number; wait: number }>`
    insert into assistant_budgets as b (subject, minute, used) values (${subject}, date_trunc('minute', now()), 1)
    on conflict (subject) do update set used = case when b.minute = excluded.minute then b.used + 1 else 1 end, minute = excluded.minute
    returning used, 60 - extract(second from now())::float8 as wait`.execute(db);
  const { used, wait } = one(rows);
  if (used > maxCallsPerMinute)
    throw new ToolError(`Only ${maxCallsPerMinute} calls are allowed per minute. Try again in ${Math.ceil(wait)} seconds.`);
}
