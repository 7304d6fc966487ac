/**
 * A file that moves between libraries of agents keeps its item with tags and notes, as it does between libraries of the service. Each library
 * is reported by itself, so the two halves of a move arrive in any order:
 * - first gone, then new: the new file is paired with a tombstone of the same bytes by the rules of `pairMoves`, with one of its own library
 *   if there is any;
 * - first new, then gone: the file that is there already may be a copy, so it is taken only if it is the same file on the same disk of the
 *   same agent: inode, time and bytes are equal, and it has no second link.
 * Only libraries of agents take part, because a machine could otherwise claim files of the service by naming their bytes. Empty files, and
 * bytes that many files share, such as those of a licence, are left alone: which of them moved cannot be told, and there is no end of them.
 */

import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { itemsAt } from '../paths/index.ts';
import { logMerged, type MovePair, mergeMoved } from './move-store.ts';
import { pairMoves } from './moves.ts';
import { hasNoOverlay, plainArray } from './store.ts';

interface ReportedRun {
  runId: string;
  libraryId: string;
}

interface Candidate {
  id: string;
  bytes: string;
  role: 'fresh' | 'lost-here' | 'lost-elsewhere' | 'in-place';
  inode: string | null;
  mtimeNs: string;
}

/** More items than this with the same bytes are ambiguous. */
const maxCandidates = 50;

/** Gives new files the identity of files that other agent libraries have lost. Returns how many. */
export async function inheritFromLost(tx: Db, run: ReportedRun, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const moves = await mergeMoved(tx, pairWithLost(await loadCandidates(tx, run.libraryId, paths)));
  await logMerged(tx, run.runId, [run.runId], moves);
  return moves.length;
}

/**
 * Gives files that other libraries of the same agent have reported already the identity of files that are gone here. They stay in the log as
 * gone, because who reads the log may not see the other library.
 */
export async function passToMoved(tx: Db, libraryId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await mergeMoved(tx, pairSameFiles(await findSameFiles(tx, libraryId, ids)));
}

function pairWithLost(candidates: readonly Candidate[]): MovePair[] {
  return [...Map.groupBy(candidates, ({ bytes }) => bytes).values()].flatMap((group) => {
    const withRole = (role: Candidate['role']) => group.filter((each) => each.role === role);
    const [elsewhere, here] = [withRole('lost-elsewhere'), withRole('lost-here')];
    if (elsewhere.length === 0 || group.length > maxCandidates) return [];
    const lost = here.length > 0 ? here : elsewhere;
    return pairMoves({ fresh: withRole('fresh'), lost, inPlace: withRole('in-place'), proven: true }).moves;
  });
}

/** The new files, and what has the same bytes. */
async function loadCandidates(tx: Db, libraryId: string, paths: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with added as materialized (
      select i.id, i.content_hash, i.size from ${itemsAt(libraryId, paths)} where i.status = 'active' and i.size > 0 and i.content_hash is not null)
    select i.id, i.content_hash as bytes, i.inode::text as inode, i.mtime_ns::text as "mtimeNs",
      case when i.status = 'missing' then case when i.library_id = ${libraryId} then 'lost-here' else 'lost-elsewhere' end
        when exists (select from added a where a.id = i.id) and ${hasNoOverlay('i')} then 'fresh'
        else 'in-place' end as role
    from (select distinct content_hash, size from added) b
    cross join lateral (
      select * from items s
      where left(s.content_hash, 8) = left(b.content_hash, 8) and s.content_hash = b.content_hash and s.size = b.size
        and (s.status = 'active' or (s.status = 'missing'
          and exists (select from libraries l where l.id = s.library_id and l.source_agent_id is not null)))
      limit ${maxCandidates + 1}) i
    order by i.id`.execute(tx);
  return rows;
}

interface SameFile {
  lost: string;
  found: string;
}

/** A file that could continue several items, or an item that several files could continue, is left alone. */
function pairSameFiles(files: readonly SameFile[]): MovePair[] {
  const [byLost, byFound] = [Map.groupBy(files, ({ lost }) => lost), Map.groupBy(files, ({ found }) => found)];
  return files.flatMap(({ lost, found }) =>
    byLost.get(lost)?.length === 1 && byFound.get(found)?.length === 1 ? [{ from: lost, to: found }] : [],
  );
}

async function findSameFiles(tx: Db, libraryId: string, ids: readonly string[]): Promise<SameFile[]> {
  const { rows } = await sql<SameFile>`
    select o.id as lost, n.id as found
    from items o
    join libraries here on here.id = o.library_id
    cross join lateral (
      select s.* from items s
      where left(s.content_hash, 8) = left(o.content_hash, 8) and s.content_hash = o.content_hash and s.status = 'active' and s.library_id <> ${libraryId}
      limit ${maxCandidates}) n
    join libraries there on there.id = n.library_id and there.source_agent_id = here.source_agent_id
    where o.id = any(${plainArray(ids)}::uuid[]) and o.status = 'missing' and o.size > 0 and n.size = o.size
      and n.inode = o.inode and n.dev = o.dev and n.mtime_ns = o.mtime_ns and n.nlink = 1 and o.nlink = 1
      and n.first_seen > o.first_seen and ${hasNoOverlay('n')}`.execute(tx);
  return rows;
}
