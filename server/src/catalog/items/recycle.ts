import type { Principal, Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { sql } from 'kysely';
import { lstat } from 'node:fs/promises';
import { recordEvent } from '../../people/audit/index.ts';

import type { Db } from '../../platform/database/index.ts';

import { diskPath } from '@catalog/scanner';
import { recordItemChange } from './history.ts';
import { absolutePath } from './present.ts';
import type { ItemRow } from './store.ts';

/**
 * The recycle bin. No step touches the file on disk.
 *
 * active, missing -> trashed  somebody deletes the item. Scans leave it alone, whether its file is there or not.
 * trashed -> active           somebody restores it and its file is on disk.
 * trashed -> missing          somebody restores it and its file is not there; the scan that meets the file again makes it active.
 * trashed -> removed          the daily purge, after the retention. A file that is still on disk is a new item for the next scan.
 */
export async function trashItem(db: Db, item: ItemRow, principal: Principal, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ status: string }>`update items i set status = 'trashed', deleted_at = now() from items old
      where i.id = ${item.id} and old.id = i.id and i.status <> 'trashed' returning old.status`.execute(tx);
    if (rows.length === 0) return;
    await recordItemChange(tx, item.id, principal, { status: rows[0]!.status }, { status: 'trashed' });
    await recordBinEvent(tx, 'item_trashed', item, actor);
  });
}

export async function restoreItem(db: Db, item: ItemRow, principal: Principal, actor: Actor): Promise<void> {
  // The files of an agent's library are elsewhere: it is believed until the agent says otherwise.
  const there = item.source_agent_id !== null || (await isOnDisk(absolutePath(item)));
  await db.transaction().execute(async (tx) => {
    const status = there ? 'active' : 'missing';
    const { rows } = await sql`update items set status = ${status}, deleted_at = ${there ? null : sql`now()`}
      where id = ${item.id} and status = 'trashed' returning 1`.execute(tx);
    if (rows.length === 0) throw problem('item_not_trashed');
    await recordItemChange(tx, item.id, principal, { status: 'trashed' }, { status });
    await recordBinEvent(tx, 'item_restored', item, actor);
  });
}

/** Removes what has been in the bin for longer than the retention, a batch at a time. */
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
    return false;
  }
}

async function recordBinEvent(db: Db, event_type: string, item: ItemRow, actor: Actor): Promise<void> {
  const details = { item_id: item.id, library_id: item.library_id, rel_path: item.rel_path };
  await recordEvent(db, { event_type, principal_id: actor.principalId, ip: actor.ip, details });
}
