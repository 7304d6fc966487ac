/**
 * Two machines use one identity, usually because a disk was copied: each would undo what the other reports. States:
 *
 * none   -> held: two runs of the program took turns three times within an hour. Changes and comparisons of both are refused, and no command is
 *           delivered, until an administrator decides
 * held   -> chosen: the administrator names the machine that keeps the identity; -> none: the administrator says that only one is left
 * chosen -> none: the chosen machine has made a new key. The other one does not hold it, is refused, and has to be enrolled again
 */
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { auditOf } from './enrolment.ts';
import { type AgentRow, keepRun, lockAgent, releaseClone } from './store.ts';

export async function reportClone(db: Db, { id, name, last_address }: AgentRow, actor: Actor): Promise<void> {
  const addresses = [...new Set([actor.ip, last_address])];
  await recordEvent(db, { event_type: 'agent_clone_seen', ...auditOf(actor), details: { agent_id: id, name, addresses } });
}

export async function raiseClone(tx: Db, id: string, name: string, firing: boolean): Promise<void> {
  const message = firing
    ? `Two machines use the identity of the agent ${name}. Changes of both are held back until you choose which one keeps it.`
    : `Only one machine uses the identity of the agent ${name} again.`;
  await raiseSystemEvent(tx, {
    kind: 'agent_cloned',
    subject: id,
    status: firing ? 'firing' : 'recovered',
    message,
    facts: { agent_id: id, agent: name },
  });
}

/** Refuses changes of an agent while they are held back. */
export function requireNoClone({ clone_held_at }: Pick<AgentRow, 'clone_held_at'>): void {
  if (clone_held_at !== null) throw problem('agent_cloned', undefined, { retryAfter: 60 });
}

/** Without a run, only one machine is left. */
export async function resolveClone({ db, settings }: Dependencies, id: string, keptRun: string | null, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const agent = await lockAgent(tx, id);
    if (!agent) throw notFound('agent');
    if (agent.revoked_at !== null || agent.clone_held_at === null) throw problem('conflict', 'No changes of this agent are held back.');
    if (keptRun !== null && settings.caUrl !== undefined)
      throw problem('conflict', 'Keys are certified by another authority here. Stop one of the machines and enrol it again.');
    if (keptRun !== null && !agent.runs.some(({ run_id }) => run_id === keptRun))
      throw fieldProblem(['body', 'keep_run_id'], 'No machine reported with this run lately.', 'keep_run_id');
    if (keptRun === null) await releaseClone(tx, id);
    else await keepRun(tx, id, keptRun);
    const details = { agent_id: id, name: agent.name, kept_run: keptRun };
    await recordEvent(tx, { event_type: 'agent_clone_resolved', ...auditOf(actor), details });
  });
}
