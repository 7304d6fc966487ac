import {
  entriesOf,
  everyone,
  type FileAcl,
  type FilePrincipal,
  groupPrincipal,
  type Identity,
  ownersOf,
  sidPrincipal,
  userPrincipal,
} from '@catalog/scanner';
import { canonicalName, type DirectoryEntry, nestedGroups } from '../../people/directory/index.ts';
import type { KnownPeople } from './known-people.ts';

/** A person, group or class of people, with everything that decides what they may do. */
export interface ResolvedPrincipal {
  principal: FilePrincipal;
  /** Every identifier of this principal: a person of a directory can have a uid and a SID. */
  ids: ReadonlySet<string>;
  /** Null when the id has no name. */
  name: string | null;
  identity: Identity;
}

const everyoneWords = new Set(['everyone', 'other', 'world', 's-1-1-0', 'everyone@']);

/**
 * Finds a principal by name, `uid:1000`, `gid:100`, a bare uid, `user:name`, `group:name`, SID, `DOMAIN\\name`, user principal name, a name
 * given by hand, or `everyone`. An account of the machine of an agent is called `name@agent`. Names of this machine win over those of
 * directories; a name that both a user and a group have means the user. Null when there is no such name.
 */
export function resolvePrincipal(text: string, people: KnownPeople): ResolvedPrincipal | null {
  const given = text.trim();
  const byHand = people.directory.identifiers.get(given.toLowerCase());
  return resolveIdentifier(given, people) ?? (byHand === undefined ? resolveName(given, people) : resolveIdentifier(byHand, people));
}

function resolveIdentifier(given: string, people: KnownPeople): ResolvedPrincipal | null {
  if (everyoneWords.has(given.toLowerCase()))
    return {
      principal: { kind: 'well_known', id: 'other', well_known: 'everyone' },
      ids: new Set(['other', 'S-1-1-0', 'EVERYONE@']),
      name: 'Everyone',
      identity: everyone,
    };
  const number = /^(?:(uid|gid):)?(\d{1,16})$/.exec(given);
  if (number) return number[1] === 'gid' ? groupOf(Number(number[2]), people) : userOf(Number(number[2]), people);
  return /^S-1-[0-9-]+$/i.test(given) ? sidOf(given.toUpperCase(), people) : null;
}

function resolveName(given: string, people: KnownPeople): ResolvedPrincipal | null {
  const named = /^(?:(user|group):)?(.+)$/.exec(given);
  if (!named?.[2]) return null;
  const [, kind, name] = named as unknown as [string, string | undefined, string];
  const uid = kind === 'group' ? undefined : people.uidByName.get(name);
  if (uid !== undefined) return userOf(uid, people);
  const gid = kind === 'user' ? undefined : people.gidByName.get(name);
  if (gid !== undefined) return groupOf(gid, people);
  const entry = people.directory.byName.get(name.toLowerCase());
  return !entry || (kind !== undefined && (entry.kind === 'group') !== (kind === 'group')) ? null : resolveEntry(entry, people);
}

/** Somebody of a directory, by the identifier that files on this machine would use. Null for an object without any. */
export function resolveEntry(entry: DirectoryEntry, people: KnownPeople): ResolvedPrincipal | null {
  if (entry.kind !== 'group' && entry.uid !== null) return userOf(entry.uid, people);
  if (entry.kind === 'group' && entry.gid !== null) return groupOf(entry.gid, people);
  return entry.sid === null ? null : sidOf(entry.sid, people);
}

const userOf = (uid: number, people: KnownPeople): ResolvedPrincipal =>
  build(userPrincipal(uid), { uid, gid: null, sid: null, entry: people.directory.byUid.get(uid) }, people);
const groupOf = (gid: number, people: KnownPeople): ResolvedPrincipal =>
  build(groupPrincipal(gid), { uid: null, gid, sid: null, entry: people.directory.byGid.get(gid) }, people);
const sidOf = (sid: string, people: KnownPeople): ResolvedPrincipal =>
  build(sidPrincipal(sid), { uid: null, gid: null, sid, entry: people.directory.bySid.get(sid) }, people);

/** Everybody who signs in belongs to Everyone, Authenticated Users and, on a member server, Users. */
const everySignedIn = ['S-1-1-0', 'S-1-5-11', 'S-1-5-32-545'];

interface Known {
  uid: number | null;
  gid: number | null;
  sid: string | null;
  entry: DirectoryEntry | undefined;
}

/** Joins what this machine and the directory know: groups of both, groups of groups included. */
function build(principal: FilePrincipal, given: Known, people: KnownPeople): ResolvedPrincipal {
  const { entry } = given;
  const isGroup = entry?.kind === 'group';
  const uid = given.uid ?? (entry && !isGroup ? entry.uid : null);
  const ownGid = given.gid ?? (entry && isGroup ? entry.gid : null);
  const sid = given.sid ?? entry?.sid ?? null;
  const nested = entry ? [...nestedGroups(entry)] : [];
  const gids = new Set([
    ...(uid === null ? [] : people.groupsOf(uid)),
    ...(ownGid === null ? [] : [ownGid]),
    ...(entry && !isGroup && entry.gid !== null ? [entry.gid] : []),
    ...nested.flatMap(({ gid }) => gid ?? []),
  ]);
  const local = uid === null ? (ownGid === null ? undefined : people.groups.get(ownGid)) : people.users.get(uid);
  const localGroups = [...gids].flatMap((gid) => people.groups.get(gid)?.name ?? []);
  const sids = sid === null ? [] : [sid, ...nested.flatMap((group) => group.sid ?? []), ...everySignedIn];
  return {
    principal,
    ids: new Set([...(uid === null ? [] : [`uid:${uid}`]), ...(ownGid === null ? [] : [`gid:${ownGid}`]), ...(sid === null ? [] : [sid])]),
    name: nameOf(principal, people),
    identity: {
      uid,
      gids,
      sids: new Set(sids),
      names: new Set([...(local ? [local.name] : []), ...localGroups, ...[...(entry ? [entry] : []), ...nested].flatMap(nfsNames)]),
    },
  };
}

/** As NFS servers write names. */
const nfsNames = ({ account, upn, domain }: DirectoryEntry): string[] => [
  ...(account ? [account, ...(domain ? [`${account}@${domain.toLowerCase()}`] : [])] : []),
  ...(upn ? [upn] : []),
];

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

/** The name of a principal: given by hand, of this machine, or of a directory. Null when there is none. */
export function nameOf({ id, well_known }: FilePrincipal, people: KnownPeople): string | null {
  const { directory } = people;
  const byHand = directory.aliases.get(id);
  if (byHand !== undefined) return byHand;
  const number = /^(uid|gid):(\d+)$/.exec(id);
  if (number) {
    const [kind, value] = [number[1] as 'uid' | 'gid', Number(number[2])];
    const entry = (kind === 'uid' ? directory.byUid : directory.byGid).get(value);
    return (kind === 'uid' ? people.users : people.groups).get(value)?.name ?? (entry ? entryName(entry) : null);
  }
  const known = well_known && wellKnownNames[well_known];
  if (known) return known;
  const entry = directory.bySid.get(id);
  return entry ? entryName(entry) : id.startsWith('S-1-') ? null : id;
}

const entryName = (entry: DirectoryEntry): string | null => {
  const name = canonicalName(entry);
  return name && entry.deleted ? `${name} (deleted)` : name;
};

/** Whom a list is about: its owner, its group and everybody it names. Placeholders such as the mask are left out. */
export function principalsIn(acl: FileAcl): FilePrincipal[] {
  const { owner, group } = ownersOf(acl);
  const all = [owner, group, ...entriesOf(acl).map(({ principal }) => principal)];
  const placeholders = new Set(['mask', 'owner', 'group_owner', 'creator_owner', 'creator_group', 'owner_rights']);
  return [...new Map(all.filter(({ well_known }) => !placeholders.has(well_known ?? '')).map((each) => [each.id, each])).values()];
}

/** An identifier that belongs to nobody any more: it has no name, or its object was deleted from the directory. */
export function isOrphaned(principal: FilePrincipal, people: KnownPeople): boolean {
  if (principal.kind === 'well_known' || people.directory.aliases.has(principal.id)) return false;
  const { directory } = people;
  const number = Number(/^[ug]id:(\d+)$/.exec(principal.id)?.[1] ?? Number.NaN);
  if (principal.id.startsWith('uid:') && people.users.has(number)) return false;
  if (principal.id.startsWith('gid:') && people.groups.has(number)) return false;
  const entry = principal.id.startsWith('uid:')
    ? directory.byUid.get(number)
    : principal.id.startsWith('gid:')
      ? directory.byGid.get(number)
      : directory.bySid.get(principal.id);
  return entry ? entry.deleted : nameOf(principal, people) === null;
}
