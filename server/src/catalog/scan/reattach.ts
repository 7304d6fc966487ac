import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { QueueExtraction, ScanContext } from './context.ts';
import { logMerged, type MergedMove, type MovePair, mergeMoved } from './move-store.ts';
import { isReadByOtherName } from './queue-contents.ts';
import { hasNoOverlay, plainArray } from './store.ts';

/*
 * Tags and notes follow the bytes of a file also when a move was not recognized as one, for example because the target library was scanned
 * before its source, or because a scan was killed. A tombstone with tags or notes is paired with an active item when all of this holds:
 * - it is the only active item with the same content hash and size, and nobody has edited it;
 * - it was catalogued after the tombstone, and no scan has found both files, so it is not a copy;
 * - no other tombstone with tags or notes has the same bytes;
 * - it is not a file of an agent if the tombstone is one of the service, because a machine could claim any file by naming its bytes.
 * Everything else is ambiguous and is left alone. The values of a sidecar follow to a folder whose mark is deleted, so that the next scan of
 * that library decides whether they hold there.
 */

const pageSize = 500;

/** After a scan: only tombstones whose bytes an item of this run shares. Returns how many were paired. */
export async function reattachAfterScan(scan: ScanContext): Promise<number> {
  return reattach(scan.db, {
    runId: scan.runId,
    crossLibrary: scan.deps.options.crossLibraryMoves,
    merge: (pairs) => mergeInRun(scan, pairs),
    onPage: () => scan.heartbeat({}),
  });
}

interface RepairOptions {
  crossLibrary: boolean;
  queueExtraction: QueueExtraction;
  signal: AbortSignal;
}

/** All tombstones, for what earlier scans left behind. */
export async function reattachAll(db: Db, { crossLibrary, queueExtraction, signal }: RepairOptions): Promise<number> {
  return reattach(db, {
    runId: null,
    crossLibrary,
    async merge(pairs) {
      const merged = await mergeMoved(db, pairs);
      await queueRetyped(db, merged, queueExtraction);
      return merged.length;
    },
    onPage: async () => signal.throwIfAborted(),
  });
}

interface ReattachOptions {
  /** Only tombstones that share bytes with an item of this run; null for all. */
  runId: string | null;
  crossLibrary: boolean;
  /** Returns how many were merged. */
  merge(pairs: readonly MovePair[]): Promise<number>;
  onPage(): Promise<void>;
}

async function reattach(db: Db, { runId, crossLibrary, merge, onPage }: ReattachOptions): Promise<number> {
  let paired = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await pageAnnotatedTombstones(db, runId, after);
    const last = page.at(-1);
    if (!last) return paired;
    after = last;
    const pairs = await findOnlyTwins(db, page, crossLibrary);
    if (pairs.length > 0) paired += await merge(pairs);
    await onPage();
  }
}

/**
 * Counts and logs what is now in the library of the run as moved, and no longer as missing or new. A file that is now in another library
 * stays in the log as gone, because who reads the log may not see that library.
 */
async function mergeInRun(scan: ScanContext, pairs: readonly MovePair[]): Promise<number> {
  const { counters, runId } = scan;
  const merged = await scan.db.transaction().execute(async (transaction) => {
    const db = transaction as Db;
    const merged = await mergeMoved(db, pairs);
    const here = merged.filter(({ library_id }) => library_id === scan.libraryId);
    const logged = await countLogged(db, runId, here);
    await logMerged(db, runId, [runId], here);
    counters.moved += here.length;
    counters.cross_moved += here.filter(({ from_library_id }) => from_library_id !== scan.libraryId).length;
    for (const { folder_id, described } of here) if (described) scan.sidecarFolders.add(folder_id);
    counters.missing -= logged.gone;
    counters.new -= scan.initial ? here.length : logged.added;
    return merged;
  });
  // Those of this library are found in the log.
  const elsewhere = merged.filter(({ library_id }) => library_id !== scan.libraryId);
  await queueRetyped(scan.db, elsewhere, scan.deps.queueExtraction);
  return merged.length;
}

async function queueRetyped(db: Db, moves: readonly MergedMove[], queueExtraction: QueueExtraction): Promise<void> {
  const retyped = moves.filter((move) => move.retyped || isReadByOtherName(move));
  for (const [libraryId, group] of Map.groupBy(retyped, ({ library_id }) => library_id))
    await queueExtraction(
      db,
      libraryId,
      group.map(({ from_id }) => from_id),
    );
}

async function countLogged(db: Db, runId: string, moves: readonly MergedMove[]): Promise<{ gone: number; added: number }> {
  const { rows } = await sql<{ gone: number; added: number }>`
    select count(*) filter (where kind = 'gone' and item_id = any(${plainArray(moves.map(({ from_id }) => from_id))}::uuid[])) as gone,
      count(*) filter (where kind = 'added' and item_id = any(${plainArray(moves.map(({ to_id }) => to_id))}::uuid[])) as added
    from scan_changes
    where run_id = ${runId} and item_id = any(${plainArray(moves.flatMap(({ from_id, to_id }) => [from_id, to_id]))}::uuid[])`.execute(db);
  return one(rows);
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

/** A condition: one file of one machine was renamed. Inodes tell that only where they are stable, which is where change times are kept. */
const isSameFile = sql<boolean>`there.source_agent_id is not distinct from here.source_agent_id and n.dev = o.dev and n.inode = o.inode
  and n.mtime_ns = o.mtime_ns and n.nlink = 1 and o.nlink = 1 and n.ctime_ns is not null and o.ctime_ns is not null`;

/**
 * A condition: both files existed, so `n` is a copy. That is proven by a scan of the whole library of `o` that ended before `o` was missed and
 * began after `n` was catalogued, or that catalogued `n` itself. Agents report changes and no scans; there `n` was reported before `o` was
 * reported as gone.
 */
const existedTogether = sql<boolean>`not coalesce(${isSameFile}, false) and case
  when here.source_agent_id is not null then n.first_seen < o.deleted_at
  else exists (
    select from scan_runs r
    where r.library_id = o.library_id and r.status = 'finished' and r.scope = '' and r.recursive and r.trigger <> 'agent'
      and not r.stats ? 'scope_missing' and r.finished_at < o.deleted_at and r.finished_at >= n.first_seen
      and (n.library_id = o.library_id or r.started_at >= n.first_seen)) end`;

/** Two files with the same bytes are enough to know that a tombstone is ambiguous, so no more are looked up. */
async function findOnlyTwins(db: Db, tombstones: readonly string[], crossLibrary: boolean): Promise<MovePair[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    with twin as materialized (
      select o.id as from_id, (array_agg(same.id))[1] as to_id
      from items o
      cross join lateral (
        select s.id from items s
        where left(s.content_hash, 8) = left(o.content_hash, 8) and s.content_hash = o.content_hash and s.size = o.size and s.status = 'active'
          and ${crossLibrary ? sql`true` : sql`s.library_id = o.library_id`}
        limit 2) same
      where o.id = any(${[...tombstones]}::uuid[])
        and not exists (
          select from items t
          where left(t.content_hash, 8) = left(o.content_hash, 8) and t.content_hash = o.content_hash and t.id <> o.id and t.status = 'missing'
            and not (${hasNoOverlay('t')}))
      group by o.id having count(*) = 1)
    select o.id as from, n.id as to
    from twin
    join items o on o.id = twin.from_id
    join items n on n.id = twin.to_id
    join all_libraries here on here.id = o.library_id
    join all_libraries there on there.id = n.library_id
    where ${hasNoOverlay('n')} and n.first_seen > o.first_seen and (there.source_agent_id is null or here.source_agent_id is not null) and not (${existedTogether})`.execute(
    db,
  );
  return rows;
}
