import { sql } from 'kysely';
import { type Db, one } from '../../../platform/database/index.ts';
import type { ChannelRow } from '../tables.ts';

const columns = sql`id, name, type, config, enabled, created_at, last_delivered_at, last_error, failures`;

export async function listChannels(db: Db): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`select ${columns} from alert_channels order by lower(name)`.execute(db);
  return rows;
}

export async function findChannel(db: Db, id: string): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`select ${columns} from alert_channels where id = ${id}`.execute(db);
  return rows[0];
}

export async function countChannels(db: Db): Promise<number> {
  const { rows } = await sql<{ channels: number }>`select count(*) as channels from alert_channels`.execute(db);
  return one(rows).channels;
}

/** Undefined when the name is taken. */
export async function insertChannel(
  db: Db,
  row: Pick<ChannelRow, 'name' | 'type' | 'config' | 'enabled'>,
): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`insert into alert_channels (name, type, config, enabled)
    values (${row.name}, ${row.type}, ${JSON.stringify(row.config)}::jsonb, ${row.enabled}) on conflict do nothing returning ${columns}`.execute(
    db,
  );
  return rows[0];
}

/** Undefined when the name is taken. A changed configuration starts without the errors of the old one. */
export async function updateChannel(db: Db, row: Pick<ChannelRow, 'id' | 'name' | 'config' | 'enabled'>): Promise<ChannelRow | undefined> {
  const { rows } =
    await sql<ChannelRow>`update alert_channels set name = ${row.name}, config = ${JSON.stringify(row.config)}::jsonb, enabled = ${row.enabled},
      last_error = null, failures = 0
    where id = ${row.id} and not exists (select from alert_channels o where lower(o.name) = lower(${row.name}) and o.id <> ${row.id}) returning ${columns}`.execute(
      db,
    );
  return rows[0];
}

/** A webhook whose address is stored in plain text. */
export async function lockPlainWebhook(db: Db): Promise<ChannelRow | undefined> {
  const { rows } =
    await sql<ChannelRow>`select ${columns} from alert_channels where type = 'webhook' and config ? 'url' order by id limit 1 for update`.execute(
      db,
    );
  return rows[0];
}

export async function setConfig(db: Db, id: string, config: ChannelRow['config']): Promise<void> {
  await sql`update alert_channels set config = ${JSON.stringify(config)}::jsonb where id = ${id}`.execute(db);
}

export async function deleteChannel(db: Db, id: string): Promise<void> {
  await sql`delete from alert_channels where id = ${id}`.execute(db);
}

/** Waits for transactions that make a rule or a schedule use the channel. False when it is gone. */
export async function lockChannel(trx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from alert_channels where id = ${id} for update`.execute(trx);
  return rows.length > 0;
}

/** The names of the rules that send to a channel or escalate to it. */
export async function rulesOfChannel(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from alert_rules where ${id}::uuid = any(channel_ids || escalate_channel_ids) order by lower(name), id`.execute(db);
  return rows.map(({ name }) => name);
}

/** Those that do not exist. The others cannot be deleted until the transaction ends. */
export async function missingChannels(trx: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`with existing as (select id from alert_channels where id = any(${ids}::uuid[]) for key share)
    select id from unnest(${ids}::uuid[]) as id where id not in (select id from existing)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Remembers how the last message went, for the list of channels. */
export async function recordDelivery(db: Db, id: string, { ok, detail }: { ok: boolean; detail: string }): Promise<void> {
  await sql`update alert_channels set last_delivered_at = case when ${ok} then now() else last_delivered_at end,
      last_error = case when ${ok} then null else ${detail}::text end, failures = case when ${ok} then 0 else failures + 1 end
    where id = ${id}`.execute(db);
}
