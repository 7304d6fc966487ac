import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

export type CommandKind =
  | 'rescan'
  | 'inventory'
  | 'reconcile'
  | 'stage_upload'
  | 'self_update'
  | 'suspend'
  | 'stat_check'
  | 'rehash_check'
  | 'reextract'
  | 'rehash_sweep'
  | 'agent_maintenance';
export type CommandStatus = 'pending' | 'picked_up' | 'done' | 'failed' | 'expired' | 'cancelled';

export interface CommandRow {
  id: string;
  agent_id: string;
  kind: CommandKind;
  item_id: string | null;
  library_ids: string[];
  payload: Record<string, unknown>;
  status: CommandStatus;
  attempts: number;
  progress: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  requested_by: string | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  picked_up_at: Date | null;
  completed_at: Date | null;
}

const columns = sql`c.id, c.agent_id, c.kind, c.item_id, c.library_ids, c.payload, c.status, c.attempts, c.progress, c.result, c.requested_by,
  c.created_at, c.updated_at, c.expires_at, c.picked_up_at, c.completed_at`;

/** Seconds after which a delivered command is delivered again, unless the agent acknowledges it. */
const leaseSeconds = 300;
const maxDeliveries = 5;
/** Every change that an agent should learn of at once is announced here, with its id. */
export const commandChannel = 'agent_commands';

/** A command is visible to callers who see the item it names, or the whole of every library it concerns. */
function visibleTo(visibility: Visibility): RawBuilder<boolean> {
  if (visibility.unrestricted) return sql<boolean>`true`;
  const { whole } = visibility.split('i');
  const all = whole === 'all' ? sql<boolean>`true` : sql<boolean>`c.library_ids <@ ${whole}::uuid[]`;
  return sql<boolean>`case when c.item_id is null then cardinality(c.library_ids) > 0 and ${all}
    else exists (select from items i where i.id = c.item_id and ${visibility.whereItem('i')}) end`;
}

export interface CommandFilter {
  agentId?: string | undefined;
  status?: CommandStatus | undefined;
  kind?: CommandKind | undefined;
  before?: string | undefined;
  limit: number;
}

export async function listCommands(db: Db, visibility: Visibility, filter: CommandFilter): Promise<CommandRow[]> {
  const { agentId = null, status = null, kind = null, before = null, limit } = filter;
  const { rows } = await sql<CommandRow>`select ${columns} from agent_commands c
    where (${agentId}::uuid is null or c.agent_id = ${agentId}) and (${status}::text is null or c.status = ${status})
      and (${kind}::text is null or c.kind = ${kind}) and (${before}::uuid is null or c.id < ${before}) and ${visibleTo(visibility)}
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findCommand(db: Db, visibility: Visibility, id: string): Promise<CommandRow | undefined> {
  const { rows } = await sql<CommandRow>`select ${columns} from agent_commands c where c.id = ${id} and ${visibleTo(visibility)}`.execute(
    db,
  );
  return rows[0];
}

export async function findOwnCommand(db: Db, agentId: string, id: string): Promise<CommandRow | undefined> {
  const { rows } = await sql<CommandRow>`select ${columns} from agent_commands c where c.id = ${id} and c.agent_id = ${agentId}`.execute(
    db,
  );
  return rows[0];
}

export async function countOpen(db: Db, agentId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from agent_commands c
    where c.agent_id = ${agentId} and c.status in ('pending', 'picked_up')`.execute(db);
  return one(rows).n;
}

export interface NewCommand {
  agentId: string;
  kind: CommandKind;
  itemId: string | null;
  libraryIds: readonly string[];
  payload: object;
  ttlSeconds: number;
  requestedBy: string | null;
}

/** Null when one of the kind is still open. */
export async function insertCommand(db: Db, command: NewCommand): Promise<CommandRow | null> {
  const { rows } = await sql<CommandRow>`
    insert into agent_commands as c (agent_id, kind, item_id, library_ids, payload, requested_by, expires_at)
    values (${command.agentId}, ${command.kind}, ${command.itemId}, ${command.libraryIds}::uuid[], ${JSON.stringify(command.payload)}::jsonb,
      ${command.requestedBy}, now() + make_interval(secs => ${command.ttlSeconds}))
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** Adds the same command for many agents; leaves out those with an open one of the kind. Returns the agents, which are woken. */
export async function insertForAgents(
  tx: Db,
  agentIds: readonly string[],
  { kind, payload, ttlSeconds, requestedBy }: Pick<NewCommand, 'kind' | 'payload' | 'ttlSeconds' | 'requestedBy'>,
): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    with added as (
      insert into agent_commands (agent_id, kind, payload, requested_by, expires_at)
      select each, ${kind}, ${JSON.stringify(payload)}::jsonb, ${requestedBy}, now() + make_interval(secs => ${ttlSeconds})
      from unnest(${agentIds}::uuid[]) as each on conflict do nothing returning agent_id)
    select agent_id, pg_notify(${commandChannel}, agent_id::text) from added`.execute(tx);
  return rows.map(({ agent_id }) => agent_id);
}

/** Wakes the poll of the agent, in whatever process it waits, when the transaction ends. */
export async function announce(db: Db, agentId: string): Promise<void> {
  await sql`select pg_notify(${commandChannel}, ${agentId})`.execute(db);
}

/**
 * Hands out open commands, oldest first. One that was handed out before is handed out again when the agent does not know of it: the answer
 * was lost, or the agent was restarted.
 */
export async function takeCommands(db: Db, agentId: string, working: readonly string[] | null, max: number): Promise<CommandRow[]> {
  const { rows } = await sql<CommandRow>`
    with due as (
      select o.id from agent_commands o join agents a on a.id = o.agent_id and a.revoked_at is null
      where o.agent_id = ${agentId} and o.expires_at > now() and o.attempts < ${maxDeliveries}
        and (o.status = 'pending' or (o.status = 'picked_up' and ${working !== null} and not o.id = any(${working ?? []}::uuid[])))
      order by o.id limit ${max} for update of o skip locked)
    update agent_commands c set status = 'picked_up', attempts = c.attempts + 1, picked_up_at = coalesce(c.picked_up_at, now()),
      lease_until = now() + make_interval(secs => ${leaseSeconds}), updated_at = now()
    from due where c.id = due.id returning ${columns}`.execute(db);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Commands on which the agent works although they have ended. */
export async function endedAmong(db: Db, agentId: string, working: readonly string[]): Promise<CommandRow[]> {
  if (working.length === 0) return [];
  const { rows } = await sql<CommandRow>`select ${columns} from agent_commands c
    where c.agent_id = ${agentId} and c.id = any(${working}::uuid[]) and c.status in ('cancelled', 'expired', 'failed')`.execute(db);
  return rows;
}

export async function acknowledge(db: Db, agentId: string, id: string, progress: object | null): Promise<CommandRow | undefined> {
  const { rows } =
    await sql<CommandRow>`update agent_commands c set lease_until = now() + make_interval(secs => ${leaseSeconds}), updated_at = now(),
      progress = coalesce(${progress && JSON.stringify(progress)}::jsonb, c.progress)
    where c.id = ${id} and c.agent_id = ${agentId} and c.status = 'picked_up' returning ${columns}`.execute(db);
  return rows[0];
}

/** Ends an open command; undefined when it has ended before. */
export async function endCommand(
  db: Db,
  id: string,
  status: 'done' | 'failed' | 'cancelled',
  result: object | null,
): Promise<CommandRow | undefined> {
  const { rows } =
    await sql<CommandRow>`update agent_commands c set status = ${status}, completed_at = now(), updated_at = now(), lease_until = null,
      result = coalesce(${result && JSON.stringify(result)}::jsonb, c.result)
    where c.id = ${id} and c.status in ('pending', 'picked_up') returning ${columns}`.execute(db);
  return rows[0];
}

/** Ends what is too old or was handed out too often, and takes back what is not acknowledged any more. Returns the agents concerned. */
export async function sweepCommands(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    with due as (
      select o.id, o.expires_at <= now() as late from agent_commands o
      where o.status in ('pending', 'picked_up') and (o.expires_at <= now() or o.lease_until <= now()) limit ${limit} for update skip locked)
    update agent_commands c set updated_at = now(), lease_until = null,
      status = case when due.late then 'expired' when c.attempts >= ${maxDeliveries} then 'failed' else 'pending' end,
      completed_at = case when due.late or c.attempts >= ${maxDeliveries} then now() end,
      result = case when not due.late and c.attempts >= ${maxDeliveries} then '{"error": "The agent took the command several times and never completed it."}'::jsonb
        else c.result end
    from due where c.id = due.id returning c.agent_id`.execute(db);
  return [...new Set(rows.map(({ agent_id }) => agent_id))];
}

export async function purgeCommands(db: Db, keptDays: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from agent_commands where completed_at < now() - make_interval(days => ${keptDays})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** Returns false when the inventory is stored already. */
export async function insertInventory(db: Db, commandId: string, body: Buffer, entries: number): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into agent_inventories (command_id, body, entries) values (${commandId}, ${body}, ${entries})
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

export async function findInventory(db: Db, commandId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer }>`select body from agent_inventories where command_id = ${commandId}`.execute(db);
  return rows[0]?.body;
}

/** How many agents report each collector. What they report comes from other machines and may be anything. */
export async function countCollectors(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`select c.name, count(distinct a.id) as n
    from agents a, jsonb_array_elements_text(case jsonb_typeof(a.capabilities -> 'inventory_collectors')
      when 'array' then a.capabilities -> 'inventory_collectors' else '[]' end) as c (name)
    where a.revoked_at is null group by c.name`.execute(db);
  return new Map(rows.map(({ name, n }) => [name, n]));
}
