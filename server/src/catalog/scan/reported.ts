/**
 * Applies what another machine reports about the files of its library, with the rules of a scan: a move keeps the item with its tags and
 * notes, a trashed item stays trashed, a file that is gone becomes missing, and every change is logged in a run, so that alerts, differences
 * and reports see it. All of it happens in the transaction of the caller and in sets.
 */

import type { FileAcl } from '@catalog/scanner';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { itemsAt } from '../paths/index.ts';
import { classify, loadTaxonomy, shippedTaxonomy, type TaxonomyMap } from '../taxonomy/index.ts';
import { type Relocation, relocateItems } from './move-store.ts';
import { releasePaths } from './replaced.ts';
import { applyReportedAccess, forgetReported, type ReportedFolder } from './reported-access.ts';
import { foldChanges, type PathState, type ReportedChange, type ReportedFile } from './reported-fold.ts';
import { inheritFromLost, passToMoved } from './reported-moves.ts';
import {
  addFolders,
  type FileFacts,
  findFolders,
  hasNoOverlay,
  type ItemUpdate,
  insertItems,
  type KnownItem,
  type NewItem,
  plainArray,
  updateItems,
} from './store.ts';

export interface ReportedCounts {
  created: number;
  changed: number;
  moved: number;
  tombstoned: number;
  /** Files reported as gone that were not known, or known as gone. */
  noop_tombstones: number;
  /** Files that a person has put into the recycle bin. */
  trashed: number;
}

type KnownPath = Omit<KnownItem, 'folder_id' | 'filename' | 'ctime_ns' | 'allocated'> & {
  rel_path: string;
  annotated: boolean;
};

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `initial`: part of the first listing of the library, whose additions are not logged. `crossLibrary`: moves between libraries are recognized. */
export async function applyReported(
  tx: Db,
  libraryId: string,
  changes: readonly ReportedChange[],
  {
    initial,
    crossLibrary = false,
    folders: reportedFolders = [],
  }: { initial: boolean; crossLibrary?: boolean; folders?: readonly ReportedFolder[] },
): Promise<ReportedCounts> {
  if (changes.length === 0) {
    await applyReportedAccess(tx, libraryId, reportedFolders, new Map());
    await forgetReported(tx, libraryId, reportedFolders);
    return { created: 0, changed: 0, moved: 0, tombstoned: 0, noop_tombstones: 0, trashed: 0 };
  }
  const states = foldChanges(changes);
  const { map } = await loadTaxonomy(tx);
  const taxonomy = map.size > 0 ? map : shippedTaxonomy();
  const runId = await openRun(tx, libraryId, initial);
  const known = await findKnown(tx, libraryId, states);
  const folders = await ensureFolders(tx, libraryId, states);
  const classes = await applyReportedAccess(tx, libraryId, reportedFolders, aclsIn(states));
  const counts: ReportedCounts = { created: 0, changed: 0, moved: 0, tombstoned: 0, noop_tombstones: 0, trashed: 0 };
  const place = (path: string, file: ReportedFile, item?: KnownPath): NewItem => ({
    folderId: folders.get(folderOf(path)) ?? 0,
    relPath: path,
    filename: nameOf(path),
    facts: {
      ...factsOf(path, file, taxonomy),
      accessClass: classes.has(path) ? (classes.get(path) ?? null) : (item?.access_class ?? null),
    },
    hashes: file.hashes,
  });
  const { moved, tombstoned } = await applyMoves(tx, runId, libraryId, states, known, place);
  counts.moved = [...known.values()].filter(({ id, status }) => moved.has(id) && status !== 'trashed').length;
  const left = new Set([...states.values()].flatMap(({ origin }) => (origin !== null && !known.has(origin) ? [origin] : [])));
  const updates: ItemUpdate[] = [];
  const created: NewItem[] = [];
  const gone: string[] = [];
  for (const [path, { file }] of states) {
    const item = known.get(path);
    if (file === null) {
      if (item?.status === 'active') gone.push(item.id);
      else if (!left.has(path)) counts.noop_tombstones += 1;
    } else if (item === undefined) created.push(place(path, file));
    else if (item.status === 'trashed') counts.trashed += 1;
    else {
      const update = updateOf(item, place(path, file, item), moved.has(item.id));
      if (update.kind !== 'silent') counts.changed += 1;
      updates.push(update);
    }
  }
  await updateItems(tx, runId, libraryId, updates);
  await insertItems(tx, runId, libraryId, created, { logged: !initial });
  counts.created = created.length;
  counts.tombstoned = tombstoned.length + (await tombstoneReported(tx, runId, libraryId, gone));
  if (crossLibrary) await moveAcross(tx, { runId, libraryId }, created, [...tombstoned, ...gone], counts);
  await forgetReported(tx, libraryId, reportedFolders);
  await closeRun(tx, runId, counts);
  // insertItems lets its transaction commit without waiting for the disk; the sender forgets what is acknowledged, so this one waits.
  await sql`set local synchronous_commit = on`.execute(tx);
  return counts;
}

async function moveAcross(
  tx: Db,
  run: { runId: string; libraryId: string },
  created: readonly NewItem[],
  gone: readonly string[],
  counts: ReportedCounts,
): Promise<void> {
  const inherited = await inheritFromLost(
    tx,
    run,
    created.flatMap(({ relPath, hashes }) => (hashes.content === null ? [] : [relPath])),
  );
  await passToMoved(tx, run.libraryId, gone);
  counts.created -= inherited;
  counts.moved += inherited;
}

const aclsIn = (states: ReadonlyMap<string, PathState>): Map<string, FileAcl | null> =>
  new Map([...states].flatMap(([path, { file }]) => (file?.acl === undefined ? [] : [[path, file.acl]])));

function factsOf(path: string, file: ReportedFile, taxonomy: TaxonomyMap): FileFacts {
  const { extension, category, group } = classify(nameOf(path), taxonomy);
  const { size, mtimeNs, inode, device, links, allocated, ctimeNs, symlinkTarget } = file;
  return { extension, category, group, size, mtimeNs, inode, device, links, ctimeNs, symlinkTarget, accessClass: null, allocated };
}

function updateOf(item: KnownPath, { relPath, facts, hashes }: NewItem, wasMoved: boolean): ItemUpdate {
  const sameBytes = hashes.quick === item.quick_hash && hashes.content === item.content_hash;
  const isChanged =
    item.size !== facts.size ||
    item.mtime_ns !== facts.mtimeNs ||
    !sameBytes ||
    (item.symlink_target !== null) !== (facts.symlinkTarget !== null);
  // A moved item is logged as such, whatever else changed.
  const kind = wasMoved ? 'silent' : item.status === 'missing' ? 'returned' : isChanged ? 'changed' : 'silent';
  return { id: item.id, relPath, facts, hashes, rehashed: true, kind };
}

/** How many moves may depend on each other, as in a rotation of log files. In a longer chain or a circle, paths keep their items. */
const maxWaves = 16;

/**
 * Gives items their new paths, those first whose target is free. An item that was deleted before another one took its path is tombstoned, as
 * it would be in a batch of its own. Updates `known`, and returns the ids of both.
 */
async function applyMoves(
  tx: Db,
  runId: string,
  libraryId: string,
  states: ReadonlyMap<string, PathState>,
  known: Map<string, KnownPath>,
  place: (path: string, file: ReportedFile, item?: KnownPath) => NewItem,
): Promise<{ moved: Set<string>; tombstoned: string[] }> {
  const moved = new Set<string>();
  const tombstoned: string[] = [];
  let waiting = [...states].flatMap(([path, { file, origin, ownDeleted }]) =>
    file && origin !== null && origin !== path ? [{ path, file, origin, ownDeleted }] : [],
  );
  for (let wave = 0; wave < maxWaves && waiting.length > 0; wave += 1) {
    const due: (Relocation & { origin: string })[] = [];
    const replaced: KnownPath[] = [];
    const released: string[] = [];
    const deleted: string[] = [];
    for (const { path, file, origin, ownDeleted } of waiting) {
      const source = known.get(origin);
      const target = known.get(path);
      if (!source || moved.has(source.id)) continue;
      const keepsPath = target?.status === 'trashed' || (target?.status === 'active' && target.annotated && !ownDeleted);
      if (keepsPath || isLeaving(path, states, known, moved)) continue;
      if (target?.status === 'active' && ownDeleted) deleted.push(target.id);
      if (target?.annotated) released.push(target.id);
      else if (target) replaced.push(target);
      const { folderId, relPath, filename, facts } = place(path, file, source);
      due.push({ id: source.id, folderId, relPath, filename, facts, origin });
    }
    if (due.length === 0) break;
    await tombstoneReported(tx, runId, libraryId, deleted);
    tombstoned.push(...deleted);
    await releasePaths(tx, released);
    await deleteReplaced(
      tx,
      replaced.map(({ id }) => id),
    );
    for (const { id } of await relocateItems(tx, runId, libraryId, due)) moved.add(id);
    for (const { id, relPath, origin } of due) {
      const source = known.get(origin);
      if (!source || !moved.has(id)) continue;
      known.delete(origin);
      known.set(relPath, { ...source, status: source.status === 'trashed' ? source.status : 'active', rel_path: relPath });
    }
    const done = new Set(due.map(({ relPath }) => relPath));
    waiting = waiting.filter(({ path }) => !done.has(path));
  }
  return { moved, tombstoned };
}

/** Whether the item at a path has another path after this batch and has not been moved there yet. */
function isLeaving(
  path: string,
  states: ReadonlyMap<string, PathState>,
  known: ReadonlyMap<string, KnownPath>,
  moved: ReadonlySet<string>,
): boolean {
  const item = known.get(path);
  if (!item || moved.has(item.id)) return false;
  for (const [other, { file, origin }] of states) if (file && other !== path && origin === path) return true;
  return false;
}

async function findKnown(tx: Db, libraryId: string, states: ReadonlyMap<string, PathState>): Promise<Map<string, KnownPath>> {
  const paths = new Set([...states.keys(), ...[...states.values()].flatMap(({ origin }) => (origin === null ? [] : [origin]))]);
  const { rows } = await sql<KnownPath>`
    select i.id, i.rel_path, i.status, i.size, i.mtime_ns::text, i.inode::text, i.dev, i.nlink, i.symlink_target, i.file_category, i.file_group, i.quick_hash,
      i.content_hash, i.hash_error, i.access_class, not (${hasNoOverlay('i')}) as annotated
    from ${itemsAt(libraryId, [...paths])} for update of i`.execute(tx);
  return new Map(rows.map((row) => [row.rel_path, row]));
}

/** The folders of all present files and those above them. */
async function ensureFolders(tx: Db, libraryId: string, states: ReadonlyMap<string, PathState>): Promise<Map<string, number>> {
  const wanted = new Set<string>(['']);
  for (const [path, { file }] of states)
    if (file) for (let folder = folderOf(path); folder !== '' && !wanted.has(folder); folder = folderOf(folder)) wanted.add(folder);
  const ids = new Map([...(await findFolders(tx, libraryId, [...wanted]))].map(([path, { id }]) => [path, id]));
  const absent = [...wanted].filter((path) => !ids.has(path));
  if (absent.length > 0) for (const [path, id] of await addFolders(tx, libraryId, absent)) ids.set(path, id);
  return ids;
}

/** The first listing of a library is one run, however many batches it takes. */
async function openRun(tx: Db, libraryId: string, initial: boolean): Promise<string> {
  const { rows: reopened } = await sql<{ id: string }>`update scan_runs set status = 'running', finished_at = null
    where library_id = ${libraryId} and initial and ${initial} returning id`.execute(tx);
  if (reopened[0]) return reopened[0].id;
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, trigger, phase, initial)
    values (${libraryId}, 'running', 'agent', 'replicating', ${initial}) returning id`.execute(tx);
  return one(rows).id;
}

async function closeRun(tx: Db, runId: string, { created, changed, moved, tombstoned }: ReportedCounts): Promise<void> {
  await sql`update scan_runs set status = 'finished', settled = true, phase = 'done', finished_at = now(), heartbeat_at = now(),
    stats = jsonb_build_object('new', coalesce((stats->>'new')::bigint, 0) + ${created}, 'changed', coalesce((stats->>'changed')::bigint, 0) + ${changed},
      'moved', coalesce((stats->>'moved')::bigint, 0) + ${moved}, 'missing', coalesce((stats->>'missing')::bigint, 0) + ${tombstoned},
      'seen', coalesce((stats->>'seen')::bigint, 0) + ${created + changed + moved})
    where id = ${runId}`.execute(tx);
}

async function deleteReplaced(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from items where id = any(${plainArray(ids)}::uuid[])`.execute(tx);
}

async function tombstoneReported(tx: Db, runId: string, libraryId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ item_id: string }>`
    with tombstoned as (
      update items i set status = 'missing', deleted_at = now() where i.id = any(${plainArray(ids)}::uuid[]) and i.status = 'active' returning i.id, i.rel_path)
    insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select ${runId}, ${libraryId}, id, 'gone', rel_path from tombstoned
    on conflict (run_id, item_id) do update set kind = 'gone' returning item_id`.execute(tx);
  return rows.length;
}
