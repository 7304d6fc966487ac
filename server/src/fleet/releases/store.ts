import type { ReleaseManifest } from '@catalog/protocol';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { bucketOf } from '../config/index.ts';
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

interface Offered {
  version: string;
  manifest: ReleaseManifest;
}

/**
 * What an agent may install: releases without a rollout, and those whose newest rollout has completed or covers it. A request for one agent
 * passes every rollout.
 */
export async function offeredReleases(db: Db, agentId: string, platform: string, arch: string): Promise<Offered[]> {
  const { rows } = await sql<Offered>`select v.version, v.manifest from agent_releases v
    left join lateral (select r.status, r.percent, r.target_platforms, r.target_labels from agent_release_rollouts r where r.version = v.version order by r.id desc limit 1) r on true
    where ${releaseReady} and ${isFor(platform, arch)}
      and (r.status is null
        or ((r.status = 'completed' or (r.status = 'running' and ${bucketOf(sql`${agentId}::uuid`)} < r.percent))
          and (cardinality(r.target_platforms) = 0 or ${platform} = any(r.target_platforms))
          and r.target_labels <@ (select a.labels from agents a where a.id = ${agentId}))
        or exists (select from agent_commands c where c.agent_id = ${agentId} and c.kind = 'self_update'
          and c.status in ('pending', 'picked_up') and c.payload ->> 'target' = v.version and not c.payload ? 'rollout_id'))`.execute(db);
  return rows;
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
