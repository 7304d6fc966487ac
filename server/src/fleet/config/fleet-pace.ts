import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** What a heartbeat tells agents about how often to send requests. */
export interface FleetPace {
  heartbeatSeconds: number;
  /** How long a poll for commands stays open. */
  pollSeconds: number;
}

/** Heartbeats come often enough for an agent to count as connected, which ends after five minutes. */
const heartbeats = { shortest: 30, longest: 240, perSecond: 100 };
/** An agent that has changed networks notices only at the end of its poll, so polls are not much longer than usual. */
const polls = { shortest: 50, longest: 120, perSecond: 80 };
const countedForMs = 60_000;

/** Thousands of agents send requests less often, so that all together send about two hundred in a second. */
export function createFleetPace(db: Db): () => Promise<FleetPace> {
  let counted: { at: number; pace: Promise<FleetPace> } | undefined;
  return () => {
    if (counted === undefined || performance.now() - counted.at > countedForMs) {
      const pace = countAgents(db).then(paceOf);
      counted = { at: performance.now(), pace };
      // The next heartbeat counts again.
      pace.catch(() => {
        counted = undefined;
      });
    }
    return counted.pace;
  };
}

export function paceOf(agents: number): FleetPace {
  const secondsFor = ({ shortest, longest, perSecond }: typeof polls): number =>
    Math.min(longest, Math.max(shortest, Math.round(agents / perSecond)));
  return { heartbeatSeconds: secondsFor(heartbeats), pollSeconds: secondsFor(polls) };
}

async function countAgents(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from agents
    where revoked_at is null and last_seen_at > now() - interval '5 minutes'`.execute(db);
  return rows[0]?.count ?? 0;
}
