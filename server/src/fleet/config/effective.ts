/**
 * The configuration of an agent: the groups it is in, merged key by key in the order of their priority; the later one wins. It is kept until
 * something changes that a configuration depends on, so a poll of an agent without news costs one query. Agents with the same groups share
 * one configuration.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { effectivePresets } from '../../catalog/presets/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { type AppliedGroup, configVersion, type GroupPolicy, groupsOf } from './store.ts';

export interface EffectiveConfig {
  generation: number;
  /** Changes with every change of the document. */
  hash: string;
  document: {
    presets: { name: string; patterns: string[] }[];
    exclude_globs: string[];
    include_globs: string[];
    content_hash_max_bytes: number;
    scan_interval_seconds: number | null;
    upload_bytes_per_second: number | null;
    read_bytes_per_second: number | null;
  } & Behaviour;
  groups: Omit<AppliedGroup, 'policy' | 'generation'>[];
  /** The group that decided each key; keys without one have their default. */
  provenance: Record<string, { group_id: string; name: string }>;
}

async function resolve(db: Db, settings: Settings, groups: readonly AppliedGroup[]): Promise<EffectiveConfig> {
  const merged: GroupPolicy = {};
  const provenance: EffectiveConfig['provenance'] = {};
  for (const { id, name, policy } of groups)
    for (const [key, value] of Object.entries(policy)) {
      Object.assign(merged, { [key]: value });
      provenance[key] = { group_id: id, name };
    }
  const { rows: custom } = await sql<{ name: string; patterns: string[] }>`select name, patterns from presets`.execute(db);
  const document = {
    presets: effectivePresets(merged.presets ?? [], custom).map(({ name, patterns }) => ({ name, patterns: [...patterns] })),
    exclude_globs: merged.exclude_globs ?? [],
    include_globs: merged.include_globs ?? [],
    content_hash_max_bytes: merged.content_hash_max_bytes ?? settings.scanHashFullMaxBytes,
    scan_interval_seconds: merged.scan_interval_seconds ?? null,
    upload_bytes_per_second: merged.upload_bytes_per_second ?? null,
    read_bytes_per_second: merged.read_bytes_per_second ?? null,
    ...behaviourOf(merged, settings),
  };
  return {
    generation: Math.max(0, ...groups.map(({ generation }) => generation)),
    hash: createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 12),
    document,
    groups: groups.map(({ policy: _policy, generation: _generation, ...group }) => group),
    provenance,
  };
}

export type ResolveConfig = (agentId: string) => Promise<EffectiveConfig>;

export function createConfigCache(db: Db, settings: Settings): ResolveConfig {
  let version: string | undefined;
  let byAgent = new Map<string, EffectiveConfig>();
  let byGroups = new Map<string, EffectiveConfig>();
  return async (agentId) => {
    // Read first, so that a change during the computation makes its result outdated.
    const now = await configVersion(db);
    if (now !== version) [version, byAgent, byGroups] = [now, new Map(), new Map()];
    const [agents, shared] = [byAgent, byGroups];
    const known = agents.get(agentId);
    if (known) return known;
    const groups = await groupsOf(db, agentId);
    const key = JSON.stringify(groups.map(({ id, version_used, via_rollout, because }) => [id, version_used, via_rollout, because]));
    const resolved = shared.get(key) ?? (await resolve(db, settings, groups));
    shared.set(key, resolved);
    agents.set(agentId, resolved);
    return resolved;
  };
}
