import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** A worker writes a heartbeat every few seconds; after this long it counts as gone. */
const aliveSeconds = 60;

/** The labels of all running workers. */
export async function runningWorkerLabels(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ label: string }>`select distinct l.label from workers w cross join unnest(w.labels) as l (label)
    where w.heartbeat_at > now() - ${aliveSeconds} * interval '1 second'`.execute(db);
  return new Set(rows.map(({ label }) => label));
}
