import { sql } from 'kysely';
import { type Db, one, withinSeconds } from '../../platform/database/index.ts';
import { bodyChars, type EmbeddedItem } from './item-text.ts';
import type { EmbeddingModel } from './port.ts';

/** Counts read one short row per file, which an administrator waits for. */
export const countSeconds = 5;

/** Returns the id of a model, which is added on first use. */
export async function registerModel(db: Db, { fingerprint, name, revision, dimension, runtime }: EmbeddingModel): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into embedding_models (fingerprint, name, revision, dimension, runtime)
    values (${fingerprint}, ${name}, ${revision}, ${dimension}, ${runtime})
    on conflict (fingerprint) do update set runtime = excluded.runtime returning id`.execute(db);
  return one(rows).id;
}

/** The model whose vectors are in the index, or null before the first one was loaded. */
interface CurrentModel {
  id: number;
  name: string;
  revision: string;
  dimension: number;
  fingerprint: string;
}

export async function readCurrentModel(db: Db): Promise<CurrentModel | null> {
  const { rows } = await sql<CurrentModel>`select m.id, m.name, m.revision, m.dimension, m.fingerprint
    from service_state s join embedding_models m on m.id = (s.value ->> 'model_id')::int where s.key = 'embedding_model'`.execute(db);
  return rows[0] ?? null;
}

/** The projectors are told, because the schemas of their indexes depend on the model. */
export async function writeCurrentModel(db: Db, id: number): Promise<void> {
  await sql`with changed as (
      insert into service_state (key, value) values ('embedding_model', jsonb_build_object('model_id', ${id}::int))
      on conflict (key) do update set value = excluded.value, updated_at = now() returning 1)
    select pg_notify('index_outbox', 'schema'), pg_notify('passage_outbox', 'schema') from changed`.execute(db);
}

/** The stored vectors of these texts by hexadecimal hash. */
export async function readVectors(db: Db, modelId: number, hashes: readonly Buffer[]): Promise<Map<string, Float32Array>> {
  const { rows } = await sql<{ text_hash: Buffer; vector: Buffer }>`select text_hash, vector from vectors
    where model_id = ${modelId} and text_hash = any(${[...hashes]}::bytea[])`.execute(db);
  return new Map(rows.map(({ text_hash, vector }) => [text_hash.toString('hex'), decodeVector(vector)]));
}

export async function writeVectors(db: Db, modelId: number, rows: readonly { hash: Buffer; vector: Float32Array }[]): Promise<void> {
  await sql`insert into vectors (model_id, text_hash, vector)
    select ${modelId}, hash, vector from unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ vector }) => encodeVector(vector))}::bytea[]) as given (hash, vector)
    on conflict (model_id, text_hash) do nothing`.execute(db);
}

/** Components are little-endian, as on every platform that Node supports. */
export function encodeVector(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function decodeVector(bytes: Buffer): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer);
}

export interface PendingItem extends EmbeddedItem {
  id: string;
  seq: string;
}

/** Items that failed before come last, so that they hold up nothing. */
export async function readPending(db: Db, limit: number, maxAttempts: number): Promise<PendingItem[]> {
  const { rows } =
    await sql<PendingItem>`select p.item_id as id, p.seq::text as seq, i.filename, i.extension, coalesce(i.user_title, i.title) as title, i.tags, i.metadata,
      left(i.body_text, ${bodyChars}) as body
    from embed_pending p join items i on i.id = p.item_id where p.attempts < ${maxAttempts} order by p.attempts, p.seq limit ${limit}`.execute(
      db,
    );
  return rows;
}

interface Settled {
  id: string;
  seq: string;
  hash: Buffer;
}

export async function writeItemVectors(db: Db, modelId: number, items: readonly Settled[]): Promise<void> {
  await sql`insert into item_vectors (item_id, model_id, text_hash)
    select g.id, ${modelId}, g.hash from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ hash }) => hash)}::bytea[]) as g (id, hash)
    join items i on i.id = g.id
    on conflict (item_id) do update set model_id = excluded.model_id, text_hash = excluded.text_hash`.execute(db);
}

/** Items that were added again meanwhile stay. */
export async function deletePending(db: Db, items: readonly Settled[]): Promise<void> {
  await sql`delete from embed_pending p using unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ seq }) => seq)}::bigint[]) as g (id, seq)
    where p.item_id = g.id and p.seq = g.seq`.execute(db);
}

/** Their documents are written again, now with the vector. */
export async function addToOutbox(db: Db, ids: readonly string[]): Promise<void> {
  await sql`with added as (insert into index_outbox (item_id) select i.id from items i where i.id = any(${[...ids]}::uuid[]) order by i.id returning 1)
    select pg_notify('index_outbox', '') from added limit 1`.execute(db);
}

export async function countAttempt(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update embed_pending set attempts = attempts + 1 where item_id = any(${[...ids]}::uuid[])`.execute(db);
}

export async function addPending(db: Db, ids: readonly string[]): Promise<void> {
  await sql`insert into embed_pending (item_id) select i.id from items i where i.id = any(${[...ids]}::uuid[])
    on conflict (item_id) do update set seq = excluded.seq, attempts = 0`.execute(db);
}

/** Every item that has no vector of this model. */
export async function addAllPending(db: Db, modelId: number): Promise<number> {
  const { rows } = await sql<{ added: number }>`with added as (
      insert into embed_pending (item_id) select i.id from items i
      where not exists (select from item_vectors v where v.item_id = i.id and v.model_id = ${modelId}) on conflict (item_id) do update set attempts = 0 returning 1)
    select count(*) as added from added`.execute(db);
  return one(rows).added;
}

interface EmbeddingCounts {
  embedded: number;
  /** Items with a vector of another model. */
  mismatched: number;
  pending: number;
  failed: number;
}

export async function countEmbedded(db: Db, modelId: number | null, maxAttempts: number): Promise<EmbeddingCounts> {
  const query = sql<EmbeddingCounts>`select
      (select count(*) from item_vectors where model_id = ${modelId}) as embedded,
      (select count(*) from item_vectors where model_id is distinct from ${modelId}) as mismatched,
      (select count(*) from embed_pending where attempts < ${maxAttempts}) as pending,
      (select count(*) from embed_pending where attempts >= ${maxAttempts}) as failed`;
  return one(await withinSeconds(db, countSeconds, query));
}

/** Vectors of items whose text no item has any more. Returns how many were deleted. */
export async function deleteUnusedVectors(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`with unused as (
      select v.model_id, v.text_hash from vectors v
      where not exists (select from item_vectors i where i.model_id = v.model_id and i.text_hash = v.text_hash) limit ${limit}),
    gone as (delete from vectors v using unused u where v.model_id = u.model_id and v.text_hash = u.text_hash returning 1)
    select count(*) as deleted from gone`.execute(db);
  return one(rows).deleted;
}

/** How the backfill is doing, for people who watch it. */
export interface BackfillState {
  paused: boolean;
  /** Items a second, measured over the last minutes; null before the first measurement. */
  rate: number | null;
  /** Why the last run could not embed, or null. */
  error: string | null;
  download: { file: string; received: number; total: number } | null;
}

const idleBackfill: BackfillState = { paused: false, rate: null, error: null, download: null };

export async function readBackfill(db: Db): Promise<BackfillState> {
  const { rows } = await sql<{ value: Partial<BackfillState> }>`select value from service_state where key = 'embedding_backfill'`.execute(
    db,
  );
  return { ...idleBackfill, ...rows[0]?.value };
}

/** Changes the given parts only: a person may pause while the worker reports its rate. */
export async function writeBackfill(db: Db, change: Partial<BackfillState>): Promise<void> {
  await sql`insert into service_state (key, value) values ('embedding_backfill', ${JSON.stringify(change)}::jsonb)
    on conflict (key) do update set value = service_state.value || excluded.value, updated_at = now()`.execute(db);
}
