import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db } from '../src/platform/database/index.ts';

/** Sends several edits of one row: each has begun and waits for the row before any of them is written. */
export async function editAtOnce(
  db: Db,
  { table, key = 'id', id }: { table: string; key?: string; id: string },
  edits: (() => Promise<LightMyRequestResponse>)[],
): Promise<void> {
  let sent: Promise<LightMyRequestResponse>[] = [];
  await db.transaction().execute(async (tx) => {
    await sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${id} for update`.execute(tx);
    sent = edits.map(async (edit) => await edit());
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        );
        expect(rows).toHaveLength(edits.length);
      },
      { timeout: 30_000 },
    );
  });
  for (const response of await Promise.all(sent)) expect(response.statusCode, response.body).toBe(200);
}
