import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Passage } from './divide.ts';

/** The items among these whose library has passages. */
export async function itemsWithPassages(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select i.id from items i join libraries l on l.id = i.library_id where i.id = any(${[...ids]}::uuid[]) and l.chunking_enabled`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The passages of a text in order; null when it was not divided under this shape. */
export async function readPassages(db: Db, hash: string, shape: string): Promise<Passage[] | null> {
  const { rows } = await sql<{ found: boolean; start: number | null; end: number; page: number | null; heading: string | null }>`
    select true as found, p.start_at as start, p.end_at as "end", p.page, p.heading
    from passage_texts t left join passages p on p.text_hash = t.hash where t.hash = ${hash} and t.shape = ${shape} order by p.chunk_no`.execute(
    db,
  );
  if (rows.length === 0) return null;
  return rows.flatMap(({ start, end, page, heading }) => (start === null ? [] : [{ start, end, page, heading }]));
}

/** Stores the passages of a text, and replaces those of another shape. */
export async function writePassages(db: Db, hash: string, shape: string, passages: readonly Passage[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into passage_texts (hash, shape, passages) values (${hash}, ${shape}, ${passages.length})
      on conflict (hash) do update set shape = excluded.shape, passages = excluded.passages, model_id = null, attempts = 0`.execute(trx);
    await sql`delete from passages where text_hash = ${hash}`.execute(trx);
    await sql`insert into passages (text_hash, chunk_no, start_at, end_at, page, heading)
      select ${hash}, n - 1, s, e, p, h from unnest(${passages.map(({ start }) => start)}::integer[], ${passages.map(({ end }) => end)}::integer[],
        ${passages.map(({ page }) => page)}::integer[], ${passages.map(({ heading }) => heading)}::text[]) with ordinality as r (s, e, p, h, n)`.execute(
      trx,
    );
  });
}

/** What the index has of an item, or is about to have. */
export interface ItemPassages {
  item_id: string;
  text_hash: string;
  shape: string;
  documents: number;
  item_fingerprint: string;
  /** The model of the vectors in its documents, or null. */
  model_id: number | null;
}

export async function readItemPassages(db: Db, ids: readonly string[]): Promise<Map<string, ItemPassages>> {
  const { rows } =
    await sql<ItemPassages>`select item_id, text_hash, shape, documents, item_fingerprint, model_id from item_passages where item_id = any(${[...ids]}::uuid[])`.execute(
      db,
    );
  return new Map(rows.map((row) => [row.item_id, row]));
}

/** All rows in the order of items, for a rebuild and for the comparison with the index. */
export async function itemPassagesAfter(db: Db, after: string | null, limit: number): Promise<ItemPassages[]> {
  const { rows } = await sql<ItemPassages>`select item_id, text_hash, shape, documents, item_fingerprint, model_id from item_passages
    where ${after === null ? sql`true` : sql`item_id > ${after}`} order by item_id limit ${limit}`.execute(db);
  return rows;
}

/** Before the index is written, `documents` only grows, so that no document is ever forgotten; afterwards it is exact. */
export async function recordItemPassages(db: Db, rows: readonly ItemPassages[], when: 'before' | 'after'): Promise<void> {
  await sql`insert into item_passages (item_id, text_hash, shape, documents, item_fingerprint, model_id)
    select * from unnest(${rows.map((row) => row.item_id)}::uuid[], ${rows.map((row) => row.text_hash)}::text[], ${rows.map((row) => row.shape)}::text[],
      ${rows.map((row) => row.documents)}::integer[], ${rows.map((row) => row.item_fingerprint)}::text[],
      ${rows.map((row) => row.model_id)}::integer[])
    on conflict (item_id) do update set text_hash = excluded.text_hash, shape = excluded.shape, item_fingerprint = excluded.item_fingerprint, model_id = excluded.model_id,
      documents = ${when === 'before' ? sql`greatest(item_passages.documents, excluded.documents)` : sql`excluded.documents`}`.execute(db);
}

export async function forgetItemPassages(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from item_passages where item_id = any(${[...ids]}::uuid[])`.execute(db);
}

/** Deletes these texts where no item has them any more. */
export async function deleteUnusedTexts(db: Db, hashes: readonly string[]): Promise<void> {
  await sql`delete from passage_texts t where t.hash = any(${[...hashes]}::text[])
    and not exists (select from item_passages p where p.text_hash = t.hash)`.execute(db);
}

export async function hasPassageLibrary(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from libraries where chunking_enabled) as any`.execute(db);
  return one(rows).any;
}

export async function readPassageOutbox(db: Db, limit: number): Promise<{ seqs: number[]; ids: string[] }> {
  const { rows } = await sql<{
    seq: number;
    item_id: string;
  }>`select seq, item_id from passage_outbox order by seq limit ${limit}`.execute(db);
  return { seqs: rows.map(({ seq }) => seq), ids: [...new Set(rows.map(({ item_id }) => item_id))] };
}

/** Adds the items that have this text. */
export async function queueItemsOfText(db: Db, hash: string): Promise<void> {
  await sql`with added as (insert into passage_outbox (item_id) select item_id from item_passages where text_hash = ${hash} returning 1)
    select pg_notify('passage_outbox', '') from added limit 1`.execute(db);
}

export async function deleteFromPassageOutbox(db: Db, seqs: readonly number[]): Promise<void> {
  await sql`delete from passage_outbox where seq = any(${[...seqs]}::bigint[])`.execute(db);
}

export async function passageOutboxDepth(db: Db): Promise<number> {
  const { rows } = await sql<{ depth: number }>`select count(*) as depth from passage_outbox`.execute(db);
  return one(rows).depth;
}

/** Adds those of the items that have passages, or should have some. */
export async function queueChangedItems(db: Db, ids: readonly string[]): Promise<void> {
  await sql`with added as (insert into passage_outbox (item_id)
      select changed.id from unnest(${[...ids]}::uuid[]) as changed (id)
        -- Looked up item by item, however many there are.
        cross join lateral (
          (select from item_passages p where p.item_id = changed.id limit 1)
          union all (select from items i join libraries l on l.id = i.library_id where i.id = changed.id and l.chunking_enabled limit 1)
          limit 1) wanted returning 1)
    select pg_notify('passage_outbox', '') from added limit 1`.execute(db);
}

/**
 * Adds items whose passages are missing, of another shape or no longer wanted, after an id and in the order of ids. Returns the last id and
 * how many were added.
 */
export async function queueOutdated(db: Db, shape: string, after: string, limit: number): Promise<{ last: string | null; queued: number }> {
  const { rows } = await sql<{ last: string | null; queued: number }>`
    with due as (
      select i.id from items i join libraries l on l.id = i.library_id left join item_passages p on p.item_id = i.id
      where i.id > ${after} and case when l.chunking_enabled
        then p.shape is distinct from ${shape} and (p.item_id is not null or i.body_text is not null or i.metadata ? 'ocr_text')
        else p.item_id is not null end
      union select p.item_id from item_passages p where p.item_id > ${after} and not exists (select from items i where i.id = p.item_id)
      order by 1 limit ${limit}),
    added as (insert into passage_outbox (item_id) select id from due
      where not exists (select from passage_outbox o where o.item_id = due.id) order by id returning 1)
    select (select max(id::text) from due) as last, (select count(*) from added)::integer as queued`.execute(db);
  await sql`select pg_notify('passage_outbox', '')`.execute(db);
  return one(rows);
}
