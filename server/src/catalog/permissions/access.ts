import { type Decision, evaluate, everyone, type FileAcl, type Identity, mayEnter, ownersOf, type Right } from '@catalog/scanner';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** A class of files with equal access: their own list, and the lists of folders on the way that stop somebody. */
export interface AccessClass {
  id: number;
  aclId: number;
  acl: FileAcl;
  path: { id: number; acl: FileAcl }[];
}

export interface AccessDecision {
  allowed: boolean;
  /** The list that decided: the file's own, or that of a folder on the way. */
  aclId: number;
  at: 'file' | 'folder';
  decision: Decision;
}

/** Whether somebody may use the files of a class, and which list decides. Writing and executing need the way to the file like reading. */
export function decideAccess({ acl, aclId, path }: Omit<AccessClass, 'id'>, identity: Identity, right: Right): AccessDecision {
  for (const folder of path) {
    const decision = mayEnter(folder.acl, identity);
    if (!decision.allowed) return { allowed: false, aclId: folder.id, at: 'folder', decision };
  }
  const decision = evaluate(acl, identity, right);
  return { allowed: decision.allowed, aclId, at: 'file', decision };
}

interface ClassCache {
  count: number;
  newest: number;
  acls: Map<number, FileAcl>;
  classes: Map<number, AccessClass>;
}

/** Lists, sets and classes never change once stored, so what was read stays true; only the number of classes is asked each time. */
const caches = new WeakMap<Db, ClassCache>();

export async function loadClasses(db: Db): Promise<ReadonlyMap<number, AccessClass>> {
  const state = await sql<{
    count: number;
    newest: number | null;
  }>`select count(*)::int as count, max(id) as newest from access_classes`.execute(db);
  const { count, newest } = one(state.rows);
  let cache = caches.get(db);
  if (cache && cache.count === count && cache.newest === (newest ?? 0)) return cache.classes;
  const added = cache ? await classRows(db, cache.newest) : [];
  const isGrown = cache !== undefined && cache.count + added.length === count;
  const rows = isGrown ? added : await classRows(db, 0);
  cache = { count, newest: newest ?? 0, acls: cache?.acls ?? new Map(), classes: new Map(isGrown ? cache?.classes : []) };
  await loadAcls(db, cache.acls, new Set(rows.flatMap(({ acl_id, acl_ids }) => [acl_id, ...acl_ids])));
  for (const { id, acl_id, acl_ids } of rows) {
    const acl = cache.acls.get(acl_id);
    if (!acl) continue;
    const path = acl_ids.flatMap((each) => {
      const folder = cache.acls.get(each);
      return folder ? [{ id: each, acl: folder }] : [];
    });
    cache.classes.set(id, { id, aclId: acl_id, acl, path });
  }
  caches.set(db, cache);
  return cache.classes;
}

async function classRows(db: Db, after: number): Promise<{ id: number; acl_id: number; acl_ids: number[] }[]> {
  const { rows } = await sql<{ id: number; acl_id: number; acl_ids: number[] }>`
    select c.id, c.acl_id, p.acl_ids from access_classes c join access_paths p on p.id = c.path_id where c.id > ${after}`.execute(db);
  return rows;
}

async function loadAcls(db: Db, known: Map<number, FileAcl>, wanted: ReadonlySet<number>): Promise<void> {
  const missing = [...wanted].filter((id) => !known.has(id));
  if (missing.length === 0) return;
  const { rows } = await sql<{ id: number; acl: FileAcl }>`select id, acl from file_acls where id = any(${missing}::integer[])`.execute(db);
  for (const { id, acl } of rows) known.set(id, acl);
}

export const isWorldReadable = (access: Omit<AccessClass, 'id'>): boolean => decideAccess(access, everyone, 'read').allowed;

/** What was decided for the people asked about last. A class never changes, so it holds while the classes are the same. */
const decided = new WeakMap<ReadonlyMap<number, AccessClass>, Map<string, readonly number[]>>();
const maxDecided = 100;

/** The classes whose files somebody may read (or write, or execute). */
export async function classesAllowing(db: Db, identity: Identity, right: Right): Promise<readonly number[]> {
  const classes = await loadClasses(db);
  const known = decided.get(classes) ?? new Map<string, readonly number[]>();
  decided.set(classes, known);
  const key = `${right} ${keyOf(identity)}`;
  const allowed = known.get(key) ?? [...classes.values()].filter((each) => decideAccess(each, identity, right).allowed).map(({ id }) => id);
  // The last one asked about comes last; the first is the one to forget.
  known.delete(key);
  if (known.size >= maxDecided) known.delete(known.keys().next().value as string);
  known.set(key, allowed);
  return allowed;
}

const keyOf = ({ uid, gids, sids, names, anyone }: Identity): string =>
  JSON.stringify([uid, [...gids].sort(), [...sids].sort(), [...names].sort(), anyone === true]);

/** The classes whose files this principal owns. */
export async function classesOwnedBy(db: Db, ids: ReadonlySet<string>): Promise<number[]> {
  return [...(await loadClasses(db)).values()].filter(({ acl }) => ids.has(ownersOf(acl).owner.id)).map(({ id }) => id);
}
