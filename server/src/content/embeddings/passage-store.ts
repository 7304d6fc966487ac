import { sql } from 'kysely';
import { type Db, one, withinSeconds } from '../../platform/database/index.ts';
import { countSeconds, decodeVector, encodeVector } from './store.ts';

/** A text is given up after this many failures; dividing it again resets the count. */
const maxFailures = 3;

interface UnembeddedText {
  hash: string;
  /** One of the items that have the text. */
  item_id: string;
  body: string | null;
  ocr: string | null;
}

/** Texts that failed before come last. Items that will be divided again are skipped: they may have another text by now. */
export async function nextUnembeddedText(db: Db, modelId: number): Promise<UnembeddedText | null> {
  const { rows } = await sql<UnembeddedText>`select t.hash, i.id as item_id, i.body_text as body, i.metadata ->> 'ocr_text' as ocr
    from passage_texts t join item_passages p on p.text_hash = t.hash join items i on i.id = p.item_id
    where t.model_id is distinct from ${modelId} and t.attempts < ${maxFailures}
      and not exists (select from passage_outbox o where o.item_id = p.item_id)
    order by t.attempts limit 1`.execute(db);
  return rows[0] ?? null;
}

/** True when a change of the item has not reached the passage index yet. */
export async function isItemChanging(db: Db, itemId: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from index_outbox where item_id = ${itemId})
    or exists (select from passage_outbox where item_id = ${itemId}) as waits`.execute(db);
  return one(rows).waits;
}

export async function passagesWithoutVector(
  db: Db,
  hash: string,
  modelId: number,
  limit: number,
): Promise<{ chunk_no: number; start: number; end: number }[]> {
  const { rows } = await sql<{ chunk_no: number; start: number; end: number }>`select p.chunk_no, p.start_at as start, p.end_at as "end"
    from passages p where p.text_hash = ${hash} and not exists (
      select from passage_vectors v where v.text_hash = p.text_hash and v.chunk_no = p.chunk_no and v.model_id = ${modelId})
    order by p.chunk_no limit ${limit}`.execute(db);
  return rows;
}

/** Passages that were removed meanwhile get no vector. */
export async function writePassageVectors(
  db: Db,
  { hash, modelId }: { hash: string; modelId: number },
  rows: readonly { chunk_no: number; vector: Float32Array }[],
): Promise<void> {
  await sql`insert into passage_vectors (text_hash, chunk_no, model_id, vector)
    select p.text_hash, p.chunk_no, ${modelId}, g.vector
    from unnest(${rows.map(({ chunk_no }) => chunk_no)}::integer[], ${rows.map(({ vector }) => encodeVector(vector))}::bytea[]) as g (chunk_no, vector)
    join passages p on p.text_hash = ${hash} and p.chunk_no = g.chunk_no
    on conflict (text_hash, chunk_no) do update set model_id = excluded.model_id, vector = excluded.vector`.execute(db);
}

export async function recordEmbeddedText(db: Db, hash: string, modelId: number): Promise<void> {
  await sql`update passage_texts set model_id = ${modelId}, attempts = 0 where hash = ${hash}`.execute(db);
}

export async function recordTextFailure(db: Db, hash: string): Promise<void> {
  await sql`update passage_texts set attempts = attempts + 1 where hash = ${hash}`.execute(db);
}

/** The vectors of a text by number of the passage; null until all its passages have one of this model. */
export async function readPassageVectors(db: Db, hash: string, modelId: number): Promise<Map<number, Float32Array> | null> {
  const { rows } = await sql<{ chunk_no: number; vector: Buffer }>`select v.chunk_no, v.vector
    from passage_texts t join passage_vectors v on v.text_hash = t.hash and v.model_id = t.model_id
    where t.hash = ${hash} and t.model_id = ${modelId}`.execute(db);
  return rows.length === 0 ? null : new Map(rows.map(({ chunk_no, vector }) => [chunk_no, decodeVector(vector)]));
}

export async function countPassageVectors(db: Db, modelId: number | null): Promise<{ embedded: number; pending: number }> {
  const query = sql<{ embedded: number; pending: number }>`select
      coalesce(sum(passages) filter (where model_id = ${modelId}), 0)::integer as embedded,
      coalesce(sum(passages) filter (where model_id is distinct from ${modelId} and attempts < ${maxFailures}), 0)::integer as pending
    from passage_texts`;
  return one(await withinSeconds(db, countSeconds, query));
}
