import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

export type TransferState = 'pending' | 'uploading' | 'verifying' | 'staged' | 'failed' | 'expired';

export interface TransferRow {
  id: string;
  item_id: string;
  agent_id: string;
  command_id: string;
  state: TransferState;
  expected_size: number;
  expected_hash: string | null;
  verify: boolean;
  total_bytes: number | null;
  bytes_transferred: number;
  error: string | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  last_range_request_at: Date | null;
}

const columns = sql`t.id, t.item_id, t.agent_id, t.command_id, t.state, t.expected_size, t.expected_hash, t.verify, t.total_bytes,
  t.bytes_transferred, t.error, t.created_at, t.updated_at, t.expires_at, t.last_range_request_at`;

export async function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`select ${columns} from agent_transfers t where t.id = ${id}`.execute(db);
  return rows[0];
}

interface ListedTransfer extends TransferRow {
  rel_path: string;
  filename: string;
  agent_name: string;
}

/** Transfers of items that the caller may download, newest first. */
export async function listTransfers(
  db: Db,
  visibility: Visibility,
  { before, limit }: { before: string | null; limit: number },
): Promise<ListedTransfer[]> {
  const { rows } = await sql<ListedTransfer>`select ${columns}, i.rel_path, i.filename, a.name as agent_name
    from agent_transfers t join items i on i.id = t.item_id join agents a on a.id = t.agent_id
    where (${before}::uuid is null or t.id < ${before}) and ${visibility.whereItem('i')} and ${visibility.whereItem('i', 'download')}
    order by t.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function lockTransfer(tx: Db, agentId: string, id: string): Promise<TransferRow | undefined> {
  const { rows } =
    await sql<TransferRow>`select ${columns} from agent_transfers t where t.id = ${id} and t.agent_id = ${agentId} for update`.execute(tx);
  return rows[0];
}

export async function findByCommand(db: Db, agentId: string, commandId: string): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`select ${columns} from agent_transfers t
    where t.command_id = ${commandId} and t.agent_id = ${agentId}`.execute(db);
  return rows[0];
}

export async function findActive(db: Db, itemId: string): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`select ${columns} from agent_transfers t
    where t.item_id = ${itemId} and t.state in ('pending', 'uploading', 'verifying', 'staged')`.execute(db);
  return rows[0];
}

export type NewTransfer = Pick<TransferRow, 'id' | 'item_id' | 'agent_id' | 'command_id' | 'expected_size' | 'expected_hash' | 'verify'> & {
  ttlSeconds: number;
  requested_by: string | null;
};

/** Undefined when another transfer of the item is active. */
export async function insertTransfer(db: Db, transfer: NewTransfer): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`
    insert into agent_transfers as t (id, item_id, agent_id, command_id, expected_size, expected_hash, verify, requested_by, expires_at)
    values (${transfer.id}, ${transfer.item_id}, ${transfer.agent_id}, ${transfer.command_id}, ${transfer.expected_size}, ${transfer.expected_hash},
      ${transfer.verify}, ${transfer.requested_by}, now() + make_interval(secs => ${transfer.ttlSeconds}))
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0];
}

/** The space that staged files use and that running uploads will use. */
export async function reservedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select coalesce(sum(coalesce(t.total_bytes, t.expected_size)), 0)::bigint as n from agent_transfers t
    where t.state in ('pending', 'uploading', 'verifying', 'staged')`.execute(db);
  return one(rows).n;
}

export async function setState(db: Db, id: string, state: TransferState, error: string | null = null): Promise<void> {
  await sql`update agent_transfers set state = ${state}, error = ${error}, updated_at = now() where id = ${id}`.execute(db);
}

export async function setTotal(tx: Db, id: string, total: number): Promise<void> {
  await sql`update agent_transfers set total_bytes = ${total}, state = 'uploading', updated_at = now() where id = ${id}`.execute(tx);
}

export async function advance(tx: Db, id: string, bytes: number): Promise<void> {
  await sql`update agent_transfers set bytes_transferred = ${bytes}, updated_at = now() where id = ${id}`.execute(tx);
}

export async function stampRead(db: Db, id: string): Promise<void> {
  await sql`update agent_transfers set last_range_request_at = now() where id = ${id}`.execute(db);
}

/** Transfers whose command ended without the file become failed. Returns those that changed. */
export async function failAbandoned(db: Db, itemId: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update agent_transfers t set state = 'failed', updated_at = now(),
      error = coalesce(c.result ->> 'error', case c.status when 'cancelled' then 'The transfer was cancelled.' else 'The agent did not send the file in time.' end)
    from agent_commands c where c.id = t.command_id and c.status in ('failed', 'cancelled', 'expired')
      and t.state in ('pending', 'uploading') and (${itemId}::uuid is null or t.item_id = ${itemId}) returning t.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ends transfers past their time that nobody has read within the last hour. */
export async function expireTransfers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update agent_transfers t set state = 'expired', updated_at = now()
    where t.state in ('pending', 'uploading', 'verifying', 'staged') and t.expires_at <= now()
      and (t.last_range_request_at is null or t.last_range_request_at < now() - interval '1 hour') returning t.id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function purgeTransfers(db: Db, keptDays: number): Promise<void> {
  await sql`delete from agent_transfers where state in ('failed', 'expired') and updated_at < now() - make_interval(days => ${keptDays})`.execute(
    db,
  );
}

/** Of these ids, those whose file is still needed. */
export async function keptAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from agent_transfers where id = any(${ids}::uuid[])
    and state in ('pending', 'uploading', 'verifying', 'staged')`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
