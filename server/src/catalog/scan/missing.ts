import { sql } from 'kysely';
import { plainArray, dropEmptyFolders, type FolderMark, pageFolders, hasNoOverlay } from './store.ts';
import type { ScanContext, WalkState } from './context.ts';
import type { ScanGuard } from './present.ts';

/** Items whose file the walk did not meet. They wait in a table of the run, so that a million of them cost no memory. */
export interface MissingItems {
  /** `excluded`: the file is there, but a rule leaves it out. */
  add(itemId: string, excluded: boolean): Promise<void>;
  /** A mark to be stored once the tombstones and sidecars of its folder are, and not before. */
  markLater(mark: FolderMark): void;
  flush(): Promise<void>;
  readonly marks: FolderMark[];
}

export function createMissingItems(scan: ScanContext): MissingItems {
  let waiting: { id: string; excluded: boolean }[] = [];
  const marks: FolderMark[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    await sql`
      insert into scan_missing (run_id, item_id, excluded)
      select ${scan.runId}, g.id, g.excluded
      from unnest(${plainArray(rows.map(({ id }) => id))}::uuid[], ${plainArray(rows.map(({ excluded }) => excluded))}::boolean[]) as g (id, excluded)
      on conflict do nothing`.execute(scan.db);
  };
  return {
    marks,
    markLater: (mark) => void marks.push(mark),
    flush,
    async add(id, excluded) {
      waiting.push({ id, excluded });
      if (waiting.length >= 5000) await flush();
    },
  };
}

const folderPageSize = 10_000;

/**
 * Folders of the scope that the walk did not meet. Below a folder that could not be read everything keeps its status; below a pruned one
 * items are excluded; anywhere else they are gone.
 */
export async function findMissingFolders(scan: ScanContext, memory: WalkState, gone: MissingItems): Promise<number[]> {
  const unmet: number[] = [];
  let after: string | null = null;
  for (;;) {
    const rows = await pageFolders(scan.db, scan.libraryId, scan.scopeFolder, after, folderPageSize);
    const lost: { id: number; excluded: boolean }[] = [];
    for (const { id, rel_path } of rows) {
      if (memory.seenFolders.has(id) || isInOrBelow(rel_path, memory.unreadable)) continue;
      lost.push({ id, excluded: isInOrBelow(rel_path, memory.pruned) });
    }
    await addItemsOfFolders(scan, lost);
    unmet.push(...lost.map(({ id }) => id));
    if (rows.length < folderPageSize) break;
    after = rows.at(-1)!.rel_path;
    await scan.breathe({ folder: after });
  }
  await gone.flush();
  return unmet;
}

/** Is this path, or a folder above it, in the set? */
function isInOrBelow(path: string, set: ReadonlySet<string>): boolean {
  if (set.size === 0) return false;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (set.has(at)) return true;
  return set.has('');
}

async function addItemsOfFolders(scan: ScanContext, folders: readonly { id: number; excluded: boolean }[]): Promise<void> {
  if (folders.length === 0) return;
  await sql`
    insert into scan_missing (run_id, item_id, excluded)
    select ${scan.runId}, i.id, f.excluded
    from unnest(${plainArray(folders.map(({ id }) => id))}::bigint[], ${plainArray(folders.map(({ excluded }) => excluded))}::boolean[]) as f (id, excluded)
    join items i on i.folder_id = f.id and i.status = 'active'
    on conflict do nothing`.execute(scan.db);
}

/** How many wait: all of them, and those whose file is truly not there. */
export async function countMissing(scan: ScanContext): Promise<{ all: number; vanished: number }> {
  const { rows } = await sql<{ all: number; vanished: number }>`
    select count(*) as all, count(*) filter (where not g.excluded) as vanished
    from scan_missing g join items i on i.id = g.item_id and i.status = 'active' and i.library_id = ${scan.libraryId}
    where g.run_id = ${scan.runId}`.execute(scan.db);
  return rows[0]!;
}

/** Tombstones in batches, never a deletion; each batch is noted in the change log. */
export async function tombstone(scan: ScanContext, unmet: readonly number[]): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      with batch as (
        delete from scan_missing g where g.ctid = any(array(select ctid from scan_missing where run_id = ${scan.runId} limit 5000)) returning g.item_id),
      buried as (
        update items i set status = 'missing', deleted_at = now() from batch b
        where i.id = b.item_id and i.status = 'active' and i.library_id = ${scan.libraryId} returning i.id, i.rel_path),
      noted as (
        insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
        select ${scan.runId}, ${scan.libraryId}, id, 'gone', rel_path from buried
        on conflict (run_id, item_id) do update set kind = 'gone'
        returning 1)
      select (select count(*) from batch) as n, (select count(*) from noted) as noted`.execute(scan.db);
    const [{ n, noted }] = rows as unknown as [{ n: number; noted: number }];
    scan.counters.missing += noted;
    if (n === 0) break;
    await scan.breathe({});
  }
  for (let at = 0; at < unmet.length; at += 1000) await dropEmptyFolders(scan.db, unmet.slice(at, at + 1000));
}

/** Why a run ended as failed, in words for people and a code for programs. `details` go to the run's stats. */
export class ScanFailure extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

const minGuardedItems = 100;
const sampleSize = 25;
const foldersShown = 20;

/** A full scan that meets nothing where there was something fails: an unmounted disk looks exactly like that. */
export async function guardEmpty(scan: ScanContext): Promise<void> {
  if (!scan.isFull || scan.forceEmpty || !scan.parts.options.emptyGuard || scan.counters.seen > 0) return;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from items where library_id = ${scan.libraryId} and status = 'active'`.execute(scan.db);
  const populated = rows[0]!.n;
  if (populated === 0) return;
  throw new ScanFailure(
    'empty_scan',
    `The scan found no files, but the library holds ${populated}. Nothing was changed. Check that the disk is mounted; if the library is truly empty, scan again with force_empty=true.`,
    { guard: { kind: 'empty', would_vanish: populated, of: populated, ...(await describeLoss(scan, false)) } },
  );
}

/** A full scan that would tombstone most of a library fails too: a half-empty mount looks like that. */
export async function guardVanish(scan: ScanContext, vanished: number): Promise<void> {
  const limit = scan.parts.options.vanishGuardPct;
  if (!scan.isFull || scan.forceEmpty || limit === 0 || vanished === 0) return;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from items where library_id = ${scan.libraryId} and status = 'active'`.execute(scan.db);
  const before = rows[0]!.n - scan.counters.new - scan.counters.returned;
  if (before < minGuardedItems || vanished * 100 <= before * limit) return;
  throw new ScanFailure(
    'vanish_guard',
    `${vanished} of ${before} files are not there any more, more than the ${limit} percent that may vanish at once. Nothing was marked missing. Check that the disk is whole; if the files are truly gone, scan again with force_empty=true.`,
    { guard: { kind: 'vanish', would_vanish: vanished, of: before, limit_pct: limit, ...(await describeLoss(scan, true)) } },
  );
}

/** What would vanish: the folders that lose most, the first paths, and how many carry something a person said. */
async function describeLoss(scan: ScanContext, ofGone: boolean): Promise<Pick<ScanGuard, 'folders' | 'sample' | 'annotated'>> {
  const lost = sql`
    from items i ${ofGone ? sql`join scan_missing g on g.item_id = i.id and g.run_id = ${scan.runId} and not g.excluded` : sql``}
    where i.library_id = ${scan.libraryId} and i.status = 'active'`;
  const folders = await sql<{ rel_path: string; count: number }>`
    select f.rel_path, c.count from (select i.folder_id, count(*) as count ${lost} group by i.folder_id) c join folders f on f.id = c.folder_id
    order by c.count desc, f.rel_path limit ${foldersShown}`.execute(scan.db);
  const sample = await sql<{ rel_path: string }>`select i.rel_path ${lost} order by i.rel_path limit ${sampleSize}`.execute(scan.db);
  const annotated = await sql<{ n: number }>`select count(*) as n ${lost} and not (${hasNoOverlay('i')})`.execute(scan.db);
  return { folders: folders.rows, sample: sample.rows.map(({ rel_path }) => rel_path), annotated: annotated.rows[0]!.n };
}
