import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

export interface RootLibrary {
  id: string;
  listed: boolean;
  permissions_enabled: boolean;
}

export async function findRoots(tx: Db, agentId: string): Promise<(RootLibrary & { root_path: string })[]> {
  const { rows } = await sql<
    RootLibrary & { root_path: string }
  >`select l.id, l.root_path, l.permissions_enabled, coalesce(r.listed, false) as listed
    from libraries l left join agent_roots r on r.library_id = l.id where l.source_agent_id = ${agentId}`.execute(tx);
  return rows;
}

/** Names of libraries are unique; a number is added when one is taken. */
export async function createRoot(tx: Db, agentId: string, name: string, rootPath: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into all_libraries (name, root_path, source_agent_id)
    select c.name, ${rootPath}, ${agentId}
    from (select n, case when n = 1 then ${name}::text else ${name} || ' (' || n || ')' end as name from generate_series(1, 1000) n) c
    where not exists (select from all_libraries l where lower(l.name) = lower(c.name))
    order by c.n limit 1 returning id`.execute(tx);
  const { id } = one(rows);
  await sql`insert into agent_roots (library_id, agent_id) values (${id}, ${agentId})`.execute(tx);
  return id;
}

export async function markListed(tx: Db, libraryIds: readonly string[]): Promise<void> {
  await sql`update agent_roots set listed = true where library_id = any(${libraryIds}::uuid[]) and not listed`.execute(tx);
}

export interface LastBatch {
  last_batch_first: number | null;
  last_batch_digest: string | null;
  last_batch_result: Record<string, number> | null;
}

export async function findLastBatch(tx: Db, agentId: string): Promise<LastBatch> {
  const { rows } =
    await sql<LastBatch>`select last_batch_first, last_batch_digest, last_batch_result from agents where id = ${agentId}`.execute(tx);
  return one(rows);
}

export async function recordBatch(
  tx: Db,
  agentId: string,
  batch: { first: number; last: number; digest: string; result: object },
): Promise<void> {
  await sql`update agents set last_contiguous_seq_no = ${batch.last}, last_batch_at = now(), last_batch_first = ${batch.first},
    last_batch_digest = ${batch.digest}, last_batch_result = ${JSON.stringify(batch.result)}::jsonb where id = ${agentId}`.execute(tx);
}

interface Quarantined {
  seq_no: number;
  reason: string;
  entry: unknown;
}

export async function quarantine(tx: Db, agentId: string, entries: readonly Quarantined[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`insert into agent_quarantine (agent_id, seq_no, reason, entry)
    select ${agentId}, q.seq_no, q.reason, q.entry from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as q (seq_no bigint, reason text, entry jsonb)
    on conflict do nothing`.execute(tx);
}

export interface QuarantineRow {
  seq_no: number;
  received_at: Date;
  reason: string;
  entry: Record<string, unknown>;
}

export async function listQuarantine(db: Db, agentId: string, before: number | null, limit: number): Promise<QuarantineRow[]> {
  const { rows } = await sql<QuarantineRow>`select seq_no, received_at, reason, entry from agent_quarantine
    where agent_id = ${agentId} and (${before}::bigint is null or seq_no < ${before}) order by seq_no desc limit ${limit}`.execute(db);
  return rows;
}

export async function clearQuarantine(db: Db, agentId: string): Promise<void> {
  await sql`delete from agent_quarantine where agent_id = ${agentId}`.execute(db);
}

/** Old entries are of no use: the agent has listed its files again since. */
export async function purgeQuarantine(db: Db): Promise<void> {
  await sql`delete from agent_quarantine where received_at < now() - interval '90 days'`.execute(db);
}
