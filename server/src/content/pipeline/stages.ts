import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** What one batch did to the files of one run. */
export interface StageSums {
  extracted: number;
  failed: number;
  thumbs_wanted: number;
  thumbs_done: number;
  thumbs_failed: number;
}

/** Adds a batch's sums. After half a minute of silence a new stretch begins, so that the speed told is that of the work under way. */
export async function noteStages(db: Db, runId: string, sums: StageSums): Promise<void> {
  await sql`update scan_stages set extracted = extracted + ${sums.extracted}, failed = failed + ${sums.failed},
      thumbs_wanted = thumbs_wanted + ${sums.thumbs_wanted}, thumbs_done = thumbs_done + ${sums.thumbs_done},
      thumbs_failed = thumbs_failed + ${sums.thumbs_failed}, changed_at = now(),
      stretch_at = case when changed_at < now() - interval '30 seconds' then now() else stretch_at end,
      stretch_done = case when changed_at < now() - interval '30 seconds' then 0 else stretch_done + ${sums.extracted} end
    where run_id = ${runId}`.execute(db);
}

export interface StageRow extends StageSums {
  run_id: string;
  queued: number;
  /** Files a second in the present stretch; null before it can be told. */
  rate: number | null;
  waiting: boolean;
  claimed: boolean;
}

/** One row a run that queued anything. Whether something still waits is asked of the list itself: sums may lack a batch that died. */
export async function readStageRows(db: Db, runIds: readonly string[]): Promise<Map<string, StageRow>> {
  const { rows } = await sql<StageRow>`select s.run_id, s.queued, s.extracted, s.failed, s.thumbs_wanted, s.thumbs_done, s.thumbs_failed,
      case when s.stretch_done > 0 and s.changed_at > s.stretch_at then (s.stretch_done / extract(epoch from s.changed_at - s.stretch_at))::float8 end as rate,
      exists (select from extract_pending p where p.run_id = s.run_id) as waiting,
      exists (select from extract_pending p where p.run_id = s.run_id and p.claimed_at is not null) as claimed
    from scan_stages s where s.run_id = any(${[...runIds]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.run_id, row]));
}

/** What a worker's controller says of itself, for whoever shows progress. Null: nothing holds extraction back. */
export interface PressureNote {
  state: 'tripped' | 'recovering' | 'paused';
  reason: string;
}

const noteKey = (worker: string): string => `extract_pressure:${worker}`;

/** Tells the other processes; a note that is not repeated is forgotten after a minute or so. */
export async function notePressure(db: Db, worker: string, note: PressureNote | null): Promise<void> {
  if (note === null) await sql`delete from service_state where key = ${noteKey(worker)}`.execute(db);
  else
    await sql`insert into service_state (key, value) values (${noteKey(worker)}, ${JSON.stringify(note)}::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db);
}

/** The gravest of what the workers say. */
export async function readPressure(db: Db, freshSeconds = 90): Promise<PressureNote | null> {
  const { rows } = await sql<{ value: PressureNote }>`select value from service_state where starts_with(key, 'extract_pressure:')
      and updated_at > now() - make_interval(secs => ${freshSeconds})
    order by array_position(array['paused', 'tripped', 'recovering'], value ->> 'state') limit 1`.execute(db);
  return rows[0]?.value ?? null;
}
