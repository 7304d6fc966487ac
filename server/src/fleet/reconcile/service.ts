/**
 * Reconcile: an agent and the service compare what they know of one library, and only what differs is sent. Digests are compared from the
 * root folder downwards: a folder whose tree is equal is never entered, and files are listed only for folders, or buckets of large folders,
 * whose own files differ. The service corrects its items; the agent's index is the truth about its files.
 *
 * A comparison is valid for one sequence number: it starts when all changes of the agent are applied, and any later batch ends it, because a
 * move that is on its way would otherwise be taken for a deletion and a new file.
 */
import { addToDigest, digestText, emptyDigest } from '@catalog/protocol';
import { applyReported, type ReportedChange } from '../../catalog/scan/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { type AgentRow, auditOf, lockAgent, requireNoClone } from '../agents/index.ts';
import { findRoots, hasLists, localNumbers, readEntry } from '../replication/index.ts';
import {
  addCounts,
  bucketDigests,
  childDigests,
  closeSession,
  computeDigests,
  filesBelow,
  findLibrary,
  findSession,
  folderDigests,
  knownFiles,
  openSession,
  type SessionRow,
  stampReconciled,
  totalOf,
} from './store.ts';

export interface Start {
  libraryRef: string;
  digest: string;
  files: number;
  seqNo: number;
}

export type Started = { status: 'match' } | { status: 'mismatch'; session_id: string };

export async function start(db: Db, { id }: AgentRow, { libraryRef, digest, files, seqNo }: Start): Promise<Started> {
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await requireQuiet(tx, id, seqNo);
    const libraryId = await findLibrary(tx, id, libraryRef);
    if (!libraryId) throw notFound('library');
    const sessionId = await openSession(tx, id, libraryId, seqNo);
    await computeDigests(tx, sessionId, libraryId);
    const known = await totalOf(tx, sessionId);
    if (known.digest === digest && known.files === files) {
      await closeSession(tx, sessionId);
      await stampReconciled(tx, id);
      return { status: 'match' };
    }
    if (files === 0)
      throw problem('conflict', `The agent reports an empty library, but ${known.files} files are known. Nothing was changed.`, {
        reason: 'empty',
      });
    return { status: 'mismatch', session_id: sessionId };
  });
}

/** Locks the agent and checks that no change was applied since the comparison began. */
async function requireQuiet(tx: Db, agentId: string, seqNo: number): Promise<void> {
  const agent = await lockAgent(tx, agentId);
  if (!agent) throw notFound('agent');
  if (agent.revoked_at !== null) throw problem('agent_revoked');
  requireNoClone(agent);
  if (agent.last_contiguous_seq_no !== seqNo)
    throw problem('conflict', 'Changes were applied meanwhile. Send the outbox, then compare again.', {
      reason: 'changed',
      expected_seq_no: agent.last_contiguous_seq_no + 1,
    });
}

async function requireSession(db: Db, agentId: string, id: string): Promise<SessionRow> {
  const session = await findSession(db, agentId, id);
  if (!session) throw notFound('comparison');
  return session;
}

export interface ComparedFolder {
  path: string;
  /** The digest of the files directly in it. */
  digest: string;
  /** Name and digest of every tree directly below it. */
  children: [string, string][];
}

/** Says which folders to list and which trees to enter. Files below folders that the agent does not have become missing. */
export async function compareFolders(
  db: Db,
  { id }: AgentRow,
  sessionId: string,
  folders: readonly ComparedFolder[],
): Promise<{ list: string[]; enter: string[] }> {
  const session = await requireSession(db, id, sessionId);
  const paths = folders.map(({ path }) => path);
  const own = await folderDigests(db, sessionId, paths);
  const known = Map.groupBy(await childDigests(db, sessionId, paths), ({ parent }) => parent);
  const none = digestText(emptyDigest());
  const list: string[] = [];
  const enter: string[] = [];
  const absent: string[] = [];
  for (const { path, digest, children } of folders) {
    if ((own.get(path) ?? none) !== digest) list.push(path);
    const here = new Map((known.get(path) ?? []).map(({ child, digest: tree }) => [child, tree]));
    const below = (name: string): string => (path === '' ? name : `${path}/${name}`);
    for (const [name, tree] of children) {
      if (here.get(name) !== tree) enter.push(below(name));
      here.delete(name);
    }
    for (const name of here.keys()) absent.push(below(name));
  }
  if (absent.length > 0) await removeBelow(db, session, absent);
  return { list, enter };
}

const removedAtOnce = 5000;

async function removeBelow(db: Db, session: SessionRow, folders: readonly string[]): Promise<void> {
  for (;;) {
    const gone = await filesBelow(db, session.library_id, folders, removedAtOnce);
    if (gone.length === 0) return;
    await apply(
      db,
      session,
      gone.map((relPath) => ({ kind: 'gone', relPath })),
      0,
    );
  }
}

async function apply(db: Db, session: SessionRow, changes: readonly ReportedChange[], refused: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await requireQuiet(tx, session.agent_id, session.seq_no);
    const report = { changes, folders: [] };
    const known = hasLists(report) ? (await findRoots(tx, session.agent_id)).find(({ id }) => id === session.library_id) : undefined;
    const numbered = hasLists(report) ? (await localNumbers(tx, session.agent_id))(report, known?.permissions_enabled ?? false) : report;
    const counts = await applyReported(tx, session.library_id, numbered.changes, { initial: false });
    await addCounts(tx, session.id, {
      upserted: counts.created + counts.changed,
      tombstoned: counts.tombstoned,
      trashed_conflicts: counts.trashed,
      refused,
    });
  });
}

/** The buckets of a folder that differ; `digests` has one digest per bucket. */
export async function compareBuckets(
  db: Db,
  { id }: AgentRow,
  sessionId: string,
  path: string,
  digests: readonly string[],
): Promise<number[]> {
  const { library_id } = await requireSession(db, id, sessionId);
  const known = await bucketDigests(db, library_id, path, digests.length);
  const none = digestText(emptyDigest());
  return digests.flatMap((digest, bucket) => ((known.get(bucket) ?? none) === digest ? [] : [bucket]));
}

export interface ListedFolder {
  path: string;
  /** The files are all of these buckets; without it, all of the folder. */
  buckets?: { count: number; which: number[] } | undefined;
  files: ({ name: string } & Record<string, unknown>)[];
}

/** Makes the items of the folders what the agent lists: files that differ are written, others become missing. */
export async function applyFolders(
  db: Db,
  { id }: AgentRow,
  sessionId: string,
  folders: readonly ListedFolder[],
): Promise<{ differing: number; refused: number }> {
  const session = await requireSession(db, id, sessionId);
  const changes: ReportedChange[] = [];
  let refused = 0;
  for (const { path, files, buckets = null } of folders) {
    const known = new Map((await knownFiles(db, session.library_id, path, buckets)).map((file) => [file.filename, file]));
    for (const { name, ...facts } of files) {
      const relPath = path === '' ? name : `${path}/${name}`;
      const read = readEntry({ ...facts, event_type: 'modified', library_ref: '/', rel_path: relPath });
      const before = known.get(name);
      known.delete(name);
      if (!('change' in read) || read.change.kind !== 'present') refused += 1;
      else if (before?.digest !== digestOf(read.change)) changes.push(read.change);
    }
    for (const { rel_path } of known.values()) changes.push({ kind: 'gone', relPath: rel_path });
  }
  if (changes.length > 0 || refused > 0) await apply(db, session, changes, refused);
  return { differing: changes.length, refused };
}

function digestOf({ relPath, file }: Extract<ReportedChange, { kind: 'present' }>): string {
  const digest = emptyDigest();
  const { size, mtimeNs, symlinkTarget, hashes } = file;
  const facts = { size, mtime_ns: mtimeNs, quick_hash: hashes.quick, content_hash: hashes.content, symlink_target: symlinkTarget };
  addToDigest(digest, facts, relPath);
  return digestText(digest);
}

export async function finish(db: Db, { id }: AgentRow, sessionId: string, actor: Actor) {
  const { library_id, upserted, tombstoned, trashed_conflicts, refused } = await requireSession(db, id, sessionId);
  const counts = { upserted, tombstoned, trashed_conflicts, refused };
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await closeSession(tx, sessionId);
    await stampReconciled(tx, id);
    await recordEvent(tx, { event_type: 'agent_reconciled', ...auditOf(actor), details: { agent_id: id, library_id, ...counts } });
  });
  return { status: 'reconciled' as const, ...counts };
}
