import { entriesOf, ownersOf } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { type AccessClass, decideAccess, isWorldReadable, loadClasses } from './access.ts';
import { type KnownPeople, knownPeople } from './known-people.ts';
import { nameOf, resolvePrincipal } from './principals.ts';

/** What the search index knows of the permissions of a file. */
interface PermissionFacts {
  perm_class: string;
  /** Everybody the lists name who can read the file, as `principal=` accepts them. */
  perm_principals: string[];
  perm_world: 'true' | 'false';
  perm_owner: string[];
}

const cache = new WeakMap<AccessClass, { accounts: KnownPeople; facts: PermissionFacts }>();

/** Computed once per class, and again when accounts, directory or aliases change. */
export function permissionFacts(access: AccessClass, accounts: KnownPeople): PermissionFacts {
  const known = cache.get(access);
  if (known?.accounts === accounts) return known.facts;
  const { acl } = access;
  const owner = ownersOf(acl).owner.id;
  const ids = new Set([owner, `gid:${acl.gid}`, ...entriesOf(acl).map(({ principal }) => principal.id)]);
  const readers = [...ids].filter((id) => {
    const who = resolvePrincipal(id, accounts);
    return who !== null && decideAccess(access, who.identity, 'read').allowed;
  });
  const facts: PermissionFacts = {
    perm_class: String(access.id),
    perm_principals: readers.map((id) => searchName(id, accounts)),
    perm_world: isWorldReadable(access) ? 'true' : 'false',
    perm_owner: [...new Set([searchName(owner, accounts), owner])],
  };
  cache.set(access, { accounts, facts });
  return facts;
}

/** The shortest text that `principal=` understands: the name, with `group:` where a user has the same one, or the id. */
function searchName(id: string, accounts: KnownPeople): string {
  if (id === 'other') return 'everyone';
  const name = nameOf({ kind: 'user', id }, accounts)?.replace(/ \(deleted\)$/, '') ?? null;
  if (name === null || resolvePrincipal(name, accounts) === null) return id;
  return id.startsWith('gid:') && accounts.uidByName.has(name) ? `group:${name}` : name;
}

/**
 * Turns numbers of files by access class into numbers by person and group: those who can read them, or their owners. The names are those of
 * today, so that a new name or membership in the directory needs no new index.
 */
export async function countByPrincipal(
  db: Db,
  counted: readonly { value: string; count: number }[],
  what: 'readers' | 'owner',
  { prefix = '', limit }: { prefix?: string; limit: number },
): Promise<{ value: string; count: number }[]> {
  const [classes, people] = [await loadClasses(db), await knownPeople(db)];
  const counts = new Map<string, number>();
  for (const { value, count } of counted) {
    const access = classes.get(Number(value));
    if (!access) continue;
    const { perm_principals, perm_owner } = permissionFacts(access, people);
    for (const name of what === 'owner' ? perm_owner.slice(0, 1) : perm_principals) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const wanted = prefix.toLowerCase();
  // `berg` finds EXAMPLE\berg too.
  const fits = (name: string): boolean =>
    name.toLowerCase().startsWith(wanted) || name.toLowerCase().split('\\').at(-1)?.startsWith(wanted) === true;
  return [...counts]
    .filter(([name]) => fits(name))
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}
