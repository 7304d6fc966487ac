import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database/index.ts';
import type { Dependencies } from './dependencies.ts';

/** An invariant that `catalog check` verifies. Returns one sentence per violation. */
export interface Check {
  name: string;
  /** A note is printed but does not count as a problem. */
  severity?: 'note';
  run(deps: Pick<Dependencies, 'db' | 'database' | 'settings'>): Promise<string[]>;
}

const maxViolations = 10;

/** Runs a query that selects one `sentence` per violation; the first ten are enough to act on. */
export async function findViolations(db: Db, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`${query} limit ${maxViolations}`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
