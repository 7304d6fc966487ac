import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

const shortestSeconds = 30;
/** Below the five minutes after which an agent counts as not connected. */
const longestSeconds = 240;
const perSecond = 100;
const countedForMs = 60_000;

/**
 * How long an agent waits before its next heartbeat. Thousands of agents wait longer, so that all together send about a hundred in a second.
 * A waiting poll shows in any case that an agent is connected.
 */
export function createHeartbeatPace(db: Db): () => Promise<number> {
  let counted: { at: number; seconds: Promise<number> } | undefined;
  return () => {
    if (counted === undefined || performance.now() - counted.at > countedForMs) {
      const seconds = countAgents(db).then(heartbeatSeconds);
      counted = { at: performance.now(), seconds };
      // The next heartbeat counts again.
      seconds.catch(() => {
        counted = undefined;
      });
    }
    return counted.seconds;
  };
}

export const heartbeatSeconds = (agents: number): number =>
  Math.min(longestSeconds, Math.max(shortestSeconds, Math.round(agents / perSecond)));

async function countAgents(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from agents
    where revoked_at is null and last_seen_at > now() - interval '5 minutes'`.execute(db);
  return rows[0]?.count ?? 0;
}
