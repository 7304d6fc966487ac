import { CircleCheck, Copy, Gauge, Hourglass, type LucideIcon, MoonStar, PlugZap, ShieldX } from 'lucide-react';
import type { Agent, ConfigGroup } from '../../api/types.ts';
import type { Tone } from '../../components/status.tsx';
import { formatCount } from '../../format/numbers.ts';
import { inSentence, t } from '../../language/text.ts';

export interface AgentState {
  name: 'connected' | 'behind' | 'asleep' | 'offline' | 'cloned' | 'waiting' | 'pending' | 'revoked';
  label: string;
  tone: Tone;
  icon: LucideIcon;
}

/** An agent reports every half minute; after five minutes of silence it counts as offline. */
const offlineAfterMs = 300_000;
/** Changes that wait longer than this make an agent late. */
const behindAfterMs = 60_000;

/** Changes of files that the agent has noticed and not sent yet. */
export function waitingChanges({ health }: Pick<Agent, 'health'>): number {
  return Number(health?.['outbox_pending'] ?? 0);
}

/** For how many seconds the service has not known what changed: since the oldest waiting change, or since a silent agent was last seen. */
export function lagOf(agent: Agent, now: number): number | null {
  const seen = agent.last_seen_at === null ? null : (now - Date.parse(agent.last_seen_at)) / 1000;
  if (seen !== null && seen * 1000 > offlineAfterMs) return seen;
  const reported = agent.health?.['lag_seconds'];
  return typeof reported === 'number' ? reported : null;
}

/** Bytes of files that the agent read per second for their checksums before its last report; null while it reads none. */
export function readsOf({ health }: Pick<Agent, 'health'>): number | null {
  return Number(health?.['read_bytes_per_second'] ?? 0) || null;
}

export function stateOf(agent: Agent, now: number): AgentState {
  if (agent.status === 'revoked') return { name: 'revoked', label: t('Revoked'), tone: 'idle', icon: ShieldX };
  if (!agent.approved) return { name: 'waiting', label: t('Waits for approval'), tone: 'warn', icon: Hourglass };
  if (agent.status === 'pending') return { name: 'pending', label: t('Enrolling'), tone: 'active', icon: Hourglass };
  if (agent.clone_held_at !== null) return { name: 'cloned', label: t('Used twice'), tone: 'danger', icon: Copy };
  const seen = agent.last_seen_at === null ? 0 : Date.parse(agent.last_seen_at);
  if (now - seen > offlineAfterMs && agent.expected_away) return { name: 'asleep', label: t('Asleep'), tone: 'idle', icon: MoonStar };
  if (now - seen > offlineAfterMs) return { name: 'offline', label: t('Offline'), tone: 'danger', icon: PlugZap };
  if (isBehind(agent, now)) return { name: 'behind', label: t('Behind'), tone: 'warn', icon: Gauge };
  return { name: 'connected', label: t('Connected'), tone: 'ok', icon: CircleCheck };
}

function isBehind(agent: Agent, now: number): boolean {
  const lag = lagOf(agent, now);
  if (lag !== null) return lag * 1000 > behindAfterMs;
  // An agent of an earlier version does not report its lag.
  const sent = agent.last_batch_at === null ? 0 : Date.parse(agent.last_batch_at);
  return waitingChanges(agent) > 0 && now - sent > behindAfterMs;
}

/** What needs somebody comes first. */
const urgency: AgentState['name'][] = ['cloned', 'offline', 'behind', 'waiting', 'pending', 'connected', 'asleep', 'revoked'];

/** An agent was added to the group, or the group applies to its platform and labels. */
function isMember({ config_group_ids, platform, labels }: Agent, { id, is_system, target }: ConfigGroup): boolean {
  if (is_system) return false;
  if (config_group_ids.includes(id)) return true;
  if (target.platforms.length + target.labels.length === 0) return false;
  const fits = target.platforms.length === 0 || target.platforms.some((each) => each === platform);
  return fits && target.labels.every((label) => labels.includes(label));
}

export interface Sectioned {
  agents: Agent[];
  sectionOf(agent: Agent): string;
}

/** Agents in sections: by state, or by the group whose settings win. An agent that is in no group comes last. */
export function sectionsOf(agents: readonly Agent[], by: 'group' | 'state', groups: readonly ConfigGroup[], now: number): Sectioned {
  const places = new Map<string, { label: string; at: number }>();
  for (const agent of agents) {
    const state = stateOf(agent, now);
    const own = groups.filter((group) => isMember(agent, group));
    const winner = own.sort((a, b) => b.priority - a.priority)[0];
    places.set(
      agent.id,
      by === 'state'
        ? { label: state.label, at: urgency.indexOf(state.name) }
        : winner
          ? { label: winner.name, at: groups.indexOf(winner) }
          : { label: t('In no group'), at: groups.length },
    );
  }
  const placeOf = ({ id }: Agent): number => places.get(id)?.at ?? 0;
  return { agents: agents.toSorted((a, b) => placeOf(a) - placeOf(b)), sectionOf: ({ id }) => places.get(id)?.label ?? '' };
}

/** “12 agents: 9 connected, 1 behind, 2 offline” */
export function summaryOf(agents: readonly Agent[], total: number, now: number): string {
  const counts = new Map<string, number>();
  for (const agent of agents) {
    const { label } = stateOf(agent, now);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const agentCount = t('{n|# agent|# agents}', { n: total });
  const states = [...counts].map(([label, count]) => `${formatCount(count)} ${inSentence(label)}`).join(', ');
  return states ? t('{agents}: {states}', { agents: agentCount, states }) : agentCount;
}
