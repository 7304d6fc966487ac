import { sql } from 'kysely';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { auditOf } from '../agents/index.ts';
import { enqueueIn } from './service.ts';
import { type CommandRow, findOwnCommand } from './store.ts';

const suspendSeconds = 86_400;

/** Pauses or resumes the scans of an agent. A request that the agent has not taken yet is replaced. */
export async function suspendAgent(
  db: Db,
  agentId: string,
  libraryIds: readonly string[],
  suspended: boolean,
  actor: Actor,
): Promise<CommandRow> {
  const payload = { suspended };
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const { rows } = await sql<{ id: string }>`update agent_commands set payload = ${JSON.stringify(payload)}::jsonb, updated_at = now(),
      expires_at = now() + make_interval(secs => ${suspendSeconds}), requested_by = ${actor.principalId}
      where agent_id = ${agentId} and kind = 'suspend' and status = 'pending' returning id`.execute(tx);
    const replaced = rows[0] && (await findOwnCommand(tx, agentId, rows[0].id));
    if (!replaced)
      return enqueueIn(
        tx,
        { agentId, kind: 'suspend', itemId: null, libraryIds, payload, ttlSeconds: suspendSeconds, requestedBy: actor.principalId },
        actor,
      );
    const details = { agent_id: agentId, command_id: replaced.id, kind: 'suspend' };
    await recordEvent(tx, { event_type: 'agent_command_enqueued', ...auditOf(actor), details });
    return replaced;
  });
}
