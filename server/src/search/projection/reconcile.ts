import { sql } from 'kysely';
import { settleFolderMoves } from '../../catalog/scan/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { expectedFingerprints, type IndexedVectors } from '../documents/index.ts';
import type { SearchReader } from '../engines/index.ts';

/**
 * Compares the index with the database by id and fingerprint, both in id order, so that memory does not grow with the catalog. Items that are
 * still in the outbox are not counted as drift, nor are those of a removed library, which enter the outbox when their rows are deleted.
 */
export interface Drift {
  missing: string[];
  stale: string[];
  extra: string[];
  compared: number;
}

export async function findDrift(db: Db, reader: SearchReader, limit: number, vectors: IndexedVectors | null = null): Promise<Drift> {
  const first = await compare(db, reader, limit, vectors);
  if (first.missing.length + first.stale.length + first.extra.length === 0) return first;
  // An item that changed and was indexed during the comparison is in no outbox any more. Only what still differs is drift.
  const second = await compare(db, reader, limit, vectors);
  const suspects = new Set([...first.missing, ...first.stale, ...first.extra]);
  const again = (list: string[]) => list.filter((id) => suspects.has(id));
  return { ...first, missing: again(second.missing), stale: again(second.stale), extra: again(second.extra) };
}

async function compare(db: Db, reader: SearchReader, limit: number, vectors: IndexedVectors | null): Promise<Drift> {
  const drift: Drift = { missing: [], stale: [], extra: [], compared: 0 };
  const found = () => drift.missing.length + drift.stale.length + drift.extra.length;
  const indexed = flatten(reader.list());
  let current = await indexed.next();
  for (let after: string | null = null; found() < limit; ) {
    const page = await expectedFingerprints(db, after, 5000, vectors);
    for (const row of page) {
      while (!current.done && current.value.id < row.id) {
        drift.extra.push(current.value.id);
        current = await indexed.next();
      }
      if (current.done || current.value.id !== row.id) drift.missing.push(row.id);
      else {
        if (current.value.fingerprint !== row.fingerprint) drift.stale.push(row.id);
        current = await indexed.next();
      }
      drift.compared += 1;
    }
    if (page.length === 0) {
      for (; !current.done && found() < limit; current = await indexed.next()) drift.extra.push(current.value.id);
      break;
    }
    after = page.at(-1)?.id ?? after;
  }
  await indexed.return(undefined);
  return withoutPending(db, drift);
}

async function* flatten<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, undefined> {
  for await (const page of pages) yield* page;
}

async function withoutPending(db: Db, drift: Drift): Promise<Drift> {
  const ids = [...drift.missing, ...drift.stale, ...drift.extra];
  if (ids.length === 0) return drift;
  await settleFolderMoves(db);
  const { rows } = await sql<{ item_id: string }>`select distinct item_id from index_outbox where item_id = any(${ids}::uuid[])
    union select i.id from items i join all_libraries l on l.id = i.library_id where l.removed_at is not null and i.id = any(${drift.extra}::uuid[])`.execute(
    db,
  );
  const pending = new Set(rows.map((row) => row.item_id));
  const settled = (list: string[]) => list.filter((id) => !pending.has(id));
  return { ...drift, missing: settled(drift.missing), stale: settled(drift.stale), extra: settled(drift.extra) };
}

/** Repairs drift by adding the items to the outbox, from which the projector writes them. Items are never changed. */
export async function repairDrift(db: Db, { missing, stale, extra }: Drift, most = Number.POSITIVE_INFINITY): Promise<number> {
  const ids = [...missing, ...stale, ...extra].slice(0, most);
  if (ids.length === 0) return 0;
  await sql`insert into index_outbox (item_id) select unnest(${ids}::uuid[])`.execute(db);
  await sql`select pg_notify('index_outbox', '')`.execute(db);
  return ids.length;
}
