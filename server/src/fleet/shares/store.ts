import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';

export interface ShareRule {
  /** Null: every agent. */
  agent_id: string | null;
  /** Null: every library. */
  library_id: string | null;
  local_prefix: string;
  share_prefix: string;
  unc: string | null;
  storage_type: string | null;
  host: string | null;
}

export interface ShareRuleRow extends ShareRule {
  id: string;
  created_at: Date;
  updated_at: Date;
}

const columns = sql`m.id, m.agent_id, m.library_id, m.local_prefix, m.share_prefix, m.unc, m.storage_type, m.host, m.created_at, m.updated_at`;

/** A rule names folders of other machines, so those who do not see everything see only rules of libraries that they see in whole. */
function visibleTo(visibility: Visibility) {
  if (visibility.unrestricted) return sql<boolean>`true`;
  const { whole } = visibility.split('i');
  return whole === 'all' ? sql<boolean>`m.library_id is not null` : sql<boolean>`m.library_id = any(${whole}::uuid[])`;
}

export interface ShareRuleFilter {
  agentId: string | null;
  libraryId: string | null;
  /** Only rules for every agent. */
  global: boolean;
  limit: number;
}

export async function listShareRules(db: Db, visibility: Visibility, filter: ShareRuleFilter): Promise<ShareRuleRow[]> {
  const { agentId, libraryId, global, limit } = filter;
  const { rows } = await sql<ShareRuleRow>`select ${columns} from agent_share_maps m
    where (${agentId}::uuid is null or m.agent_id = ${agentId}) and (${libraryId}::uuid is null or m.library_id = ${libraryId})
      and (not ${global} or m.agent_id is null) and ${visibleTo(visibility)}
    order by lower(m.local_prefix), m.id limit ${limit}`.execute(db);
  return rows;
}

export async function findShareRule(db: Db, visibility: Visibility, id: string): Promise<ShareRuleRow | undefined> {
  const { rows } =
    await sql<ShareRuleRow>`select ${columns} from agent_share_maps m where m.id = ${id} and ${visibleTo(visibility)}`.execute(db);
  return rows[0];
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockShareRule(tx: Db, id: string): Promise<ShareRuleRow | undefined> {
  const { rows } = await sql<ShareRuleRow>`select ${columns} from agent_share_maps m where m.id = ${id} for no key update`.execute(tx);
  return rows[0];
}

/** Null when there is a rule for the same folder. */
export async function insertShareRule(tx: Db, rule: ShareRule): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into agent_share_maps (agent_id, library_id, local_prefix, share_prefix, unc, storage_type, host)
    values (${rule.agent_id}, ${rule.library_id}, ${rule.local_prefix}, ${rule.share_prefix}, ${rule.unc}, ${rule.storage_type}, ${rule.host})
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** False when there is another rule for the same folder. */
export async function updateShareRule(tx: Db, id: string, rule: ShareRule): Promise<boolean> {
  const { numAffectedRows } = await sql`update agent_share_maps m set library_id = ${rule.library_id}, local_prefix = ${rule.local_prefix},
    share_prefix = ${rule.share_prefix}, unc = ${rule.unc}, storage_type = ${rule.storage_type}, host = ${rule.host}, updated_at = now()
    where m.id = ${id} and not exists (select from agent_share_maps o where o.id <> ${id} and o.agent_id is not distinct from m.agent_id
      and o.library_id is not distinct from ${rule.library_id}::uuid and o.local_prefix = ${rule.local_prefix})`.execute(tx);
  return Number(numAffectedRows ?? 0) === 1;
}

export async function deleteShareRule(tx: Db, id: string): Promise<void> {
  await sql`delete from agent_share_maps where id = ${id}`.execute(tx);
}

/** The library belongs to the agent, or to some agent when the rule is for all. */
export async function isLibraryOf(db: Db, libraryId: string, agentId: string | null): Promise<boolean> {
  const { rows } = await sql`select from libraries where id = ${libraryId} and source_agent_id is not null
    and (${agentId}::uuid is null or source_agent_id = ${agentId})`.execute(db);
  return rows.length > 0;
}
