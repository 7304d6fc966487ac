import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { annotated, pixels } from './facts.ts';

/**
 * Keeps duplicate_groups and duplicate_members. Every statement that changes items appends the first digits of the hashes concerned to
 * duplicate_changes; a batch of them is taken, and the groups with these digits are computed again. So the cost follows the change, and a
 * report of a million files reads only its groups. A member keeps what decides which copy a cleanup plan keeps. Safe to repeat; a crash leaves the changes in place.
 */
const batch = 5_000;

/** True when no change waits. */
async function isSettled(db: Db): Promise<boolean> {
  const { rows } = await sql`select from duplicate_changes limit 1`.execute(db);
  return rows.length === 0;
}

/** Settles up to this many batches and returns the number of changes taken. Only one process settles at a time; the others return 0. */
export async function settleDuplicates(db: Db, { batches, signal }: { batches: number; signal?: AbortSignal }): Promise<number> {
  let settled = 0;
  for (let done = 0; done < batches; done += 1) {
    signal?.throwIfAborted();
    const taken = await settleBatch(db);
    settled += taken;
    if (taken < batch) break;
  }
  return settled;
}

async function settleBatch(db: Db): Promise<number> {
  if (await isSettled(db)) return 0;
  return db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext('duplicate groups')) as got`.execute(
      transaction,
    );
    if (!one(locks).got) return 0;
    // Groups are looked up by their digits. Without fresh statistics, as right after a first scan, the planner would rather read all items.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const { rows } = await sql<{ prefix: string }>`
      delete from duplicate_changes where ctid = any(array(select ctid from duplicate_changes limit ${batch})) returning prefix`.execute(
      transaction,
    );
    const prefixes = [...new Set(rows.map(({ prefix }) => prefix))];
    await removeGroups(transaction, prefixes);
    await addMembers(transaction, prefixes);
    await addGroups(transaction, prefixes);
    await keepChoices(transaction, prefixes);
    return rows.length;
  });
}

async function removeGroups(db: Db, prefixes: readonly string[]): Promise<void> {
  await sql`with members as (delete from duplicate_members where prefix = any(${prefixes}::text[]))
    delete from duplicate_groups where prefix = any(${prefixes}::text[])`.execute(db);
}

async function addMembers(db: Db, prefixes: readonly string[]): Promise<void> {
  const proven = prefixes.filter((prefix) => !prefix.startsWith('q'));
  const sampled = prefixes.filter((prefix) => prefix.startsWith('q')).map((prefix) => prefix.slice(1));
  await sql`insert into duplicate_members (item_id, key, prefix, library_id, folder_id, filename, size, allocated, mtime_ns, dev, inode, nlink, annotated, pixels)
    select i.id, c.key, c.prefix, i.library_id, i.folder_id, i.filename, i.size, i.allocated, i.mtime_ns, i.dev, i.inode, i.nlink, ${annotated}, ${pixels} from (
      select id, key, prefix, count(*) over (partition by key) as copies from (
        select id, content_hash as key, left(content_hash, 8) as prefix from items
        where left(content_hash, 8) = any(${proven}::text[]) and content_hash is not null and status = 'active' and size > 0
        union all
        select id, 'q' || quick_hash || ':' || size, 'q' || quick_hash from items
        where quick_hash = any(${sampled}::text[]) and content_hash is null and quick_hash is not null and status = 'active' and size > 0) found) c
    -- Offset 0 keeps this a look-up by key: the planner expects so many members that it would rather read all items.
    cross join lateral (select * from items where items.id = c.id offset 0) i
    where c.copies > 1 on conflict (item_id) do update set key = excluded.key, prefix = excluded.prefix, library_id = excluded.library_id, folder_id = excluded.folder_id,
      filename = excluded.filename, size = excluded.size, allocated = excluded.allocated, mtime_ns = excluded.mtime_ns, dev = excluded.dev, inode = excluded.inode, nlink = excluded.nlink,
      annotated = excluded.annotated, pixels = excluded.pixels`.execute(db);
}

/** Hard links share their storage: only the first of them counts as stored. Equal file numbers of two machines mean nothing. */
async function addGroups(db: Db, prefixes: readonly string[]): Promise<void> {
  await sql`insert into duplicate_groups (key, prefix, tier, size, copies, stored, wasted, libraries)
    select key, prefix, tier, size, copies, stored, size * (stored - 1), libraries from (
      select m.key, m.prefix, case when m.key like 'q%' then 'quick_hash' else 'content_hash' end as tier, max(m.size) as size, count(*) as copies,
        count(distinct (l.source_agent_id, m.dev, m.inode)) filter (where m.inode is not null) + count(*) filter (where m.inode is null) as stored,
        array_agg(distinct m.library_id) as libraries
      from duplicate_members m join all_libraries l on l.id = m.library_id where m.prefix = any(${prefixes}::text[]) group by m.key, m.prefix) g`.execute(
    db,
  );
}

/** A sampled group gets another key when it is proven. The copy that a person chose to keep stays chosen, unless they have chosen again. */
async function keepChoices(db: Db, prefixes: readonly string[]): Promise<void> {
  await sql`with carried as (
      delete from duplicate_choices c using duplicate_members m
      where m.prefix = any(${prefixes}::text[]) and m.key not like 'q%' and c.item_id = m.item_id and c.key like 'q%'
      returning c.plan_id, m.key, c.item_id)
    insert into duplicate_choices (plan_id, key, item_id) select plan_id, key, item_id from carried on conflict do nothing`.execute(db);
}
