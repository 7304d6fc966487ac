import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { ScanContext } from './context.ts';
import { dropFoundFromMissing, forgetAdditions, logMerged, type MovePair, mergeMoved } from './move-store.ts';
import { findRenamedTrash } from './renames.ts';
import type { OpenRun } from './run-store.ts';
import { hasNoOverlay, plainArray, textArray } from './store.ts';

/**
 * Finds moved files among the items added by this run and by interrupted earlier runs, and gives each the identity of the item it was. Old
 * items are searched in this order: those this run did not find, older tombstones of this library, tombstones of other libraries.
 */
export async function resolveMoves(scan: ScanContext, runs: readonly OpenRun[]): Promise<void> {
  const runIds = runs.map(({ id }) => id);
  const added = addedByRuns(runs);
  await dropFoundFromMissing(scan.db, scan.runId);
  await keepInTrash(scan, runIds);
  if (!(await hasMoveCandidates(scan, runs))) return;
  for (const proven of [true, false]) {
    for (let after = ''; ; ) {
      const keys = await pageSharedBytes(scan, added, proven, after);
      if (keys.length === 0) break;
      for (let at = 0; at < keys.length; at += keysAtOnce) {
        const rows = await loadSameBytes(scan, added, keys.slice(at, at + keysAtOnce), proven);
        const pairs = [...Map.groupBy(rows, ({ bytes }) => bytes).values()].flatMap((group) => pairGroup(scan, group, proven));
        await mergePairs(scan, pairs, runIds);
        await scan.heartbeat({});
      }
      after = keys.at(-1) ?? after;
    }
  }
}

/** Files in the recycle bin that were renamed stay there, and are neither new nor moved for anybody. */
async function keepInTrash(scan: ScanContext, runIds: readonly string[]): Promise<void> {
  const pairs = await findRenamedTrash(scan, runIds);
  if (pairs.length === 0) return;
  const kept = await scan.db.transaction().execute(async (transaction) => {
    const kept = await mergeMoved(transaction as Db, pairs);
    await forgetAdditions(transaction as Db, runIds, kept);
    return kept.length;
  });
  scan.counters.new = Math.max(0, scan.counters.new - kept);
}

const keysPerPage = 20_000;
const keysAtOnce = 1000;

async function mergePairs(scan: ScanContext, pairs: readonly MovePair[], runIds: readonly string[]): Promise<void> {
  if (pairs.length === 0) return;
  const merged = await scan.db.transaction().execute(async (transaction) => {
    const moves = await mergeMoved(transaction as Db, pairs);
    await logMerged(transaction as Db, scan.runId, runIds, moves);
    return moves;
  });
  await dropFoundFromMissing(scan.db, scan.runId);
  scan.counters.moved += merged.length;
  scan.counters.new = Math.max(0, scan.counters.new - merged.length);
  scan.counters.cross_moved += merged.filter(({ from_library_id }) => from_library_id !== scan.libraryId).length;
  for (const { folder_id, described } of merged) if (described) scan.sidecarFolders.add(folder_id);
}

/** A condition on item `n`: one of these runs added it. The first run of a library added all of its items. */
type AddedCondition = RawBuilder<unknown>;
const addedByRuns = (runs: readonly OpenRun[]): AddedCondition =>
  runs.some(({ initial }) => initial)
    ? sql`true`
    : sql`exists (select from scan_changes c where c.item_id = n.id and c.run_id = any(${plainArray(runs.map(({ id }) => id))}::uuid[]) and c.kind = 'added')`;

type MoveRole = 'fresh' | 'lost-now' | 'lost-here' | 'lost-elsewhere' | 'in-place';
interface SharedRow {
  id: string;
  bytes: string;
  role: MoveRole;
  inode: string | null;
  mtime_ns: string;
}

async function hasMoveCandidates(scan: ScanContext, runs: readonly OpenRun[]): Promise<boolean> {
  const runIds = plainArray(runs.map(({ id }) => id));
  const anyAdded = runs.some(({ initial }) => initial)
    ? sql`true`
    : sql`exists (select from scan_changes where run_id = any(${runIds}::uuid[]) and kind = 'added')`;
  const elsewhere = scan.deps.options.crossLibraryMoves ? sql`true` : sql`library_id = ${scan.libraryId}`;
  const { rows } = await sql<{ pair: boolean }>`
    select ${anyAdded}
      and (exists (select from scan_missing where run_id = ${scan.runId}) or exists (select from items where status = 'missing' and ${elsewhere})) as pair`.execute(
    scan.db,
  );
  return one(rows).pair;
}

/** A new item that already has tags or notes is not merged into an old one. */
const newHasNoOverlay = hasNoOverlay('n');
const bytesOf = (proven: boolean, alias: string) =>
  proven ? sql`${sql.ref(`${alias}.content_hash`)}` : sql`${sql.ref(`${alias}.quick_hash`)}`;

/** The index on content hashes covers only their first eight digits. */
const sameBytes = (proven: boolean) =>
  proven ? sql`left(n.content_hash, 8) = left(g.content_hash, 8) and n.content_hash = g.content_hash` : sql`n.quick_hash = g.quick_hash`;

/** One page, in order, of hashes that an added item shares with a missing one. */
async function pageSharedBytes(scan: ScanContext, added: AddedCondition, proven: boolean, after: string): Promise<string[]> {
  const only = proven ? sql`true` : sql`n.content_hash is null and g.content_hash is null`;
  const { rows } = await sql<{ bytes: string }>`
    with lost as materialized (
      select i.id, i.content_hash, i.quick_hash, i.size from scan_missing s join items i on i.id = s.item_id where s.run_id = ${scan.runId} and i.status = 'active'
      union all
      select i.id, i.content_hash, i.quick_hash, i.size from items i
      where i.status = 'missing' and ${scan.deps.options.crossLibraryMoves ? sql`true` : sql`i.library_id = ${scan.libraryId}`})
    select distinct ${bytesOf(proven, 'n')} as bytes
    from lost g
    join items n on ${sameBytes(proven)} and n.size = g.size and n.id <> g.id and ${only}
    where ${added} and n.library_id = ${scan.libraryId} and n.status = 'active' and ${newHasNoOverlay} and ${bytesOf(proven, 'n')} > ${after}
    order by 1 limit ${keysPerPage}`.execute(scan.db);
  return rows.map(({ bytes }) => bytes);
}

/** All items with one of these hashes, each with its role in this run. */
async function loadSameBytes(scan: ScanContext, added: AddedCondition, keys: readonly string[], proven: boolean): Promise<SharedRow[]> {
  const { rows } = await sql<SharedRow>`
    select n.id, ${bytesOf(proven, 'n')} as bytes, n.inode::text as inode, n.mtime_ns::text as mtime_ns,
      case
        when n.status = 'missing' and n.library_id = ${scan.libraryId} then 'lost-here'
        when n.status = 'missing' then 'lost-elsewhere'
        when exists (select from scan_missing g where g.run_id = ${scan.runId} and g.item_id = n.id) then 'lost-now'
        when n.library_id = ${scan.libraryId} and ${newHasNoOverlay} and ${added} then 'fresh'
        else 'in-place'
      end as role
    from items n
    where ${bytesOf(proven, 'n')} = any(${textArray(keys)}::text[])
      and ${proven ? sql`left(n.content_hash, 8) = any(${textArray(keys.map((key) => key.slice(0, 8)))}::text[])` : sql`true`} and n.status <> 'trashed' and ${proven ? sql`true` : sql`n.content_hash is null`}
    order by n.id`.execute(scan.db);
  return rows;
}

/** The moves among items of the same bytes. Counts the ambiguous ones. */
function pairGroup(scan: ScanContext, group: readonly SharedRow[], proven: boolean): MovePair[] {
  const withRole = (role: MoveRole): MoveCandidate[] =>
    group.filter((row) => row.role === role).map(({ id, inode, mtime_ns }) => ({ id, inode, mtimeNs: mtime_ns }));
  const roles: MoveRole[] = ['lost-now', 'lost-here'];
  if (proven && scan.deps.options.crossLibraryMoves) roles.push('lost-elsewhere');
  const found: MovePair[] = [];
  let fresh = withRole('fresh');
  let ambiguous = 0;
  for (const role of roles) {
    const lost = withRole(role);
    if (fresh.length === 0 || lost.length === 0) continue;
    const pairs = pairMoves({ fresh, lost, inPlace: withRole('in-place'), proven });
    found.push(...pairs.moves.map((pair) => ({ ...pair, notFound: role === 'lost-now' })));
    const moved = new Set(pairs.moves.map(({ to }) => to));
    fresh = fresh.filter(({ id }) => !moved.has(id));
    ambiguous = Math.max(ambiguous, pairs.ambiguous);
  }
  scan.counters.move_ambiguous += ambiguous;
  return found;
}

interface MoveCandidate {
  id: string;
  inode: string | null;
  mtimeNs: string;
}

interface SameBytes {
  fresh: readonly MoveCandidate[];
  lost: readonly MoveCandidate[];
  /** Files with the same bytes that did not move. */
  inPlace: readonly MoveCandidate[];
  /** True when a content hash, not only a quick hash, proves that the bytes are equal. */
  proven: boolean;
}

interface MovePairs {
  moves: MovePair[];
  ambiguous: number;
}

/**
 * Pairs added files with missing items of the same bytes. A rename keeps inode and modification time, a move to another disk keeps the
 * modification time, and a copy keeps neither:
 * 1. one new file and one missing item with the same inode and time are a move;
 * 2. one new file and one missing item with the same time are a move if no file in place has that time;
 * 3. the only new file and the only missing item are a move if no file of the same bytes is in place, since it could be a copy of that.
 * Everything else is ambiguous and stays unpaired, so that tags and notes never go to the wrong file. Without a content hash only rule 1
 * applies.
 */
export function pairMoves({ fresh, lost, inPlace, proven }: SameBytes): MovePairs {
  const moves: MovePair[] = [];
  let openFresh = [...fresh];
  let openLost = [...lost];
  const pairBy = (key: (candidate: MoveCandidate) => string | null, allowed: (key: string) => boolean): void => {
    const freshBy = Map.groupBy(
      openFresh.filter((candidate) => key(candidate) !== null),
      key,
    );
    const lostBy = Map.groupBy(
      openLost.filter((candidate) => key(candidate) !== null),
      key,
    );
    const taken = new Set<string>();
    for (const [value, targets] of freshBy) {
      const [target, otherTarget] = targets;
      const [source, otherSource] = lostBy.get(value) ?? [];
      if (value === null || !target || otherTarget || !source || otherSource || !allowed(value)) continue;
      moves.push({ from: source.id, to: target.id });
      taken.add(source.id).add(target.id);
    }
    openFresh = openFresh.filter(({ id }) => !taken.has(id));
    openLost = openLost.filter(({ id }) => !taken.has(id));
  };
  pairBy(
    ({ inode, mtimeNs }) => inode && `${inode} ${mtimeNs}`,
    () => true,
  );
  if (proven) {
    pairBy(
      ({ mtimeNs }) => mtimeNs,
      (mtimeNs) => !inPlace.some((other) => other.mtimeNs === mtimeNs),
    );
    const [[to, otherTo], [from, otherFrom]] = [openFresh, openLost];
    if (to && !otherTo && from && !otherFrom && inPlace.length === 0) {
      moves.push({ from: from.id, to: to.id });
      openFresh = [];
      openLost = [];
    }
  }
  return { moves, ambiguous: openLost.length > 0 ? openFresh.length : 0 };
}
