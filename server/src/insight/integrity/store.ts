import { type RawBuilder, sql } from 'kysely';
import { verifiedTotalRows } from '../../catalog/counts/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

export interface IntegritySettings {
  enabled: boolean;
  bytes_per_day: number;
  rate_mbps: number;
  every_days: number;
  library_ids: string[] | null;
}

export async function readSettings(db: Db): Promise<IntegritySettings> {
  const { rows } =
    await sql<IntegritySettings>`select enabled, bytes_per_day, rate_mbps, every_days, library_ids from integrity_settings`.execute(db);
  return one(rows);
}

export async function writeSettings(db: Db, next: IntegritySettings): Promise<void> {
  await sql`update integrity_settings set enabled = ${next.enabled}, bytes_per_day = ${next.bytes_per_day}, rate_mbps = ${next.rate_mbps},
    every_days = ${next.every_days}, library_ids = ${next.library_ids}::uuid[]`.execute(db);
}

/** Bytes that may still be read today. */
export async function budgetLeft(db: Db): Promise<number> {
  const { rows } = await sql<{
    left: number;
  }>`select bytes_per_day - case when day = (now() at time zone 'UTC')::date then bytes_today else 0 end as left
    from integrity_settings`.execute(db);
  return one(rows).left;
}

export async function spend(db: Db, bytes: number): Promise<void> {
  await sql`update integrity_settings set bytes_today = case when day = (now() at time zone 'UTC')::date then bytes_today else 0 end + ${bytes},
    day = (now() at time zone 'UTC')::date`.execute(db);
}

export interface VerifiableItem {
  id: string;
  library_id: string;
  root_path: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
  inode: number | null;
  content_hash: string;
  /** When it was read last, as exactly as it is stored. */
  read_at: string;
}

const readAt = sql`coalesce(i.last_verified_at, i.first_seen)`;

/** Files whose last reading is the oldest, after this one. Those with an open event, links and libraries of other machines are left out. */
export async function oldestItems(
  db: Db,
  { every_days, library_ids }: IntegritySettings,
  limit: number,
  workerLabels: readonly string[],
  after?: Pick<VerifiableItem, 'read_at' | 'id'>,
): Promise<VerifiableItem[]> {
  // The first comparison is what the index answers.
  const beyond = after
    ? sql`${readAt} >= ${after.read_at}::timestamptz and (${readAt}, i.id) > (${after.read_at}::timestamptz, ${after.id}::uuid)`
    : sql`true`;
  const { rows } = await sql<VerifiableItem>`
    select i.id, i.library_id, l.root_path, i.rel_path, i.size, i.mtime_ns::text, i.inode, i.content_hash, ${readAt}::text as read_at
    from items i join libraries l on l.id = i.library_id
    where i.status = 'active' and i.content_hash is not null and ${readAt} < now() - ${every_days} * interval '1 day' and ${beyond}
      and i.symlink_target is null and l.source_agent_id is null and l.enabled
      and l.id = any(array(select s.id from libraries s where place_served(s.id, ${workerLabels}::text[]))) and (${library_ids}::uuid[] is null or i.library_id = any(${library_ids}::uuid[]))
      and not exists (select from integrity_events e where e.item_id = i.id and e.state = 'open')
    order by ${readAt}, i.id limit ${limit}`.execute(db);
  return rows;
}

/** Items that have changed since they were read keep their time of verification. */
export async function markVerified(db: Db, items: readonly Pick<VerifiableItem, 'id' | 'mtime_ns'>[]): Promise<void> {
  await sql`update items i set last_verified_at = now(), hash_error = null from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ mtime_ns }) => mtime_ns)}::bigint[]) as read (id, mtime_ns)
    where i.id = read.id and i.mtime_ns = read.mtime_ns`.execute(db);
}

/** Stores why files could not be read; reports and their pages show it until they are read again. */
export async function storeReadErrors(
  db: Db,
  errors: readonly { item: Pick<VerifiableItem, 'id' | 'mtime_ns'>; code: string }[],
): Promise<void> {
  await sql`update items i set hash_error = read.code
    from unnest(${errors.map(({ item }) => item.id)}::uuid[], ${errors.map(({ item }) => item.mtime_ns)}::bigint[], ${errors.map(({ code }) => code)}::text[]) as read (id, mtime_ns, code)
    where i.id = read.id and i.mtime_ns = read.mtime_ns and i.hash_error is distinct from read.code`.execute(db);
}

export interface EventRow {
  id: string;
  item_id: string;
  library_id: string;
  library: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
  expected_hash: string;
  found_hash: string;
  found_quick_hash: string;
  state: 'open' | 'restored' | 'replaced' | 'accepted' | 'gone';
  found_at: Date;
  last_read_at: Date;
  closed_at: Date | null;
  closed_by: string | null;
}

export async function insertEvent(db: Db, item: VerifiableItem, found: { content: string; quick: string }): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into integrity_events (item_id, library_id, rel_path, size, mtime_ns, expected_hash, found_hash, found_quick_hash)
    values (${item.id}, ${item.library_id}, ${item.rel_path}, ${item.size}, ${item.mtime_ns}, ${item.content_hash}, ${found.content}, ${found.quick})
    on conflict (item_id) where state = 'open' do nothing returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** Place and rights are those of the item, which may have moved since. */
const eventColumns = sql`e.id, e.item_id, i.library_id, l.name as library, i.rel_path, e.size, e.mtime_ns::text, e.expected_hash, e.found_hash, e.found_quick_hash,
  e.state, e.found_at, e.last_read_at, e.closed_at, e.closed_by`;

export async function listEvents(
  db: Db,
  visible: RawBuilder<boolean>,
  page: { open: boolean; before: { found_at: string; id: string } | null; limit: number },
): Promise<EventRow[]> {
  // The time of a cursor has milliseconds only, but events of one millisecond may be on two pages.
  const beyond = page.before
    ? sql<boolean>`(e.found_at, e.id) < (coalesce((select found_at from integrity_events where id = ${page.before.id}::uuid), ${page.before.found_at}::timestamptz),
        ${page.before.id}::uuid)`
    : sql<boolean>`true`;
  const { rows } =
    await sql<EventRow>`select ${eventColumns} from integrity_events e join items i on i.id = e.item_id join libraries l on l.id = i.library_id
    where (e.state = 'open') = ${page.open} and ${beyond} and ${visible} order by e.found_at desc, e.id desc limit ${page.limit}`.execute(
      db,
    );
  return rows;
}

export async function countOpen(db: Db, visible: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ events: number }>`select count(*) as events from integrity_events e join items i on i.id = e.item_id
    join libraries l on l.id = i.library_id where e.state = 'open' and ${visible}`.execute(db);
  return one(rows).events;
}

export async function findEvent(db: Db, id: string): Promise<EventRow | null> {
  const { rows } =
    await sql<EventRow>`select ${eventColumns} from integrity_events e join items i on i.id = e.item_id join libraries l on l.id = i.library_id where e.id = ${id}::uuid`.execute(
      db,
    );
  return rows[0] ?? null;
}

/** Open events with the item as it is now. */
export interface OpenEvent extends Omit<VerifiableItem, 'read_at'> {
  event_id: string;
  expected_hash: string;
  found_hash: string;
  event_mtime_ns: string;
  active: boolean;
}

export async function openEvents(db: Db, limit: number, workerLabels: readonly string[]): Promise<OpenEvent[]> {
  const { rows } = await sql<OpenEvent>`
    select e.id as event_id, e.expected_hash, e.found_hash, e.mtime_ns::text as event_mtime_ns, e.item_id as id, e.library_id, coalesce(l.root_path, '') as root_path,
      coalesce(i.rel_path, e.rel_path) as rel_path, coalesce(i.size, e.size) as size, coalesce(i.mtime_ns, e.mtime_ns)::text as mtime_ns, i.inode,
      coalesce(i.content_hash, '') as content_hash, coalesce(i.status = 'active' and l.id is not null, false) as active
    from integrity_events e left join items i on i.id = e.item_id left join libraries l on l.id = i.library_id
    where e.state = 'open' and (l.id is null or place_served(l.id, ${workerLabels}::text[])) order by e.last_read_at limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function closeEvent(db: Db, id: string, state: Exclude<EventRow['state'], 'open'>, by: string | null): Promise<boolean> {
  const { rows } =
    await sql`update integrity_events set state = ${state}, closed_at = now(), closed_by = ${by} where id = ${id}::uuid and state = 'open' returning id`.execute(
      db,
    );
  return rows.length > 0;
}

/** Returns false if the event was closed meanwhile. */
export async function touchEvent(db: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`update integrity_events set last_read_at = now() where id = ${id}::uuid and state = 'open' returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Takes the content that was found as the right one, which a scan may have done already. Nothing changes when the file has changed since.
 */
export async function acceptContent(db: Db, event: EventRow): Promise<boolean> {
  const { rows } =
    await sql`update items set content_hash = ${event.found_hash}, quick_hash = ${event.found_quick_hash}, last_verified_at = now()
    where id = ${event.item_id} and mtime_ns = ${event.mtime_ns} and size = ${event.size} and content_hash in (${event.expected_hash}, ${event.found_hash}) returning id`.execute(
      db,
    );
  return rows.length > 0;
}

export interface GoodCopy {
  item_id: string;
  library_id: string;
  library: string;
  rel_path: string;
  last_verified_at: Date | null;
}

/** Other files whose last known content is the good one and that have no open event themselves. */
export async function goodCopies(
  db: Db,
  visible: RawBuilder<boolean>,
  event: Pick<EventRow, 'item_id' | 'expected_hash'>,
  limit: number,
): Promise<GoodCopy[]> {
  const { rows } = await sql<GoodCopy>`select i.id as item_id, i.library_id, l.name as library, i.rel_path, i.last_verified_at
    from items i join libraries l on l.id = i.library_id
    where left(i.content_hash, 8) = left(${event.expected_hash}, 8) and i.content_hash = ${event.expected_hash} and i.status = 'active' and i.id <> ${event.item_id}
      and not exists (select from integrity_events o where o.item_id = i.id and o.state = 'open') and ${visible}
    order by i.last_verified_at desc nulls last, i.id limit ${limit}`.execute(db);
  return rows;
}

export interface LibraryAges {
  library_id: string;
  library: string;
  files: number;
  bytes: number;
  /** Files and bytes that were read again in the last 30, 90 and 365 days, before, and never since they were first hashed. */
  month: number;
  quarter: number;
  year: number;
  older: number;
  never: number;
  verified_bytes: number;
  oldest: Date | null;
}

/** Ages are whole days. Libraries that the caller sees as a whole are read from kept totals, others from the items. */
export function libraryAges({ whole, rest }: ReturnType<Visibility['split']>): RawBuilder<LibraryAges> {
  const kept = whole === 'all' ? sql`true` : sql`library_id = any(${whole}::uuid[])`;
  const within = (days: number): RawBuilder<unknown> => sql`d.day > verified_day(now()) - ${sql.lit(days)}`;
  return sql<LibraryAges>`select l.id as library_id, l.name as library, a.files, a.bytes, a.month, a.quarter, a.year, a.older, a.never, a.verified_bytes,
      to_timestamp(a.oldest::bigint * 86400) as oldest
    from libraries l join (
      select d.library_id, sum(d.files)::bigint as files, sum(d.bytes)::bigint as bytes, ${countOf(within(30))} as month,
        ${countOf(sql`${within(90)} and not ${within(30)}`)} as quarter, ${countOf(sql`${within(365)} and not ${within(90)}`)} as year,
        ${countOf(sql`d.day >= 0 and not ${within(365)}`)} as older, ${countOf(sql`d.day = -1`)} as never,
        coalesce(sum(d.bytes) filter (where ${within(365)}), 0)::bigint as verified_bytes, min(d.day) filter (where d.day >= 0) as oldest
      from (
        select library_id, day, sum(files) as files, sum(bytes) as bytes from (${verifiedTotalRows(kept)}
          union all select i.library_id, verified_day(i.last_verified_at), count(*), sum(i.size) from items i
            where i.status = 'active' and i.content_hash is not null and ${rest ?? sql`false`} group by 1, 2) t
        group by 1, 2 having sum(files) > 0) d
      group by d.library_id) a on a.library_id = l.id
    order by lower(l.name)`;
}

const countOf = (which: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(sum(d.files) filter (where ${which}), 0)::bigint`;
