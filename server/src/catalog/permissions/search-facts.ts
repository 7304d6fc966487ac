import { entriesOf, ownersOf } from '@catalog/scanner';
import { type AccessClass, decideAccess, isWorldReadable } from './access.ts';
import { type LocalAccounts, readAccounts } from './accounts.ts';
import { nameOf, resolvePrincipal } from './principals.ts';

/** What the search index knows of the permissions of a file. */
interface PermissionFacts {
  perm_class: string;
  /** Everybody the lists name who can read the file, as `principal=` accepts them. */
  perm_principals: string[];
  perm_world: 'true' | 'false';
  perm_owner: string[];
}

const cache = new WeakMap<AccessClass, { accounts: LocalAccounts; facts: PermissionFacts }>();

/** Computed once per class, and again when the accounts of the machine change. */
export function permissionFacts(access: AccessClass): PermissionFacts {
  const accounts = readAccounts();
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
function searchName(id: string, accounts: LocalAccounts): string {
  if (id === 'other') return 'everyone';
  if (!/^[ug]id:/.test(id)) return id;
  const name = nameOf({ kind: 'user', id }, accounts);
  if (name === null) return id;
  return id.startsWith('gid:') && accounts.uidByName.has(name) ? `group:${name}` : name;
}
