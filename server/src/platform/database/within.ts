import { type RawBuilder, sql } from 'kysely';
import { problem } from '../problem.ts';
import type { Db } from './connection.ts';

/** Runs a statement that may read much with a time limit in the database, and reports `took_too_long` when it is exceeded. */
export async function withinSeconds<Row>(db: Db, seconds: number, query: RawBuilder<Row>): Promise<Row[]> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(transaction);
      return (await query.execute(transaction)).rows;
    });
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error;
    throw problem('took_too_long');
  }
}
