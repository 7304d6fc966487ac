import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** The oldest changes. They stay in the outbox until deleteFromOutbox, after the index has them. */
export async function readOutbox(db: Db, limit: number): Promise<{ seqs: number[]; ids: string[] }> {
  const { rows } = await sql<{ seq: number; item_id: string }>`select seq, item_id from index_outbox order by seq limit ${limit}`.execute(
    db,
  );
  return { seqs: rows.map((row) => row.seq), ids: [...new Set(rows.map((row) => row.item_id))] };
}

/** Deletes by list, not by range, because a slow transaction may commit a smaller sequence number later. */
export async function deleteFromOutbox(db: Db, seqs: readonly number[]): Promise<void> {
  await sql`delete from index_outbox where seq = any(${[...seqs]}::bigint[])`.execute(db);
}

export async function outboxDepth(db: Db): Promise<number> {
  const { rows } = await sql<{ depth: number }>`select index_backlog() as depth`.execute(db);
  return one(rows).depth;
}

/** For changes of documents that change no item row, such as a setting of the library. */
export async function addLibraryToOutbox(db: Db, libraryId: string): Promise<void> {
  await sql`insert into index_outbox (item_id) select id from items where library_id = ${libraryId} order by id`.execute(db);
  await sql`select pg_notify('index_outbox', '')`.execute(db);
}

/** A requested rebuild or compaction: requested -> running -> done or failed. Stored in the database, so that any worker can run it. */
interface RebuildState {
  id: string;
  status: 'requested' | 'running' | 'done' | 'failed';
  documents: number;
  total: number;
  error: string | null;
  /** After a failure: how long the service waits before it tries again by itself. */
  pause_ms?: number;
}

/** What is requested, and the channel on which its projector listens. */
export type RebuildKey = 'index_rebuild' | 'passage_index_rebuild' | 'index_compaction';
const channels: Record<RebuildKey, string> = {
  index_rebuild: 'index_outbox',
  passage_index_rebuild: 'passage_outbox',
  index_compaction: 'index_outbox',
};

export async function readRebuild(db: Db, key: RebuildKey = 'index_rebuild'): Promise<RebuildState | null> {
  const { rows } = await sql<{ value: RebuildState }>`select value from service_state where key = ${key}`.execute(db);
  return rows[0]?.value ?? null;
}

/** How much of the pause after a failed rebuild is left, by the clock of the database because any worker may start the next attempt. */
export async function readPause(db: Db, key: RebuildKey = 'index_rebuild'): Promise<number> {
  const { rows } = await sql<{
    left: number;
  }>`select least(pause, greatest(0, pause - extract(epoch from now() - updated_at) * 1000))::float8 as left
    from (select (value ->> 'pause_ms')::float8 as pause, updated_at from service_state
      where key = ${key} and value ->> 'status' = 'failed' and value ? 'pause_ms') failed`.execute(db);
  return rows[0]?.left ?? 0;
}

/** Requests a rebuild even if one was requested before, for the next worker if none runs now, and returns the id of the request. */
export async function requestNewRebuild(db: Db, key: RebuildKey = 'index_rebuild'): Promise<string> {
  const id = randomUUID();
  await writeRebuild(db, { id, status: 'requested', documents: 0, total: 0, error: null }, key);
  return id;
}

export async function writeRebuild(db: Db, state: RebuildState, key: RebuildKey = 'index_rebuild'): Promise<void> {
  await sql`insert into service_state (key, value) values (${key}, ${JSON.stringify(state)}::jsonb) on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(
    db,
  );
  await sql`select pg_notify(${channels[key]}, '')`.execute(db);
}

/** The state of the request with this id. Does nothing if a newer request has replaced it. */
export async function updateRebuild(db: Db, state: RebuildState, key: RebuildKey = 'index_rebuild'): Promise<void> {
  await sql`with changed as (update service_state set value = ${JSON.stringify(state)}::jsonb, updated_at = now()
      where key = ${key} and value ->> 'id' = ${state.id} returning 1)
    select pg_notify(${channels[key]}, '') from changed`.execute(db);
}

/** Does nothing while a rebuild is requested or running. */
export async function requestRebuild(db: Db, key: RebuildKey = 'index_rebuild'): Promise<void> {
  const { status } = (await readRebuild(db, key)) ?? { status: 'done' };
  if (status === 'requested' || status === 'running') return;
  await requestNewRebuild(db, key);
}
