import {
  type AclAttributes,
  aclDigest,
  attributesKey,
  closedFoldersAbove,
  createPermissionReader,
  everybodyMayEnter,
  type FileAcl,
  type FileOwnership,
  fileSystemType,
  inventsOwners,
  ownershipAt,
  type PermissionReader,
  toFileAcl,
  unlistedAclAttribute,
  type WalkBatch,
  type WalkedFolder,
} from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { moveToPath, storeAcls, storeClasses, storeFolderAccess, storePaths } from './store.ts';

/** The files of a changed folder whose permissions are to be stored. */
export interface CollectedFolder {
  folder: WalkedFolder;
  id: number;
  /** What is stored of the folder so far. */
  known: { acl_id: number | null; path_id: number | null } | undefined;
  /** Names and indexes into `rows` of its regular files. */
  files: readonly { name: string; index: number }[];
  /** Its files are not read again, because only the folders above them may have changed. */
  unread?: boolean;
}

/**
 * Turns what the walk reads into access classes. One collector belongs to one walk and must see all its batches in order, because the set of a
 * folder depends on the folders above it. Folders are evaluated only when they or folders below them changed.
 */
export interface PermissionCollector {
  /** The class of each file by its index in the rows of the batch. `changed` are the folders to store. */
  collect(batch: Omit<WalkBatch, 'names'>, changed: readonly CollectedFolder[]): Promise<Map<number, number>>;
  close(): Promise<void>;
}

export interface CollectorOptions {
  db: Db;
  /** Absolute path of the library. */
  root: string;
  reader: PermissionReader;
}

/** What the walk needs to know to read permissions of a library. */
export const permissionWalkOptions = (root: string): { permissions: true; unlistedAcl: string | null } => ({
  permissions: true,
  unlistedAcl: unlistedAclAttribute(fileSystemType(root)),
});

/** A folder whose owner could not be read hides nothing. */
const unknownFolder = { ownership: { uid: 0, gid: 0, mode: 0o755 }, lists: { values: {}, failed: true } } as {
  ownership: FileOwnership;
  lists: AclAttributes;
};

interface KnownAcl {
  id: number;
  open: boolean;
}

/** A folder on the way to the last one of a part of the walk. */
interface FolderNode {
  folder: WalkedFolder;
  parent: FolderNode | null;
  /** Of its own record and its set; undefined until a changed folder needs them. */
  key: string | undefined;
  set: string | undefined;
}

/** Distinct records and classes are few, so they are remembered for the whole walk; beyond this many the memory is emptied. */
const maxRemembered = 50_000;

/** Reads the lists of files of a library in a thread. */
export const openPermissionReader = (root: string): PermissionReader =>
  createPermissionReader({ unlisted: unlistedAclAttribute(fileSystemType(root)) });

export function createPermissionCollector({ db, root, reader }: CollectorOptions): PermissionCollector {
  const type = fileSystemType(root);
  const acls = createMemory<KnownAcl>();
  const paths = createMemory<number>();
  const classes = createMemory<number>();
  /** The last folder of each part of the walk. */
  const last = new Map<number, FolderNode | null>();

  const toAcl = (ownership: FileOwnership, lists: AclAttributes): FileAcl => toFileAcl(ownership, lists, inventsOwners(type));
  const rememberAcls = async (wanted: ReadonlyMap<string, () => FileAcl>): Promise<void> => {
    const missing = [...wanted].filter(([key]) => !acls.get(key)).map(([key, make]) => ({ key, acl: make() }));
    const digests = new Map(missing.map(({ acl }) => [aclDigest(acl), acl]));
    const ids = await storeAcls(db, digests);
    for (const { key, acl } of missing) acls.set(key, { id: required(ids, aclDigest(acl)), open: everybodyMayEnter(acl) });
  };

  /** The set for the parent of a folder, read from disk, because the walk starts below it. */
  const startSet = async (folder: string): Promise<string> => {
    const wanted = new Map(closedFoldersAbove(folder).map((acl) => [aclDigest(acl), acl]));
    return toSet([...(await storeAcls(db, wanted)).values()]);
  };

  return {
    async collect({ folders, rows, part, handedOver }, changed) {
      let current = last.get(part) ?? null;
      const byPath = new Map(changed.map(({ folder }) => [folder.path, null as FolderNode | null]));
      for (const folder of folders) {
        while (current && !isAbove(current.folder.path, folder.path)) current = current.parent;
        current = { folder, parent: current, key: undefined, set: undefined };
        if (byPath.has(folder.path)) byPath.set(folder.path, current);
      }
      last.set(part, current);
      if (handedOver) last.set(handedOver.part, current);
      if (changed.length === 0) return new Map();
      const lists = await reader.read(
        changed.map(({ folder, files }) => ({ folder: absolute(root, folder.path), names: files.map(({ name }) => name) })),
      );
      const nodes = changed.map(({ folder }) => required(byPath, folder.path) as FolderNode);
      const unresolved = withoutSet(nodes);
      const wanted = new Map<string, () => FileAcl>();
      for (const node of unresolved) {
        const { ownership, lists: own } = node.folder.ownership
          ? { ownership: node.folder.ownership, lists: node.folder.lists }
          : unknownFolder;
        node.key = keyOf(ownership, own);
        wanted.set(node.key, () => toAcl(ownership, own));
      }
      const fileKeys = new Map<number, string>();
      let next = 0;
      for (const { files } of changed)
        for (const { index } of files) {
          const [ownership, own] = [ownershipAt(rows, index), lists[next++] as AclAttributes];
          const key = keyOf(ownership, own);
          fileKeys.set(index, key);
          if (!wanted.has(key)) wanted.set(key, () => toAcl(ownership, own));
        }
      await rememberAcls(wanted);

      for (const node of unresolved) {
        const above = node.parent?.set ?? (await startSet(absolute(root, node.folder.path)));
        const acl = required(acls, node.key as string);
        node.set = acl.open ? above : toSet([...fromSet(above), acl.id]);
      }
      const newSets = [...new Set(nodes.map(({ set }) => set as string))].filter((set) => !paths.get(set));
      for (const [set, id] of await storePaths(db, newSets)) paths.set(set, id);

      const access = changed.map(({ id, known, unread = false }, at) => {
        const { key, set } = nodes[at] as FolderNode;
        return { id, known, unread, acl: required(acls, key as string).id, path: required(paths, set as string) };
      });
      await storeFolderAccess(
        db,
        access.filter(({ known, acl, path }) => known?.acl_id !== acl || known.path_id !== path),
      );

      const elsewhere = access.filter(({ known, path, unread }) => unread && known?.path_id !== path);
      for (const [path, members] of Map.groupBy(elsewhere, (each) => each.path))
        await moveToPath(
          db,
          members.map(({ id }) => id),
          path,
        );

      const classKeys = new Map<number, string>();
      for (const [at, { files }] of changed.entries())
        for (const { index } of files)
          classKeys.set(index, `${required(acls, fileKeys.get(index) as string).id}:${(access[at] as { path: number }).path}`);
      const newClasses = [...new Set(classKeys.values())].filter((key) => !classes.get(key));
      for (const [key, id] of await storeClasses(db, newClasses)) classes.set(key, id);
      const result = new Map([...classKeys].map(([index, key]) => [index, required(classes, key)]));
      for (const memory of [acls, paths, classes]) memory.trim();
      return result;
    },
    close: () => reader.close(),
  };
}

const absolute = (root: string, path: string): string => (path === '' ? root : root === '/' ? `/${path}` : `${root}/${path}`);
const isAbove = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`);
const keyOf = ({ uid, gid, mode }: FileOwnership, lists: AclAttributes): string => `${uid}:${gid}:${mode & 0o7777}:${attributesKey(lists)}`;
const fromSet = (set: string): number[] => (set === '' ? [] : set.split(',').map(Number));

/** Sorted, without repetition, so that equal sets have one spelling. */
export const toSet = (ids: readonly number[]): string => [...new Set(ids)].sort((a, b) => a - b).join(',');
export { fromSet };

/** These folders and those above them that have no set yet, parents first. */
function withoutSet(nodes: readonly FolderNode[]): FolderNode[] {
  const found = new Set<FolderNode>();
  for (const node of nodes) {
    const chain: FolderNode[] = [];
    for (let each: FolderNode | null = node; each && each.set === undefined && !found.has(each); each = each.parent) chain.push(each);
    for (const each of chain.reverse()) found.add(each);
  }
  return [...found];
}

function required<T>(from: { get(key: string): T | undefined }, key: string): T {
  const value = from.get(key);
  if (value === undefined) throw new Error(`A permission record is missing: ${key}.`);
  return value;
}

function createMemory<T>(): { get(key: string): T | undefined; set(key: string, value: T): void; trim(): void } {
  const values = new Map<string, T>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => values.set(key, value),
    trim() {
      if (values.size > maxRemembered) values.clear();
    },
  };
}
