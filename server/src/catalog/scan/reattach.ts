import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ScanContext } from './context.ts';
import { type MovePair, mergeMoved } from './move-store.ts';
import { hasNoOverlay } from './store.ts';

/*
 * Tags and notes follow the bytes of a file also when a move was not recognized as one, for example because the target library was scanned
 * before its source, or because a scan was killed. A tombstone with tags or notes is paired with an active item when all of this holds:
 * - it is the only active item with the same content hash and size, and nobody has edited it;
 * - it was catalogued after the tombstone, so it is not a copy that was there before;
 * - no other tombstone with tags or notes has the same bytes.
 * Everything else is ambiguous and is left alone.
 */

const pageSize = 500;

/** After a scan: only tombstones whose bytes an item of this run shares. Returns how many were paired. */
export async function reattachAfterScan(scan: ScanContext): Promise<number> {
  const { crossLibraryMoves } = scan.deps.options;
  return reattach(scan.db, { runId: scan.runId, crossLibrary: crossLibraryMoves, onPage: () => scan.heartbeat({}) });
}

/** All tombstones, for what earlier scans left behind. */
export async function reattachAll(db: Db, { crossLibrary, signal }: { crossLibrary: boolean; signal: AbortSignal }): Promise<number> {
  return reattach(db, { runId: null, crossLibrary, onPage: async () => signal.throwIfAborted() });
}

interface ReattachOptions {
  /** Only tombstones that share bytes with an item of this run; null for all. */
  runId: string | null;
  crossLibrary: boolean;
  onPage(): Promise<void>;
}

async function reattach(db: Db, { runId, crossLibrary, onPage }: ReattachOptions): Promise<number> {
  let paired = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await pageAnnotatedTombstones(db, runId, after);
    const last = page.at(-1);
    if (!last) return paired;
    after = last;
    const pairs = await findOnlyTwins(db, page, crossLibrary);
    paired += (await mergeMoved(db, pairs)).length;
    await onPage();
  }
}

async function pageAnnotatedTombstones(db: Db, runId: string | null, after: string): Promise<string[]> {
  const inRun =
    runId === null
      ? sql`true`
      : sql`exists (
          select from scan_changes c join items x on x.id = c.item_id
          where c.run_id = ${runId} and x.content_hash = o.content_hash and left(x.content_hash, 8) = left(o.content_hash, 8))`;
  const { rows } = await sql<{ id: string }>`
    select o.id from items o
    where o.status = 'missing' and not (${hasNoOverlay('o')}) and o.content_hash is not null and ${inRun} and o.id > ${after}
    order by o.id limit ${pageSize}`.execute(db);
  return rows.map(({ id }) => id);
}

async function findOnlyTwins(db: Db, tombstones: readonly string[], crossLibrary: boolean): Promise<MovePair[]> {
  const { rows } = await sql<MovePair>`
    select o.id as from, (array_agg(n.id))[1] as to
    from items o
    join items n on left(n.content_hash, 8) = left(o.content_hash, 8) and n.content_hash = o.content_hash and n.size = o.size and n.status = 'active'
    where o.id = any(${[...tombstones]}::uuid[]) and ${crossLibrary ? sql`true` : sql`n.library_id = o.library_id`}
      and not exists (
        select from items t
        where left(t.content_hash, 8) = left(o.content_hash, 8) and t.content_hash = o.content_hash and t.id <> o.id and t.status = 'missing'
          and not (${hasNoOverlay('t')}))
    group by o.id, o.first_seen
    having count(*) = 1 and bool_and(${hasNoOverlay('n')}) and bool_and(n.first_seen > o.first_seen)`.execute(db);
  return rows;
}
