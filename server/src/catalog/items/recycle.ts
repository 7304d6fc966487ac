import { lstat } from 'node:fs/promises';
import { diskPath } from '@catalog/scanner';
import { sql } from 'kysely';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor, Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { recordItemChange } from './history.ts';
import { absolutePath } from './present.ts';
import type { ItemRow } from './store.ts';

/**
 * The recycle bin. No transition changes the file on disk.
 *
 * active, missing → trashed  a person deletes the item; scans then ignore it.
 * trashed → active           a person restores it and its file is on disk.
 * trashed → missing          a person restores it and its file is not on disk; a scan that finds the file makes it active.
 * trashed → removed          the daily purge, after the retention; a file still on disk becomes a new item in the next scan.
 */
export async function trashItem(db: Db, item: ItemRow, principal: Principal, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ status: string }>`update items i set status = 'trashed', deleted_at = now() from items old
      where i.id = ${item.id} and old.id = i.id and i.status <> 'trashed' returning old.status`.execute(tx);
    const [before] = rows;
    if (!before) return;
    await recordItemChange(tx, item.id, principal, { status: before.status }, { status: 'trashed' });
    await recordBinEvent(tx, 'item_trashed', item, actor);
  });
}

export async function restoreItem(db: Db, item: ItemRow, principal: Principal, actor: Actor): Promise<void> {
  // Files of an agent are on another machine and are assumed to exist until the agent reports otherwise.
  const exists = item.source_agent_id !== null || (await isOnDisk(absolutePath(item)));
  await db.transaction().execute(async (tx) => {
    const status = exists ? 'active' : 'missing';
    const { rows } = await sql`update items set status = ${status}, deleted_at = ${exists ? null : sql`now()`}
      where id = ${item.id} and status = 'trashed' returning 1`.execute(tx);
    if (rows.length === 0) throw problem('item_not_trashed');
    await recordItemChange(tx, item.id, principal, { status: 'trashed' }, { status });
    await recordBinEvent(tx, 'item_restored', item, actor);
  });
}

/** Deletes items that have been in the recycle bin for longer than the retention, in batches. */
export async function purgeRecycleBin(db: Db, retentionDays: number): Promise<number> {
  const batch = 1_000;
  let purged = 0;
  for (;;) {
    const { numAffectedRows } = await sql`delete from items where id in
      (select id from items where status = 'trashed' and deleted_at < now() - ${`${retentionDays} days`}::interval
       order by deleted_at limit ${batch} for update skip locked)`.execute(db);
    const count = Number(numAffectedRows ?? 0);
    purged += count;
    if (count < batch) return purged;
  }
}

async function isOnDisk(path: string): Promise<boolean> {
  try {
    const found = await lstat(diskPath(path));
    return found.isFile() || found.isSymbolicLink();
  } catch {
    // Missing and unreadable files alike cannot be restored as active.
    return false;
  }
}

async function recordBinEvent(db: Db, event_type: string, item: ItemRow, actor: Actor): Promise<void> {
  const details = { item_id: item.id, library_id: item.library_id, rel_path: item.rel_path };
  await recordEvent(db, { event_type, principal_id: actor.principalId, ip: actor.ip, details });
}
