import { toolsOf } from './host-tools.ts';
import { type AgentRow, statusOf } from './store.ts';
import type { TokenRow } from './token-store.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The same rule as `expectedAway`, which is written in SQL. */
const isExpectedAway = ({ health, capabilities }: AgentRow): boolean =>
  health?.['stopping'] === true || health?.['power'] === 'battery' || capabilities?.['portable'] === true;

/** What is known about a newer program for an agent. */
export interface UpdateState {
  update_available: boolean;
  update_target: string | null;
  update_hold: string | null;
  update_pending: boolean;
}

/** The part that knows releases, which is above this one. */
export type UpdatesOf = (agents: readonly AgentRow[]) => Promise<ReadonlyMap<string, UpdateState>>;

const noUpdate: UpdateState = { update_available: false, update_target: null, update_hold: null, update_pending: false };

export function presentAgent(row: AgentRow, groupIds: string[], update: UpdateState = noUpdate) {
  const { update_available, update_target, update_hold, update_pending } = update;
  return {
    id: row.id,
    name: row.name,
    hostname: row.hostname,
    platform: row.platform,
    status: statusOf(row),
    approved: row.approved_at !== null,
    cert_fingerprint: row.cert_fingerprint,
    cert_not_after: iso(row.cert_not_after),
    last_contiguous_seq_no: row.last_contiguous_seq_no,
    last_seen_at: iso(row.last_seen_at),
    last_batch_at: iso(row.last_batch_at),
    last_reconcile_at: iso(row.last_reconcile_at),
    last_auth_mode: row.last_auth_mode,
    last_address: row.last_address,
    agent_version: row.agent_version,
    update_available,
    update_target,
    update_hold,
    update_pending,
    config_generation_applied: row.config_generation_applied,
    config_group_ids: groupIds,
    labels: row.labels,
    expected_away: isExpectedAway(row),
    clone_seen_at: iso(row.clone_seen_at),
    clone_held_at: iso(row.clone_held_at),
    clone_kept_run: row.kept_run,
    clone_runs:
      row.clone_held_at === null
        ? []
        : row.runs
            .filter(({ turns }) => turns > 0)
            .map(({ run_id, address, hostname, seen_at }) => ({ run_id, address, hostname, seen_at })),
    tool_verdicts: Object.fromEntries(toolsOf(row.capabilities).map(({ name, verdict }) => [name, verdict])),
    capabilities: row.capabilities,
    capabilities_at: iso(row.capabilities_at),
    health: row.health,
    health_at: iso(row.health_at),
    revoked_at: iso(row.revoked_at),
    created_at: row.created_at.toISOString(),
  };
}

export function presentToken(row: TokenRow, now: Date) {
  const { token_hash, config_group_names, labels, hostname, network, requires_approval, consumed_by } = row;
  return {
    token_hash,
    config_group_names,
    labels,
    hostname,
    network,
    requires_approval,
    expires_at: row.expires_at.toISOString(),
    consumed_at: iso(row.consumed_at),
    consumed_by,
    created_at: row.created_at.toISOString(),
    status: row.consumed_at !== null ? ('consumed' as const) : row.expires_at <= now ? ('expired' as const) : ('active' as const),
  };
}
