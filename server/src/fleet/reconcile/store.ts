import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** The digest of one item `i`, as protocol/src/digests.ts defines it. */
const itemDigest = sql<number>`substr(sha256(i.size::bytea || i.mtime_ns::bytea || textsend(
  coalesce(i.content_hash, i.quick_hash, case when i.symlink_target is null then '' else 'link' end) || '|' || i.rel_path)), 1, 8)::bigint`;

export interface SessionRow {
  id: string;
  agent_id: string;
  library_id: string;
  seq_no: number;
  upserted: number;
  tombstoned: number;
  trashed_conflicts: number;
  refused: number;
}

export async function findLibrary(db: Db, agentId: string, rootPath: string): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string;
  }>`select id from libraries where source_agent_id = ${agentId} and root_path = ${rootPath}`.execute(db);
  return rows[0]?.id;
}

/** Replaces an earlier comparison of the same library. */
export async function openSession(tx: Db, agentId: string, libraryId: string, seqNo: number): Promise<string> {
  await deleteSessions(tx, sql`agent_id = ${agentId} and (library_id = ${libraryId} or expires_at < now())`);
  const { rows } = await sql<{ id: string }>`insert into agent_reconcile_sessions (agent_id, library_id, seq_no)
    values (${agentId}, ${libraryId}, ${seqNo}) returning id`.execute(tx);
  return one(rows).id;
}

export async function findSession(db: Db, agentId: string, id: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`select id, agent_id, library_id, seq_no, upserted, tombstoned, trashed_conflicts, refused
    from agent_reconcile_sessions where id = ${id} and agent_id = ${agentId} and expires_at > now()`.execute(db);
  return rows[0];
}

export async function closeSession(tx: Db, id: string): Promise<void> {
  await deleteSessions(tx, sql`id = ${id}`);
}

/** Digests have no foreign key: checking it for each folder took a sixth of the time of a comparison. */
async function deleteSessions(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`with gone as (delete from agent_reconcile_sessions where ${which} returning id)
    delete from agent_reconcile_folders f using gone where f.session_id = gone.id`.execute(db);
}

/** A file in the recycle bin is still on the other machine, so it counts as present. */
export async function computeDigests(tx: Db, sessionId: string, libraryId: string): Promise<void> {
  await sql`insert into agent_reconcile_folders (session_id, path, digest, files)
    select ${sessionId}, f.rel_path, g.digest, g.files
    from (select i.folder_id, bit_xor(${itemDigest}) as digest, count(*) as files from items i
      where i.library_id = ${libraryId} and i.status <> 'missing' group by i.folder_id) g
    join folders f on f.id = g.folder_id`.execute(tx);
}

export async function totalOf(db: Db, sessionId: string): Promise<{ digest: string; files: number }> {
  const { rows } = await sql<{ digest: string; files: number }>`
    select lpad(to_hex(coalesce(bit_xor(digest), 0)), 16, '0') as digest, coalesce(sum(files), 0)::bigint as files
    from agent_reconcile_folders where session_id = ${sessionId}`.execute(db);
  return one(rows);
}

export async function folderDigests(db: Db, sessionId: string, paths: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ path: string; digest: string }>`select path, lpad(to_hex(digest), 16, '0') as digest
    from agent_reconcile_folders where session_id = ${sessionId} and path = any(${paths}::text[])`.execute(db);
  return new Map(rows.map(({ path, digest }) => [path, digest]));
}

/** The digests of the trees directly below each of the folders. */
export async function childDigests(
  db: Db,
  sessionId: string,
  paths: readonly string[],
): Promise<{ parent: string; child: string; digest: string }[]> {
  const { rows } = await sql<{ parent: string; child: string; digest: string }>`
    select p.path as parent, split_part(substr(f.path, length(p.lower) + 1), '/', 1) as child, lpad(to_hex(bit_xor(f.digest)), 16, '0') as digest
    from (select path, case when path = '' then '' else path || '/' end as lower,
        case when path = '' then chr(1114111) else path || '0' end as upper
      from unnest(${paths}::text[]) as u (path)) p
    join agent_reconcile_folders f on f.session_id = ${sessionId} and f.path > p.lower and f.path < p.upper
    group by 1, 2`.execute(db);
  return rows;
}

/** Digests of the files of one folder by bucket; buckets without files are absent. */
export async function bucketDigests(db: Db, libraryId: string, path: string, count: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ bucket: number; digest: string }>`
    select (('x' || left(md5(i.filename), 3))::bit(12)::integer & ${count - 1}::integer) as bucket, lpad(to_hex(bit_xor(${itemDigest})), 16, '0') as digest
    from items i join folders f on f.id = i.folder_id and f.library_id = ${libraryId} and f.rel_path = ${path}
    where i.status <> 'missing' group by 1`.execute(db);
  return new Map(rows.map(({ bucket, digest }) => [bucket, digest]));
}

export interface KnownFile {
  rel_path: string;
  filename: string;
  digest: string;
}

/** The files of one folder here, or those in some of its buckets. */
export async function knownFiles(
  db: Db,
  libraryId: string,
  path: string,
  buckets: { count: number; which: readonly number[] } | null,
): Promise<KnownFile[]> {
  const { rows } = await sql<KnownFile>`
    select i.rel_path, i.filename, lpad(to_hex(${itemDigest}), 16, '0') as digest
    from items i join folders f on f.id = i.folder_id and f.library_id = ${libraryId} and f.rel_path = ${path}
    where i.status <> 'missing' and (${buckets === null}
      or (('x' || left(md5(i.filename), 3))::bit(12)::integer & ${(buckets?.count ?? 1) - 1}::integer) = any(${buckets?.which ?? []}::integer[]))`.execute(
    db,
  );
  return rows;
}

/** Paths of active files in folders that the agent does not have, at most `limit`. */
export async function filesBelow(db: Db, libraryId: string, folders: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ rel_path: string }>`
    select i.rel_path from unnest(${folders}::text[]) as u (folder)
    join folders f on f.library_id = ${libraryId} and (f.rel_path = u.folder or (f.rel_path > u.folder || '/' and f.rel_path < u.folder || '0'))
    join items i on i.folder_id = f.id
    where i.status = 'active' limit ${limit}`.execute(db);
  return rows.map(({ rel_path }) => rel_path);
}

export async function addCounts(tx: Db, id: string, counts: Omit<SessionRow, 'id' | 'agent_id' | 'library_id' | 'seq_no'>): Promise<void> {
  await sql`update agent_reconcile_sessions set upserted = upserted + ${counts.upserted}, tombstoned = tombstoned + ${counts.tombstoned},
    trashed_conflicts = trashed_conflicts + ${counts.trashed_conflicts}, refused = refused + ${counts.refused},
    expires_at = now() + interval '1 hour' where id = ${id}`.execute(tx);
}

export async function stampReconciled(tx: Db, agentId: string): Promise<void> {
  await sql`update agents set last_reconcile_at = now() where id = ${agentId}`.execute(tx);
}

/** Also removes digests without a comparison: it was deleted together with its agent or library. */
export async function purgeSessions(db: Db): Promise<void> {
  await sql`delete from agent_reconcile_sessions where expires_at < now()`.execute(db);
  await sql`delete from agent_reconcile_folders f where not exists (select from agent_reconcile_sessions s where s.id = f.session_id)`.execute(
    db,
  );
}
