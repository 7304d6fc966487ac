/**
 * A file that moves between libraries of agents keeps its item with tags and notes, as it does between libraries of the service. Each library
 * is reported by itself, so the two halves of a move arrive in any order:
 * - first gone, then new: the new file is paired with a tombstone of the same bytes by the rules of `pairMoves`;
 * - first new, then gone: the file that is there already may be a copy, so it is taken only if it is the same file on the same disk of the
 *   same agent: inode, time and bytes are equal, and it has no second link.
 * Only libraries of agents take part, because a machine could otherwise claim files of the service by naming their bytes.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { logMerged, type MovePair, mergeMoved } from './move-store.ts';
import { pairMoves } from './moves.ts';
import { hasNoOverlay, plainArray, textArray } from './store.ts';

interface ReportedRun {
  runId: string;
  libraryId: string;
}

interface Candidate {
  id: string;
  bytes: string;
  role: 'fresh' | 'lost' | 'in-place';
  inode: string | null;
  mtimeNs: string;
}

/** Gives new files the identity of files that other agent libraries have lost. Returns how many. */
export async function inheritFromLost(tx: Db, run: ReportedRun, paths: readonly string[]): Promise<number> {
  const hashes = await findLostBytes(tx, run.libraryId, paths);
  if (hashes.length === 0) return 0;
  const moves = await mergeMoved(tx, pairCandidates(await loadCandidates(tx, run.libraryId, paths, hashes), true));
  await logMerged(tx, run.runId, [run.runId], moves);
  return moves.length;
}

/**
 * Gives files that other libraries of the same agent have reported already the identity of files that are gone here. They stay in the log as
 * gone, because who reads the log may not see the other library.
 */
export async function passToMoved(tx: Db, libraryId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await mergeMoved(tx, pairCandidates(await findSameFiles(tx, libraryId, ids), false));
}

function pairCandidates(candidates: readonly Candidate[], proven: boolean): MovePair[] {
  return [...Map.groupBy(candidates, ({ bytes }) => bytes).values()].flatMap((group) => {
    const withRole = (role: Candidate['role']) => group.filter((each) => each.role === role);
    return pairMoves({ fresh: withRole('fresh'), lost: withRole('lost'), inPlace: withRole('in-place'), proven }).moves;
  });
}

/** The hashes that these new files share with tombstones of other agent libraries. */
async function findLostBytes(tx: Db, libraryId: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { rows } = await sql<{ bytes: string }>`
    select distinct n.content_hash as bytes from items n
    join items o on left(o.content_hash, 8) = left(n.content_hash, 8) and o.content_hash = n.content_hash and o.size = n.size
    join libraries l on l.id = o.library_id
    where n.library_id = ${libraryId} and n.rel_path = any(${textArray(paths)}::text[]) and n.status = 'active'
      and o.status = 'missing' and o.library_id <> ${libraryId} and l.source_agent_id is not null`.execute(tx);
  return rows.map(({ bytes }) => bytes);
}

async function loadCandidates(tx: Db, libraryId: string, paths: readonly string[], hashes: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select i.id, i.content_hash as bytes, i.inode::text as inode, i.mtime_ns::text as "mtimeNs",
      case when i.status = 'missing' then 'lost'
        when i.library_id = ${libraryId} and i.rel_path = any(${textArray(paths)}::text[]) and ${hasNoOverlay('i')} then 'fresh'
        else 'in-place' end as role
    from items i join libraries l on l.id = i.library_id
    where left(i.content_hash, 8) = any(${textArray(hashes.map((hash) => hash.slice(0, 8)))}::text[]) and i.content_hash = any(${textArray(hashes)}::text[])
      and (i.status = 'active' or (i.status = 'missing' and i.library_id <> ${libraryId} and l.source_agent_id is not null))
    order by i.id`.execute(tx);
  return rows;
}

async function findSameFiles(tx: Db, libraryId: string, ids: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate & { lost: string }>`
    select n.id, o.id as lost, n.content_hash as bytes, n.inode::text as inode, n.mtime_ns::text as "mtimeNs", 'fresh' as role
    from items o
    join libraries here on here.id = o.library_id
    join items n on left(n.content_hash, 8) = left(o.content_hash, 8) and n.content_hash = o.content_hash and n.size = o.size
      and n.inode = o.inode and n.dev = o.dev and n.mtime_ns = o.mtime_ns and n.nlink = 1 and o.nlink = 1
    join libraries there on there.id = n.library_id and there.source_agent_id = here.source_agent_id
    where o.id = any(${plainArray(ids)}::uuid[]) and o.status = 'missing' and n.status = 'active' and n.library_id <> ${libraryId}
      and n.first_seen > o.first_seen and ${hasNoOverlay('n')}`.execute(tx);
  const lost = new Map(rows.map((row) => [row.lost, { ...row, id: row.lost, role: 'lost' as const }]));
  return [...new Map(rows.map((row) => [row.id, row])).values(), ...lost.values()];
}
