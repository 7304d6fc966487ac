import { everybodyMayEnter } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { fromSet, toSet } from './collect.ts';
import { clearPending, type FolderBelow, findAcls, foldersBelow, moveToPath, pendingFolders, storePaths } from './store.ts';

const foldersAtOnce = 200;

/**
 * Applies changed folders to everything below them: a file that a person could open is out of reach once they may not enter a folder above
 * it, although nothing about the file itself has changed. Repeatable; the notes are deleted last.
 */
export async function applyFolderChanges(db: Db, libraryId: string, heartbeat: () => Promise<void> = async () => {}): Promise<void> {
  const pending = await pendingFolders(db, libraryId);
  const tops = pending.filter(({ rel_path }) => !pending.some((other) => other.rel_path !== rel_path && isBelow(rel_path, other.rel_path)));
  for (const top of tops) {
    await applyBelow(db, libraryId, top.rel_path, heartbeat);
    const done = pending.filter(({ rel_path }) => rel_path === top.rel_path || isBelow(rel_path, top.rel_path));
    await clearPending(
      db,
      done.map(({ id }) => id),
    );
  }
}

const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);
const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

async function applyBelow(db: Db, libraryId: string, top: string, heartbeat: () => Promise<void>): Promise<void> {
  const folders = (await foldersBelow(db, libraryId, top)).filter(({ acl_id }) => acl_id !== null);
  const acls = await findAcls(db, [...new Set(folders.map(({ acl_id }) => acl_id as number))]);
  const isOpen = new Map([...acls].map(([id, acl]) => [id, everybodyMayEnter(acl)]));
  const sets = new Map<string, string>();
  const changed: { set: string; folder: FolderBelow }[] = [];
  // Shorter paths first: a parent comes before its children.
  for (const folder of folders.sort((a, b) => a.rel_path.length - b.rel_path.length)) {
    const parent = folder.rel_path === top ? undefined : sets.get(parentOf(folder.rel_path));
    const set =
      folder.rel_path === top || parent === undefined
        ? (folder.acl_ids ?? '')
        : isOpen.get(folder.acl_id as number)
          ? parent
          : toSet([...fromSet(parent), folder.acl_id as number]);
    sets.set(folder.rel_path, set);
    if (set !== folder.acl_ids) changed.push({ set, folder });
  }
  const bySet = Map.groupBy(changed, ({ set }) => set);
  const ids = await storePaths(db, [...bySet.keys()]);
  for (const [set, members] of bySet) {
    for (let at = 0; at < members.length; at += foldersAtOnce) {
      const slice = members.slice(at, at + foldersAtOnce).map(({ folder }) => folder.id);
      await moveToPath(db, slice, ids.get(set) as number);
      await heartbeat();
    }
  }
}
