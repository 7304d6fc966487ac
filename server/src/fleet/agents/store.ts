import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

export type AgentStatus = 'pending' | 'active' | 'revoked';

export interface AgentRow {
  id: string;
  name: string;
  hostname: string;
  platform: string;
  agent_version: string | null;
  version_at: Date | null;
  previous_version: string | null;
  enroll_secret_hash: string | null;
  approved_at: Date | null;
  cert_fingerprint: string | null;
  cert_not_after: Date | null;
  cert_renewed_at: Date | null;
  public_key: string | null;
  last_contiguous_seq_no: number;
  last_seen_at: Date | null;
  last_address: string | null;
  last_auth_mode: string | null;
  last_batch_at: Date | null;
  last_reconcile_at: Date | null;
  capabilities: Record<string, unknown> | null;
  capabilities_at: Date | null;
  health: Record<string, unknown> | null;
  health_at: Date | null;
  config_generation_applied: number | null;
  labels: string[];
  /** When two programs were last seen to take turns with the identity of this agent. */
  clone_seen_at: Date | null;
  /** Since when changes are held back because of that, until an administrator decides. */
  clone_held_at: Date | null;
  /** The run that shall make a new key, so that the other machine loses the identity. */
  kept_run: string | null;
  /** The latest run first. */
  runs: AgentRun[];
  revoked_at: Date | null;
  created_at: Date;
}

/** A run of the program that has reported. */
export interface AgentRun {
  run_id: string;
  address: string | null;
  hostname: string | null;
  seen_at: string;
  /** How often it came back after another run had reported. Runs before a restart never do. */
  turns: number;
}

/** Revoked, else active once a certificate is bound, else pending. */
export function statusOf({ revoked_at, cert_fingerprint }: Pick<AgentRow, 'revoked_at' | 'cert_fingerprint'>): AgentStatus {
  return revoked_at !== null ? 'revoked' : cert_fingerprint !== null ? 'active' : 'pending';
}

export async function findAgent(db: Db, id: string): Promise<AgentRow | undefined> {
  const { rows } = await sql<AgentRow>`select * from agents where id = ${id}`.execute(db);
  return rows[0];
}

/** Waits for batches and changes of the same agent. */
export async function lockAgent(tx: Db, id: string): Promise<AgentRow | undefined> {
  const { rows } = await sql<AgentRow>`select * from agents where id = ${id} for update`.execute(tx);
  return rows[0];
}

export interface AgentFilter {
  q?: string | undefined;
  status?: AgentStatus | undefined;
  /** Agents to which this group applies. */
  groupId?: string | undefined;
  limit: number;
  offset: number;
}

export async function listAgents(
  db: Db,
  { q, status, groupId, limit, offset }: AgentFilter,
): Promise<(AgentRow & { total: number; group_ids: string[] })[]> {
  const { rows } = await sql<AgentRow & { total: number; group_ids: string[] }>`
    select a.*, count(*) over () as total, array(select m.group_id from agent_group_members m where m.agent_id = a.id order by 1) as group_ids
    from agents a
    where (${q ?? null}::text is null or strpos(lower(a.name || ' ' || a.hostname), lower(${q ?? ''})) > 0)
      and (${status ?? null}::text is null
        or case when a.revoked_at is not null then 'revoked' when a.cert_fingerprint is not null then 'active' else 'pending' end = ${status ?? null})
      and (${groupId ?? null}::uuid is null or exists (select from agent_group_matches m where m.agent_id = a.id and m.group_id = ${groupId ?? null}))
    order by lower(a.name), a.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function groupIdsOf(db: Db, agentId: string): Promise<string[]> {
  const { rows } = await sql<{
    group_id: string;
  }>`select group_id from agent_group_members where agent_id = ${agentId} order by 1`.execute(db);
  return rows.map(({ group_id }) => group_id);
}

/**
 * The machine is expected to be away: its agent said goodbye, ran on battery when it reported last, or runs on a machine with a battery,
 * whose lid may be closed.
 */
export const expectedAway = sql<boolean>`coalesce(health -> 'stopping' = 'true' or health ->> 'power' = 'battery' or capabilities -> 'portable' = 'true', false)`;

export interface FleetSummary {
  total: number;
  connected: number;
  asleep: number;
  disconnected: number;
  pending: number;
  revoked: number;
}

/** An active agent that was seen within five minutes is connected. */
export async function summarizeAgents(db: Db): Promise<FleetSummary> {
  const { rows } = await sql<FleetSummary>`
    with each as (
      select revoked_at is not null as revoked, revoked_at is null and cert_fingerprint is null as pending,
        coalesce(last_seen_at > now() - interval '300 seconds', false) as seen, ${expectedAway} as away
      from agents)
    select count(*) as total, count(*) filter (where not revoked and not pending and seen) as connected,
      count(*) filter (where not revoked and not pending and not seen) as disconnected,
      count(*) filter (where not revoked and not pending and not seen and away) as asleep, count(*) filter (where pending) as pending,
      count(*) filter (where revoked) as revoked
    from each`.execute(db);
  return one(rows);
}

export async function insertAgent(
  db: Db,
  agent: Pick<AgentRow, 'name' | 'hostname' | 'platform' | 'agent_version' | 'public_key' | 'labels'> & { approved: boolean },
): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`insert into agents (name, hostname, platform, agent_version, public_key, labels, approved_at)
    values (${agent.name}, ${agent.hostname}, ${agent.platform}, ${agent.agent_version}, ${agent.public_key}, ${agent.labels}::text[],
      case when ${agent.approved} then now() end) returning id`.execute(db);
  return one(rows).id;
}

/** Replaces the one-time secret of an agent without a certificate. */
export async function renewSecret(tx: Db, id: string, hash: string): Promise<void> {
  await sql`update agents set enroll_secret_hash = ${hash} where id = ${id}`.execute(tx);
}

/** Adds the agent to the groups with these names, and returns the names that exist. */
export async function joinGroups(db: Db, agentId: string, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with found as (select id, name from agent_config_groups where not is_system and lower(name) = any(${names.map((name) => name.toLowerCase())}::text[])),
    joined as (insert into agent_group_members (agent_id, group_id) select ${agentId}, id from found on conflict do nothing)
    select name from found`.execute(db);
  return rows.map(({ name }) => name);
}

export interface Binding {
  fingerprint: string;
  notAfter: Date | null;
  publicKey: string | null;
}

/** Binds a certificate and spends the one-time secret. */
export async function bindCertificate(db: Db, id: string, { fingerprint, notAfter, publicKey }: Binding): Promise<void> {
  await sql`update agents set cert_fingerprint = ${fingerprint}, cert_not_after = ${notAfter}, public_key = coalesce(${publicKey}, public_key),
    cert_renewed_at = now(), enroll_secret_hash = null where id = ${id}`.execute(db);
}

export async function describeAgent(db: Db, id: string, { name, labels }: Pick<AgentRow, 'name' | 'labels'>): Promise<void> {
  await sql`update agents set name = ${name}, labels = ${labels}::text[] where id = ${id}`.execute(db);
}

export async function approveAgent(db: Db, id: string): Promise<void> {
  await sql`update agents set approved_at = coalesce(approved_at, now()) where id = ${id}`.execute(db);
}

export async function revokeAgent(db: Db, id: string): Promise<void> {
  await sql`update agents set revoked_at = coalesce(revoked_at, now()), enroll_secret_hash = null where id = ${id}`.execute(db);
}

export async function deleteAgent(db: Db, id: string): Promise<void> {
  await sql`delete from agents where id = ${id}`.execute(db);
}

export async function librariesOf(db: Db, agentId: string): Promise<{ id: string; name: string; root_path: string }[]> {
  const { rows } = await sql<{ id: string; name: string; root_path: string }>`select id, name, root_path from libraries
    where source_agent_id = ${agentId} order by lower(name)`.execute(db);
  return rows;
}

export interface Contact {
  agent: AgentRow;
  /** False when the nonce was used before. */
  fresh: boolean;
}

/**
 * Uses up the nonce of a signed request, and notes the time of the contact, at most every half minute. No time is noted for an agent that is
 * revoked or whose certificate has expired. Undefined when there is no such agent.
 */
export async function recordContact(
  db: Db,
  id: string,
  contact: { address: string; mode: string; nonce: { value: string; ttlSeconds: number } | null; acceptExpired: boolean },
): Promise<Contact | undefined> {
  const { address, mode, nonce, acceptExpired } = contact;
  const { rows } = await sql<AgentRow & { nonce_is_fresh: boolean }>`
    with used as (
      insert into agent_nonces (agent_id, nonce, expires_at)
      select id, ${nonce?.value ?? ''}, now() + make_interval(secs => ${nonce?.ttlSeconds ?? 0}) from agents
      where id = ${id} and ${nonce !== null}
      on conflict do nothing returning 1),
    answer as (select (${nonce === null} or exists (select from used)) as fresh),
    seen as (
      update agents a set last_seen_at = now(), last_auth_mode = ${mode}, last_address = ${address} from answer
      where a.id = ${id} and answer.fresh and a.revoked_at is null
        and (a.cert_not_after is null or a.cert_not_after > now() or ${acceptExpired})
        and (a.last_seen_at is null or a.last_seen_at < now() - interval '30 seconds' or a.last_auth_mode is distinct from ${mode}))
    select a.*, answer.fresh as nonce_is_fresh from answer join agents a on a.id = ${id}`.execute(db);
  if (!rows[0]) return undefined;
  const { nonce_is_fresh: fresh, ...agent } = rows[0];
  return { agent, fresh };
}

export interface Heartbeat {
  version: string | null;
  /** Null keeps what was reported before. */
  health: object | null;
  capabilities: object | null;
  /** Names this run of the program; null from programs that do not tell. */
  runId: string | null;
  hostname: string | null;
  address: string | null;
}

export interface HeartbeatAnswer {
  /** Another program was seen with this identity within an hour. */
  cloned: boolean;
  /** Changes are held back until an administrator decides. */
  held: boolean;
  /** This report is the first one that shows the other program, or the first after which changes are held back. */
  is_first: boolean;
  is_first_held: boolean;
  /** This run keeps the identity and shall make a new key. */
  is_kept: boolean;
}

/**
 * A run that was replaced and reports again may be another machine with the same identity. One late request makes each of two runs return
 * once, so the second return is noted, and changes are held back only after the third. The lock lets a report of the other machine wait while
 * the chosen one gets its new key: with what was known before, it would hold back changes again.
 */
export async function recordHeartbeat(
  db: Db,
  id: string,
  { version, health, capabilities, runId, hostname, address }: Heartbeat,
): Promise<HeartbeatAnswer> {
  const run = JSON.stringify({ run_id: runId, address, hostname });
  const { rows } = await sql<HeartbeatAnswer>`
    with before as (
      select clone_held_at as held_before, clone_seen_at as seen_before, (select coalesce(jsonb_agg(run), '[]') from (
          select run from jsonb_array_elements(runs) with ordinality as each(run, at) where run ->> 'run_id' <> ${runId}::text
          order by at limit 7) others) as other_runs,
        (select (run ->> 'turns')::integer from jsonb_array_elements(runs) run where run ->> 'run_id' = ${runId}::text) as turns,
        ${runId}::text is distinct from run_id and ${runId}::text = any(earlier_runs) as returned
      from agents where id = ${id} for update)
    update agents set last_seen_at = now(), agent_version = coalesce(${version}, agent_version),
    version_at = case when ${version}::text is distinct from agent_version and ${version}::text is not null then now() else version_at end,
    previous_version = case when ${version}::text is distinct from agent_version and ${version}::text is not null then agent_version else previous_version end,
    health = coalesce(${health && JSON.stringify(health)}::jsonb, health), health_at = case when ${health !== null} then now() else health_at end,
    capabilities = coalesce(${capabilities && JSON.stringify(capabilities)}::jsonb, capabilities),
    capabilities_at = case when ${capabilities !== null} then now() else capabilities_at end,
    clone_suspected_at = case when before.returned then now() else clone_suspected_at end,
    clone_seen_at = case when before.returned and clone_suspected_at > now() - interval '1 hour' then now() else clone_seen_at end,
    clone_held_at = case when before.returned and before.seen_before > now() - interval '1 hour' then coalesce(clone_held_at, now()) else clone_held_at end,
    reported_cloned = reported_cloned or coalesce(before.returned and before.seen_before > now() - interval '1 hour', false),
    runs = case when ${runId}::text is null then runs
      else jsonb_build_array(${run}::jsonb || jsonb_build_object('seen_at', now(),
        'turns', coalesce(before.turns, 0) + case when before.returned then 1 else 0 end)) || before.other_runs end,
    earlier_runs = case when ${runId}::text is null or run_id is null or run_id = ${runId}::text then earlier_runs
      else (array_prepend(run_id, array_remove(earlier_runs, ${runId}::text)))[1:8] end,
    run_id = coalesce(${runId}::text, run_id)
    from before where id = ${id}
    returning coalesce(clone_seen_at > now() - interval '1 hour', false) as cloned, clone_held_at is not null as held,
      coalesce(clone_seen_at = now() and (seen_before is null or seen_before < now() - interval '1 hour'), false) as is_first,
      clone_held_at is not null and before.held_before is null as is_first_held,
      clone_held_at is not null and kept_run is not null and kept_run = ${runId}::text as is_kept`.execute(db);
  return rows[0] ?? { cloned: false, held: false, is_first: false, is_first_held: false, is_kept: false };
}

/** The run that keeps the identity makes a new key when it reports next. */
export async function keepRun(tx: Db, id: string, runId: string): Promise<void> {
  await sql`update agents set kept_run = ${runId} where id = ${id}`.execute(tx);
}

/** One machine is left: its changes are accepted again, and what was seen before counts no more. */
export async function releaseClone(tx: Db, id: string): Promise<void> {
  await sql`update agents set clone_held_at = null, kept_run = null, clone_seen_at = null, clone_suspected_at = null, earlier_runs = '{}',
    run_id = null, runs = '[]' where id = ${id}`.execute(tx);
}

/** Old nonces, tokens that ended a month ago, and enrolments that were never completed. */
export async function purgeEnrolments(db: Db): Promise<{ tokens: number; agents: number }> {
  await sql`delete from agent_nonces where expires_at < now()`.execute(db);
  const tokens =
    await sql`delete from agent_enrollment_tokens where greatest(expires_at, consumed_at) < now() - interval '30 days'`.execute(db);
  const agents =
    await sql`delete from agents where cert_fingerprint is null and revoked_at is null and created_at < now() - interval '7 days'
    and not exists (select from all_libraries l where l.source_agent_id = agents.id)`.execute(db);
  return { tokens: Number(tokens.numAffectedRows ?? 0), agents: Number(agents.numAffectedRows ?? 0) };
}
