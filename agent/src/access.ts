/**
 * Who may use files and folders, where the policy asks for it. Files carry the id of their access list in the index; folders are reported in
 * entries of their own, before the files in them. The entry of the root also names the closed folders above it and the accounts of the machine.
 */
import type { ReplicatedAccounts, ReplicatedAcl } from '@catalog/protocol';
import {
  type AclAttributes,
  attributesKey,
  closedFoldersAbove,
  createAclReader,
  createPermissionReader,
  type FileAcl,
  type FileOwnership,
  fileSystemType,
  inventsOwners,
  noAclAttributes,
  ownershipAt,
  toFileAcl,
  unlistedAclAttribute,
  type WalkedFolder,
} from '@catalog/scanner';
import { machineAccounts } from './machine-accounts.ts';
import type { Policy } from './policy.ts';
import type { Store } from './store.ts';

export interface AccessRecorder {
  walkOptions: { permissions: true; unlistedAcl: string | null };
  /** Returns what reports the list of the folder if it has changed, to be called in the transaction that stores its first files. */
  folder(folder: WalkedFolder): () => void;
  /** The lists of files of a folder, given by their names and their indexes in `rows`. */
  files(folder: WalkedFolder, names: readonly string[], rows: Uint32Array, indexes: readonly number[]): Promise<number[]>;
  close(): Promise<void>;
}

/** A machine on which lists cannot be read knows only owner, group and mode. */
const unreadable: AclAttributes = { values: {}, failed: true };

const absolute = (root: string, dir: string): string => (dir === '' ? root : `${root === '/' ? '' : root}/${dir}`);

/** Null where nothing is recorded. Windows does not tell this program who may use a file. */
export function openAccess(store: Store, root: string, policy: Policy): AccessRecorder | null {
  if (!policy.record_permissions || process.platform === 'win32') return null;
  const type = fileSystemType(root);
  const unlisted = unlistedAclAttribute(type);
  const folders = createAclReader({ unlisted });
  const reader = folders === null ? null : createPermissionReader({ unlisted });
  const known = new Map<string, number>();
  const idOf = (ownership: FileOwnership, lists: AclAttributes): number => {
    const key = `${ownership.uid}:${ownership.gid}:${ownership.mode & 0o7777}:${attributesKey(lists)}`;
    const id = known.get(key) ?? store.aclId(shortAcl(toFileAcl(ownership, lists, inventsOwners(type))));
    known.set(key, id);
    return id;
  };
  const surroundings = readSurroundings(root);
  const rememberedAs = `access ${root}`;
  const reported = (path: string) =>
    store.get<{ acl: number | null }>('select acl from folders where root = ? and path = ?', root, path)?.acl ?? null;
  const report = (path: string, acl: number): void => {
    store.run(
      'insert into folders (root, path, acl) values (?, ?, ?) on conflict (root, path) do update set acl = excluded.acl',
      root,
      path,
      acl,
    );
    store.setMeta(rememberedAs, surroundings);
    addFolder(store, root, path, acl, surroundings);
  };
  const rootAcl = reported('');
  if (rootAcl !== null && store.meta(rememberedAs) !== surroundings) store.transaction(() => report('', rootAcl));
  return {
    walkOptions: { permissions: true, unlistedAcl: unlisted },
    folder({ path, ownership }) {
      // A folder whose owner could not be read hides nothing.
      const lists = ownership === null || folders === null ? unreadable : folders.ofPath(absolute(root, path));
      const acl = idOf(ownership ?? { uid: 0, gid: 0, mode: 0o755 }, lists);
      return () => {
        if (reported(path) !== acl) report(path, acl);
      };
    },
    async files({ path }, names, rows, indexes) {
      const lists = reader === null ? null : await reader.read([{ folder: absolute(root, path), names }]);
      return indexes.map((index, at) => idOf(ownershipAt(rows, index), lists === null ? unreadable : (lists[at] ?? noAclAttributes)));
    },
    close: async () => reader?.close(),
  };
}

/** Reports that the list of a folder is no longer recorded. */
export function forgetFolder(store: Store, root: string, path: string): void {
  const changed = store.run('update folders set acl = null where root = ? and path = ? and acl is not null', root, path);
  if (changed > 0) store.add({ event_type: 'folder', library_ref: root, rel_path: path, acl: null });
}

/** Reports the lists of all folders again, parents first. */
export function reportFolders(store: Store, root: string): void {
  const surroundings = store.meta(`access ${root}`);
  const folders = store.all<{ path: string; acl: number }>(
    'select path, acl from folders where root = ? and acl is not null order by path',
    root,
  );
  for (const { path, acl } of folders) addFolder(store, root, path, acl, surroundings ?? '{}');
}

function addFolder(store: Store, root: string, path: string, acl: number, surroundings: string): void {
  const more = path === '' ? (JSON.parse(surroundings) as Surroundings) : {};
  store.add({ event_type: 'folder', library_ref: root, rel_path: path, ...more, acl });
}

interface Surroundings {
  above?: ReplicatedAcl[];
  accounts?: ReplicatedAccounts;
}

function readSurroundings(root: string): string {
  const above = closedFoldersAbove(root).map(shortAcl);
  const surroundings: Surroundings = { above, accounts: machineAccounts() };
  return JSON.stringify(surroundings);
}

/** Without what is null, since most lists have nothing but an owner, a group and a mode. */
const shortAcl = (acl: FileAcl): ReplicatedAcl =>
  Object.fromEntries(Object.entries(acl).filter(([, value]) => value !== null)) as unknown as ReplicatedAcl;
