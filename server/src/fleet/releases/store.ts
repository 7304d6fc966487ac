import type { ReleaseManifest } from '@catalog/protocol';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { RolloutStatus } from '../config/index.ts';
import { releaseReady } from './rollout-store.ts';

export interface ReleaseRow {
  version: string;
  manifest: ReleaseManifest;
  uploaded_at: Date;
  withdrawn_at: Date | null;
  /** Names of the programs that have arrived. */
  files: string[];
  /** Agents that report this version. */
  confirmed: number;
}

const columns = sql`r.version, r.manifest, r.uploaded_at, r.withdrawn_at,
  array(select f.filename from agent_release_files f where f.version = r.version order by 1) as files,
  (select count(*) from agents a where a.agent_version = r.version and a.revoked_at is null) as confirmed`;

export async function listReleases(db: Db, limit: number): Promise<ReleaseRow[]> {
  const { rows } = await sql<ReleaseRow>`select ${columns} from agent_releases r order by r.uploaded_at desc limit ${limit}`.execute(db);
  return rows;
}

export async function findRelease(db: Db, version: string): Promise<ReleaseRow | undefined> {
  const { rows } = await sql<ReleaseRow>`select ${columns} from agent_releases r where r.version = ${version}`.execute(db);
  return rows[0];
}

const isFor = (platform: string, arch: string) => sql<boolean>`v.manifest -> 'artifacts' @> ${JSON.stringify([{ platform, arch }])}::jsonb`;

/** Complete releases for a kind of machine. */
export async function readyVersions(db: Db, platform: string, arch: string): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`select v.version from agent_releases v
    where ${releaseReady} and ${isFor(platform, arch)}`.execute(db);
  return rows.map(({ version }) => version);
}

/** A complete release with its newest rollout; without one it is offered to all. */
export type ReleaseCandidate = { version: string; manifest: ReleaseManifest } & (
  | { rollout_id: null; target_groups: null }
  | {
      rollout_id: string;
      status: RolloutStatus;
      percent: number;
      paused: boolean;
      target_platforms: string[];
      target_labels: string[];
      target_groups: string[];
    }
);

export async function releaseCandidates(db: Db): Promise<ReleaseCandidate[]> {
  const { rows } = await sql<ReleaseCandidate>`select v.version, v.manifest, r.id as rollout_id, r.status, r.percent,
      r.paused_at is not null as paused, r.target_platforms, r.target_labels, r.target_groups
    from agent_releases v left join lateral (
      select * from agent_release_rollouts r where r.version = v.version order by r.id desc limit 1) r on true
    where ${releaseReady}`.execute(db);
  return rows;
}

/** Requests to update that agents have not finished, by agent. */
export async function openUpdates(
  db: Db,
  agentIds: readonly string[],
): Promise<Map<string, { target: string | null; rollout_id: string | null }[]>> {
  const { rows } = await sql<{ agent_id: string; target: string | null; rollout_id: string | null }>`
    select agent_id, payload ->> 'target' as target, payload ->> 'rollout_id' as rollout_id from agent_commands
    where agent_id = any(${agentIds}::uuid[]) and kind = 'self_update' and status in ('pending', 'picked_up')`.execute(db);
  return Map.groupBy(rows, ({ agent_id }) => agent_id);
}

/** The memberships of these agents in these groups, as `<group id> <agent id>`. */
export async function groupMembers(db: Db, groupIds: readonly string[], agentIds: readonly string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set();
  const { rows } = await sql<{ group_id: string; agent_id: string }>`select group_id, agent_id from agent_group_matches
    where group_id = any(${groupIds}::uuid[]) and agent_id = any(${agentIds}::uuid[])`.execute(db);
  return new Set(rows.map(({ group_id, agent_id }) => `${group_id} ${agent_id}`));
}

/** False when the version exists. */
export async function insertRelease(db: Db, manifest: ReleaseManifest, actorId: string | null): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into agent_releases (version, manifest, uploaded_by)
    values (${manifest.version}, ${JSON.stringify(manifest)}::jsonb, ${actorId}) on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0) === 1;
}

export async function addFile(db: Db, version: string, filename: string): Promise<void> {
  await sql`insert into agent_release_files (version, filename)
    select r.version, ${filename} from agent_releases r where r.version = ${version} and r.withdrawn_at is null for update
    on conflict do nothing`.execute(db);
}

/** False when it was withdrawn before. */
export async function withdrawRelease(tx: Db, version: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update agent_releases set withdrawn_at = now() where version = ${version} and withdrawn_at is null`.execute(tx);
  await sql`delete from agent_release_files where version = ${version}`.execute(tx);
  return Number(numAffectedRows ?? 0) === 1;
}

interface RunningVersion {
  id: string;
  name: string;
  hostname: string;
  agent_version: string | null;
  last_seen_at: Date | null;
}

export async function runningVersions(db: Db, limit: number): Promise<RunningVersion[]> {
  const { rows } = await sql<RunningVersion>`select id, name, hostname, agent_version, last_seen_at from agents
    where revoked_at is null order by lower(name), id limit ${limit}`.execute(db);
  return rows;
}
