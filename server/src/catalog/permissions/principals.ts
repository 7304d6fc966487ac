import { everyone, type FilePrincipal, groupPrincipal, type Identity, sidPrincipal, userPrincipal } from '@catalog/scanner';
import { type LocalAccounts, readAccounts } from './accounts.ts';

/** A person, group or class of people, with everything that decides what they may do. */
export interface ResolvedPrincipal {
  principal: FilePrincipal;
  /** Null when the id has no name on this machine. */
  name: string | null;
  identity: Identity;
}

const everyoneWords = new Set(['everyone', 'other', 'world', 's-1-1-0', 'everyone@']);

/**
 * Finds a principal by name, `uid:1000`, `gid:100`, a bare uid, `user:name`, `group:name`, SID or `everyone`. A name that both a user and a
 * group have means the user. Null when there is no such name.
 */
export function resolvePrincipal(text: string, accounts: LocalAccounts = readAccounts()): ResolvedPrincipal | null {
  const given = text.trim();
  if (everyoneWords.has(given.toLowerCase()))
    return { principal: { kind: 'well_known', id: 'other', well_known: 'everyone' }, name: 'Everyone', identity: everyone };
  const number = /^(?:(uid|gid):)?(\d{1,10})$/.exec(given);
  if (number) return number[1] === 'gid' ? groupOf(Number(number[2]), accounts) : userOf(Number(number[2]), accounts);
  if (/^S-1-[0-9-]+$/i.test(given)) return sidOf(given.toUpperCase());
  const named = /^(?:(user|group):)?(.+)$/.exec(given);
  if (!named?.[2]) return null;
  const [, kind, name] = named as unknown as [string, string | undefined, string];
  const uid = kind === 'group' ? undefined : accounts.uidByName.get(name);
  if (uid !== undefined) return userOf(uid, accounts);
  const gid = kind === 'user' ? undefined : accounts.gidByName.get(name);
  return gid === undefined ? null : groupOf(gid, accounts);
}

function userOf(uid: number, accounts: LocalAccounts): ResolvedPrincipal {
  const user = accounts.users.get(uid);
  const gids = accounts.groupsOf(uid);
  const groupNames = [...gids].map((gid) => accounts.groups.get(gid)?.name).filter((name) => name !== undefined);
  return {
    principal: userPrincipal(uid),
    name: user?.name ?? null,
    identity: { uid, gids, sids: new Set(), names: new Set([...(user ? [user.name] : []), ...groupNames]) },
  };
}

function groupOf(gid: number, accounts: LocalAccounts): ResolvedPrincipal {
  const name = accounts.groups.get(gid)?.name ?? null;
  return {
    principal: groupPrincipal(gid),
    name,
    identity: { uid: null, gids: new Set([gid]), sids: new Set(), names: new Set(name ? [name] : []) },
  };
}

/** Everybody who signs in belongs to Everyone, Authenticated Users and, on a member server, Users. */
function sidOf(sid: string): ResolvedPrincipal {
  return {
    principal: sidPrincipal(sid),
    name: null,
    identity: { uid: null, gids: new Set(), sids: new Set([sid, 'S-1-1-0', 'S-1-5-11']), names: new Set() },
  };
}

const wellKnownNames: Readonly<Record<string, string>> = {
  everyone: 'Everyone',
  mask: 'Mask',
  owner: 'Owner',
  group_owner: 'Group of the owner',
  nobody: 'Nobody',
  creator_owner: 'Creator owner',
  creator_group: 'Creator group',
  owner_rights: 'Owner rights',
  anonymous: 'Anonymous',
  authenticated_users: 'Authenticated users',
  local_system: 'Local system',
  local_service: 'Local service',
  network_service: 'Network service',
  administrators: 'Administrators',
  users: 'Users',
  guests: 'Guests',
};

/** The name of a principal on this machine; null when there is none. */
export function nameOf({ id, well_known }: FilePrincipal, accounts: LocalAccounts = readAccounts()): string | null {
  const number = /^(uid|gid):(\d+)$/.exec(id);
  if (number) return (number[1] === 'uid' ? accounts.users : accounts.groups).get(Number(number[2]))?.name ?? null;
  return (well_known && wellKnownNames[well_known]) ?? (id.startsWith('S-1-') ? null : id);
}
