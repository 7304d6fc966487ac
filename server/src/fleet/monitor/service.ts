/**
 * Conditions of agents, for the alert rules: `offline` when an agent has not been seen for SVC_AGENT_OFFLINE_ALERT_SECONDS, `stalled` when
 * it is connected but its changes have not arrived for SVC_AGENT_REPLICATION_STALL_ALERT_SECONDS. An agent without waiting changes is quiet,
 * not stalled. A machine that is expected to be away is asleep: it counts as offline only after a multiple of that time. An agent is
 * `cloned` while its changes are held back because two machines use its identity. A condition is raised at every pass while it lasts, and
 * once more when it has ended. Each pass also notes how many changes wait at each agent.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import type { Settings } from '../../settings/index.ts';
import { expectedAway, raiseClone } from '../agents/index.ts';

const awayFactor = 7;
const keptDays = 7;

interface Watched {
  id: string;
  name: string;
  offline: boolean;
  stalled: boolean;
  was_offline: boolean;
  was_stalled: boolean;
  cloned: boolean;
  was_cloned: boolean;
}

export async function watchAgents(db: Db, settings: Settings): Promise<{ offline: number; stalled: number; cloned: number }> {
  const found = await findConcerned(db, settings.agentOfflineAlertSeconds, settings.agentReplicationStallAlertSeconds);
  for (const { id, name, offline, stalled, cloned, was_offline, was_stalled, was_cloned } of found)
    await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db;
      const raise = (kind: 'agent_offline' | 'agent_replication_stalled', firing: boolean, message: string) =>
        raiseSystemEvent(tx, { kind, subject: id, status: firing ? 'firing' : 'recovered', message, facts: { agent_id: id, agent: name } });
      if (offline || was_offline)
        await raise(
          'agent_offline',
          offline,
          offline ? `The agent ${name} has not been seen for a long time.` : `The agent ${name} is back.`,
        );
      if (stalled || was_stalled)
        await raise(
          'agent_replication_stalled',
          stalled,
          stalled ? `Changes of the agent ${name} have been waiting for a long time.` : `Changes of the agent ${name} arrive again.`,
        );
      if (cloned || was_cloned) await raiseClone(tx, id, name, cloned);
      await noteConditions(tx, id, { offline, stalled, cloned });
    });
  await noteLag(db);
  const count = (condition: 'offline' | 'stalled' | 'cloned'): number => found.filter((each) => each[condition]).length;
  return { offline: count('offline'), stalled: count('stalled'), cloned: count('cloned') };
}

/** Agents with a condition now or at the last pass. One that was never seen is still being set up. */
async function findConcerned(db: Db, offlineSeconds: number, stallSeconds: number): Promise<Watched[]> {
  const { rows } = await sql<Watched>`
    with seen as (
      select id, name, reported_offline as was_offline, reported_stalled as was_stalled, reported_cloned as was_cloned,
        revoked_at is null as watched, clone_held_at is not null as held,
        last_seen_at < now() - make_interval(secs => ${offlineSeconds}::double precision * case when ${expectedAway} then ${awayFactor} else 1 end) as silent,
        case when jsonb_typeof(health -> 'outbox_pending') = 'number' then (health ->> 'outbox_pending')::numeric > 0 else false end
          and greatest(last_batch_at, last_reconcile_at, created_at) < now() - make_interval(secs => ${stallSeconds}) as late
      from agents where cert_fingerprint is not null and last_seen_at is not null),
    judged as (
      select id, name, was_offline, was_stalled, was_cloned, watched and silent as offline,
        watched and not silent and late and not held as stalled, watched and held as cloned from seen)
    select * from judged where offline or stalled or cloned or was_offline or was_stalled or was_cloned order by id`.execute(db);
  return rows;
}

async function noteConditions(tx: Db, id: string, now: Pick<Watched, 'offline' | 'stalled' | 'cloned'>): Promise<void> {
  await sql`update agents set reported_offline = ${now.offline}, reported_stalled = ${now.stalled}, reported_cloned = ${now.cloned}
    where id = ${id} and (reported_offline, reported_stalled, reported_cloned)
      is distinct from (${now.offline}::boolean, ${now.stalled}::boolean, ${now.cloned}::boolean)`.execute(tx);
}

const waiting = sql`least(2147483647, (health ->> 'outbox_pending')::numeric)::integer`;

/** Keeps the most waiting changes of each hour, for a week. Agents that are away report nothing, which leaves a gap. */
async function noteLag(db: Db): Promise<void> {
  await sql`insert into agent_lag (agent_id, hour, waiting)
    select id, date_trunc('hour', now()), ${waiting} from agents
    where revoked_at is null and last_seen_at > now() - interval '10 minutes' and jsonb_typeof(health -> 'outbox_pending') = 'number'
      and (health ->> 'outbox_pending')::numeric >= 0
    on conflict (agent_id, hour) do update set waiting = greatest(agent_lag.waiting, excluded.waiting)`.execute(db);
  await sql`delete from agent_lag where hour < now() - make_interval(days => ${keptDays})`.execute(db);
}

/** Oldest first; hours in which the agent was away are left out. */
export async function readLag(db: Db, agentId: string): Promise<{ hour: Date; waiting: number }[]> {
  const { rows } = await sql<{
    hour: Date;
    waiting: number;
  }>`select hour, waiting from agent_lag where agent_id = ${agentId} order by hour`.execute(db);
  return rows;
}
