import type { ConfigRollout, ReleaseRollout } from '../../api/types.ts';
import { t } from '../../language/text.ts';

export const platformNames: Record<string, string> = { linux: 'Linux', macos: 'macOS', windows: 'Windows' };

/** A rollout of a release or of settings, as one card shows it. */
export interface RolloutView extends Pick<ConfigRollout, 'id' | 'status' | 'tiers' | 'current_tier' | 'max_failed_percent' | 'agents'> {
  kind: 'release' | 'settings';
  title: string;
  startedAt: string | null;
  startsAt: string;
  finishedAt: string | null;
  nextAt: string | null;
  actor: string | null;
  reason: string | null;
  /** Releases only: how long an agent must work with the program. */
  healthMinutes: number | null;
  /** Releases only: agents that run the version. */
  running: number;
  paused: boolean;
  /** Releases only: which agents it is for; null when it is for all. */
  target: ReleaseRollout['target'] | null;
}

const common = ({ id, status, tiers, current_tier, max_failed_percent, agents, ...rest }: ConfigRollout | ReleaseRollout) => ({
  id,
  status,
  tiers,
  current_tier,
  max_failed_percent,
  agents,
  startedAt: rest.started_at,
  startsAt: rest.starts_at,
  finishedAt: rest.finished_at,
  nextAt: rest.next_promotion_at,
  actor: rest.actor,
  reason: rest.reason,
  paused: rest.paused_at !== null,
});

export const viewOfRelease = (rollout: ReleaseRollout): RolloutView => ({
  ...common(rollout),
  kind: 'release',
  title: t('Update to {version}', { version: rollout.release_version }),
  healthMinutes: rollout.health_minutes,
  running: rollout.running_count,
  target: Object.values(rollout.target).some((part) => part.length > 0) ? rollout.target : null,
});

export const viewOfConfig = (rollout: ConfigRollout): RolloutView => ({
  ...common(rollout),
  kind: 'settings',
  title: t('Settings of {group}', { group: rollout.group_name }),
  healthMinutes: null,
  running: 0,
  target: null,
});

const shownForMs = 86_400_000;

/** What needs a card: rollouts under way, and those that stopped themselves within a day unless another one followed. */
export function rolloutsToShow(all: readonly RolloutView[], now: number): RolloutView[] {
  const newest = new Map<string, RolloutView>();
  for (const rollout of all) if (!newest.has(rollout.title)) newest.set(rollout.title, rollout);
  return [...newest.values()].filter(
    ({ status, finishedAt }) =>
      status === 'running' ||
      status === 'scheduled' ||
      (status === 'stopped' && finishedAt !== null && now - Date.parse(finishedAt) < shownForMs),
  );
}

export interface StepView {
  percent: number;
  delayMinutes: number;
  state: 'done' | 'current' | 'waiting';
}

export const stepsOf = ({ tiers, current_tier, status }: Pick<RolloutView, 'tiers' | 'current_tier' | 'status'>): StepView[] =>
  tiers.map(({ percent, delay_minutes }, at) => ({
    percent,
    delayMinutes: delay_minutes,
    state: at + 1 < current_tier || status === 'completed' ? 'done' : at + 1 === current_tier ? 'current' : 'waiting',
  }));
