import { sql } from 'kysely';
import { one } from '../../platform/database/index.ts';
import type { DiskScope, ScanContext, WalkState } from './context.ts';
import { ScanFailure } from './failure.ts';
import type { ScanGuard } from './present.ts';
import { dropEmptyFolders, type FolderMark, hasNoOverlay, pageFolders, plainArray } from './store.ts';

/** Items whose file the walk did not find. They are collected in a table, so that memory stays bounded. */
export interface MissingItems {
  /** `excluded`: the file exists but a rule excludes it. */
  add(itemId: string, excluded: boolean): Promise<void>;
  /** Adds a folder mark that may be stored only after the tombstones and sidecars of the folder. */
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
 * Folders of the scope that the walk did not visit. Items below an unreadable folder keep their status, items below a pruned folder count
 * as excluded, and all others as missing.
 */
export async function findMissingFolders(scan: ScanContext, scope: DiskScope, state: WalkState, missing: MissingItems): Promise<number[]> {
  if (scope.depth === 'folder') return [];
  const folders: number[] = [];
  const isCovered = coverage(scope, state);
  let after: string | null = null;
  for (;;) {
    const rows = await pageFolders(scan.db, scan.libraryId, scope.folder, after, folderPageSize);
    const unvisited: { id: number; excluded: boolean }[] = [];
    for (const { id, rel_path } of rows) {
      if (!isCovered(rel_path) || state.seenFolders.has(id) || isInOrBelow(rel_path, state.unreadable)) continue;
      unvisited.push({ id, excluded: isInOrBelow(rel_path, state.pruned) });
    }
    await addItemsOfFolders(scan, unvisited);
    folders.push(...unvisited.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last || rows.length < folderPageSize) break;
    after = last.rel_path;
    await scan.heartbeat({ folder: after });
  }
  await missing.flush();
  return folders;
}

/** Whether the walk of a scope would have visited a folder if it existed. A scope of `changes` covers only subfolders that are gone. */
function coverage(scope: DiskScope, state: WalkState): (relPath: string) => boolean {
  if (scope.depth !== 'changes') return () => true;
  const subfolders = state.subfolders.get(scope.folder);
  const start = scope.folder === '' ? 0 : scope.folder.length + 1;
  return (relPath) => {
    const [child = ''] = relPath.slice(start).split('/', 1);
    return subfolders !== undefined && relPath.length > scope.folder.length && !subfolders.has(child);
  };
}

/** Whether the set holds this path or a folder above it. */
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

/**
 * Counts the collected items: all of them, and those whose file does not exist. They are looked up one by one: for a new library the planner
 * would rather look for each of its items among the collected ones.
 */
export async function countMissing(scan: ScanContext): Promise<{ all: number; vanished: number }> {
  const { rows } = await sql<{ all: number; vanished: number }>`
    select count(*) as all, count(*) filter (where not g.excluded) as vanished
    from scan_missing g
    cross join lateral (select from items i where i.id = g.item_id and i.status = 'active' and i.library_id = ${scan.libraryId} offset 0) i
    where g.run_id = ${scan.runId}`.execute(scan.db);
  return one(rows);
}

/** Marks the collected items as missing in batches and writes each batch to the change log. Items are never deleted. */
export async function tombstone(scan: ScanContext, missingFolders: readonly number[]): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number; logged: number }>`
      with batch as (
        delete from scan_missing g where g.ctid = any(array(select ctid from scan_missing where run_id = ${scan.runId} limit 5000)) returning g.item_id),
      tombstoned as (
        update items i set status = 'missing', deleted_at = now() from batch b
        where i.id = b.item_id and i.status = 'active' and i.library_id = ${scan.libraryId} returning i.id, i.rel_path),
      logged as (
        insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
        select ${scan.runId}, ${scan.libraryId}, id, 'gone', rel_path from tombstoned
        on conflict (run_id, item_id) do update set kind = 'gone'
        returning 1)
      select (select count(*) from batch) as n, (select count(*) from logged) as logged`.execute(scan.db);
    const { n, logged } = one(rows);
    scan.counters.missing += logged;
    if (n === 0) break;
    await scan.heartbeat({});
  }
  for (let at = 0; at < missingFolders.length; at += 1000) await dropEmptyFolders(scan.db, missingFolders.slice(at, at + 1000));
}

const minGuardedItems = 100;
const sampleSize = 25;
const foldersShown = 20;

/** Fails a full scan that finds nothing on disk, not even an excluded file, for a populated library: an unmounted disk looks the same. */
export async function guardEmpty(scan: ScanContext): Promise<void> {
  if (!scan.isFull || scan.forceEmpty || !scan.deps.options.emptyGuard || foundAnything(scan)) return;
  const populated = await countActive(scan);
  if (populated > 0) throw await emptyLibrary(scan, populated);
}

/**
 * The same for a scan of the top folder without all that is below it, as a watch starts it when the disk is unmounted: fails when the folder
 * is empty, or nothing was found and every file of the library would be tombstoned.
 */
export async function guardEmptyTop(scan: ScanContext, vanished: number): Promise<void> {
  if (scan.isFull || scan.forceEmpty || !scan.deps.options.emptyGuard || vanished === 0 || foundAnything(scan)) return;
  if (!scan.scopes.some(({ folder, file }) => folder === '' && file === null)) return;
  const populated = await countActive(scan);
  if (populated === vanished || scan.files.listNames(scan.root).length === 0) throw await emptyLibrary(scan, populated);
}

const foundAnything = ({ counters: { seen, excluded_gate, excluded_filtered, pruned_dirs } }: ScanContext): boolean =>
  seen + excluded_gate + excluded_filtered + pruned_dirs > 0;

async function countActive({ db, libraryId }: ScanContext): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from items where library_id = ${libraryId} and status = 'active'`.execute(
    db,
  );
  return one(rows).n;
}

async function emptyLibrary(scan: ScanContext, populated: number): Promise<ScanFailure> {
  return new ScanFailure(
    'empty_scan',
    `The scan found nothing on disk, but the library holds ${populated} files. Nothing was changed. Check that the disk is mounted; if the library is really empty, choose Mark as missing on its card in Libraries.`,
    { guard: { kind: 'empty', would_vanish: populated, of: populated, ...(await describeLoss(scan, false)) } },
  );
}

/** Fails a full scan that would tombstone more of a library than its limit, for operators whose disks may be mounted in part. Off by default. */
export async function guardVanish(scan: ScanContext, vanished: number): Promise<void> {
  const limit = scan.vanishGuardPct;
  if (!scan.isFull || scan.forceEmpty || limit === 0 || vanished === 0) return;
  const before = (await countActive(scan)) - scan.counters.new - scan.counters.returned;
  if (before < minGuardedItems || vanished * 100 <= before * limit) return;
  throw new ScanFailure(
    'vanish_guard',
    `${vanished} of ${before} files no longer exist, which is more than the limit of ${limit} percent. Nothing was marked as missing. Check that the disk is mounted and complete; if the files were really deleted, choose Mark as missing on the card of the library.`,
    { guard: { kind: 'vanish', would_vanish: vanished, of: before, limit_pct: limit, ...(await describeLoss(scan, true)) } },
  );
}

/** What would be tombstoned: the folders that lose most items, a sample of paths, and the number of items with tags or notes. */
async function describeLoss(scan: ScanContext, onlyMissing: boolean): Promise<Pick<ScanGuard, 'folders' | 'sample' | 'annotated'>> {
  const lost = sql`
    from items i ${onlyMissing ? sql`join scan_missing g on g.item_id = i.id and g.run_id = ${scan.runId} and not g.excluded` : sql``}
    where i.library_id = ${scan.libraryId} and i.status = 'active'`;
  const folders = await sql<{ rel_path: string; count: number }>`
    select f.rel_path, c.count from (select i.folder_id, count(*) as count ${lost} group by i.folder_id) c join folders f on f.id = c.folder_id
    order by c.count desc, f.rel_path limit ${foldersShown}`.execute(scan.db);
  const sample = await sql<{ rel_path: string }>`select i.rel_path ${lost} order by i.rel_path limit ${sampleSize}`.execute(scan.db);
  const annotated = await sql<{ n: number }>`select count(*) as n ${lost} and not (${hasNoOverlay('i')})`.execute(scan.db);
  return { folders: folders.rows, sample: sample.rows.map(({ rel_path }) => rel_path), annotated: one(annotated.rows).n };
}
