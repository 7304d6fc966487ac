/**
 * Checks of single files on the machines of agents: does the file still exist as it is catalogued, and has it still the same bytes? The
 * answer is compared here. A file that differs is not changed here, because changes of an agent's files arrive in order through replication:
 * the agent is asked to scan its library, and reports what it finds.
 */
import { sql } from 'kysely';
import type { ItemRow } from '../../catalog/items/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { complete, enqueueIn, requireOwn } from './service.ts';
import { announce, type CommandRow, insertCommand } from './store.ts';

const checkSeconds = 3600;
const scanSeconds = 21_600;

export async function requestCheck(db: Db, item: ItemRow, mode: 'stat' | 'rehash', actor: Actor): Promise<CommandRow> {
  const { source_agent_id: agentId } = item;
  if (agentId === null) throw problem('not_found', 'This file is not on the machine of an agent.');
  return db.transaction().execute((tx) =>
    enqueueIn(
      tx as Db,
      {
        agentId,
        kind: mode === 'stat' ? 'stat_check' : 'rehash_check',
        itemId: item.id,
        libraryIds: [item.library_id],
        payload: { library_ref: item.root_path, rel_path: item.rel_path },
        ttlSeconds: checkSeconds,
        requestedBy: actor.principalId,
      },
      actor,
    ),
  );
}

/** Ends a command. The result of a check says whether the file is as catalogued. */
export async function completeJudged(
  db: Db,
  agentId: string,
  id: string,
  ok: boolean,
  result: Record<string, unknown> | null,
): Promise<CommandRow> {
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const command = await requireOwn(tx, agentId, id);
    const matches = ok && result !== null && command.completed_at === null ? await judgeCheck(tx, command, result) : null;
    return complete(tx, agentId, id, ok, matches === null ? result : { ...result, matches });
  });
}

interface Known {
  library_id: string;
  root_path: string;
  size: number;
  mtime_ns: string;
  content_hash: string | null;
}

/** Whether the answer of the agent matches the catalog; null for other commands, and when the item is gone. */
async function judgeCheck(tx: Db, command: CommandRow, result: Record<string, unknown>): Promise<boolean | null> {
  if (command.kind !== 'stat_check' && command.kind !== 'rehash_check') return null;
  const { rows } = await sql<Known>`select i.library_id, l.root_path, i.size, i.mtime_ns::text as mtime_ns, i.content_hash
    from items i join libraries l on l.id = i.library_id where i.id = ${command.item_id} and l.source_agent_id = ${command.agent_id}`.execute(
    tx,
  );
  const [item] = rows;
  if (!item) return null;
  const unchanged = result['exists'] === true && result['size'] === item.size && result['mtime_ns'] === item.mtime_ns;
  const compared = command.kind === 'rehash_check' && item.content_hash !== null;
  const matches = unchanged && (!compared || result['content_hash'] === item.content_hash);
  if (matches && compared) await sql`update items set last_verified_at = now() where id = ${command.item_id}`.execute(tx);
  if (!matches) await askForScan(tx, command, item);
  return matches;
}

async function askForScan(tx: Db, { agent_id: agentId, requested_by: requestedBy }: CommandRow, item: Known): Promise<void> {
  const payload = { library_ref: item.root_path };
  const libraryIds = [item.library_id];
  await insertCommand(tx, { agentId, kind: 'rescan', itemId: null, libraryIds, payload, ttlSeconds: scanSeconds, requestedBy });
  await announce(tx, agentId);
}

interface AgentOfItem {
  id: string;
  name: string;
  revoked_at: Date | null;
  cert_fingerprint: string | null;
  online: boolean;
  last_seen_at: Date | null;
  checking: boolean;
}

export async function agentOfItem(db: Db, itemId: string, agentId: string): Promise<AgentOfItem | undefined> {
  const { rows } = await sql<AgentOfItem>`select a.id, a.name, a.revoked_at, a.cert_fingerprint, a.last_seen_at,
      a.revoked_at is null and coalesce(a.last_seen_at > now() - interval '300 seconds', false) as online,
      exists (select from agent_commands c where c.agent_id = a.id and c.item_id = ${itemId} and c.kind in ('stat_check', 'rehash_check')
        and c.status in ('pending', 'picked_up')) as checking
    from agents a where a.id = ${agentId}`.execute(db);
  return rows[0];
}
