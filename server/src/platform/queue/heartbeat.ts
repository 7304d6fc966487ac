import os from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

export interface JobHeartbeat {
  id: string;
  state: 'doing' | 'aborting';
}

/** Says that these runs are alive; answers those that are still this worker's. Needs no waiting for the disk: the next beat repeats it. */
export async function recordJobHeartbeats(
  db: Db,
  workerId: string,
  runs: readonly { id: string; claim: number }[],
): Promise<JobHeartbeat[]> {
  if (runs.length === 0) return [];
  const beaten = await sql<JobHeartbeat>`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), alive as (
      select jobs.id
      from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ claim }) => claim)}::int[]) as run (id, claim)
      join jobs on jobs.id = run.id and jobs.claim = run.claim
      where jobs.worker_id = ${workerId}::uuid and jobs.state not in ('todo', 'failed', 'succeeded')
      order by jobs.id
      for update of jobs
    )
    update jobs set heartbeat_at = clock_timestamp()
    from relaxed, alive
    where jobs.id = alive.id
    returning jobs.id, jobs.state`.execute(db);
  return beaten.rows;
}

/** Says that this worker is alive, and what it serves. */
export async function recordWorkerHeartbeat(db: Db, worker: { id: string; queues: readonly string[]; concurrency: number }): Promise<void> {
  await sql`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    insert into workers (id, host, pid, queues, concurrency)
    select ${worker.id}::uuid, ${os.hostname()}, ${process.pid}, ${worker.queues}::text[], ${worker.concurrency} from relaxed
    on conflict (id) do update set heartbeat_at = clock_timestamp()`.execute(db);
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await sql`delete from workers where id = ${workerId}::uuid`.execute(db);
}
