import {
  type Decision,
  entriesOf,
  type FileAcl,
  type FilePrincipal,
  groupPrincipal,
  ownersOf,
  postureOf,
  type Right,
  userPrincipal,
} from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { type AccessClass, type AccessDecision, decideAccess, isWorldReadable, loadClasses } from './access.ts';
import { type KnownPeople, knownPeople } from './known-people.ts';
import { isPerson } from './machines.ts';
import { nameOf, type ResolvedPrincipal, resolveEntry, resolvePrincipal } from './principals.ts';
import { foldersOnPath, type ItemAccess } from './store.ts';

const maxPeople = 100;

export interface NamedPrincipal extends FilePrincipal {
  name: string | null;
}

export const named = (principal: FilePrincipal, accounts: KnownPeople): NamedPrincipal => ({
  ...principal,
  name: nameOf(principal, accounts),
});

/** How to call a principal in a sentence. */
export const labelOf = (principal: FilePrincipal, accounts: KnownPeople): string => nameOf(principal, accounts) ?? principal.id;

/** Why somebody may or may not use a file: the entry that decided, and the folder when it stopped them. */
export interface Reason {
  allowed: boolean;
  /** The principal of the entry that decided; null when no entry is about this person. */
  through: NamedPrincipal | null;
  /** Set when a folder on the way decided: its path in the library, or null for a folder above the library. */
  folder: { path: string | null } | null;
  masked: boolean;
  sentence: string;
}

export interface AccessRow {
  principal: NamedPrincipal;
  read: Reason;
  write: boolean;
  execute: boolean;
}

/** The access of one item with what is needed to explain it. */
export interface LoadedAccess {
  item: ItemAccess;
  access: AccessClass;
  /** Paths of the folders on the way by the id of their list, deepest last. */
  folders: Map<number, string>;
  accounts: KnownPeople;
}

/** Null where permissions of the item are not known. */
export async function loadAccess(db: Db, item: ItemAccess): Promise<LoadedAccess | null> {
  if (item.access_class === null) return null;
  const access = (await loadClasses(db)).get(item.access_class);
  if (!access) return null;
  const rows = await foldersOnPath(db, item.library_id, item.rel_path);
  return { item, access, folders: new Map(rows.map(({ acl_id, rel_path }) => [acl_id, rel_path])), accounts: await knownPeople(db) };
}

export function explainAccess(loaded: LoadedAccess, who: ResolvedPrincipal, right: Right): Reason {
  const decided = decideAccess(loaded.access, who.identity, right);
  const acl = decided.at === 'file' ? loaded.access.acl : loaded.access.path.find(({ id }) => id === decided.aclId)?.acl;
  const through = acl ? entryPrincipal(decided.decision, acl) : null;
  const folder = decided.at === 'folder' ? { path: loaded.folders.get(decided.aclId) ?? null } : null;
  return {
    allowed: decided.allowed,
    through: through && named(through, loaded.accounts),
    folder,
    masked: decided.decision.masked === true,
    sentence: sentenceOf(loaded, who, right, decided, through, folder),
  };
}

export function entryPrincipal({ entry, list }: Decision, acl: FileAcl): FilePrincipal | null {
  if (entry === null) return null;
  if (entry === 'root') return userPrincipal(0);
  if (entry === 'owner') return userPrincipal(acl.uid);
  if (entry === 'group_owner') return groupPrincipal(acl.gid);
  if (entry === 'other') return { kind: 'well_known', id: 'other', well_known: 'everyone' };
  const [kind, id] = entry.split(':');
  if (list === 'posix' && id !== undefined) return kind === 'user' ? userPrincipal(Number(id)) : groupPrincipal(Number(id));
  return entriesOf(acl).find(({ principal }) => principal.id === entry)?.principal ?? { kind: 'unmapped', id: entry };
}

const words: Record<Right, string> = { read: 'read', write: 'change', execute: 'run' };

function sentenceOf(
  { accounts }: LoadedAccess,
  who: ResolvedPrincipal,
  right: Right,
  { allowed, decision }: AccessDecision,
  through: FilePrincipal | null,
  folder: { path: string | null } | null,
): string {
  const person = who.name ?? who.principal.id;
  const what = words[right];
  if (folder) {
    const place =
      folder.path === null ? 'a folder above the library' : folder.path === '' ? 'the folder of the library' : `the folder ${folder.path}`;
    return `${person} cannot ${what} this file, because ${person} may not enter ${place}.`;
  }
  const entry = through ? entryWords(decision.entry, labelOf(through, accounts)) : null;
  if (allowed) return `${person} can ${what} this file${entry ? ` ${entry}` : ''}.`;
  if (decision.masked) return `${person} cannot ${what} this file: the entry would allow it, but the mask of the list takes it away.`;
  return entry
    ? `${person} cannot ${what} this file. What decides is the access ${entry}.`
    : `${person} cannot ${what} this file. No entry is about ${person}.`;
}

function entryWords(entry: string | null, name: string): string {
  if (entry === 'owner' || entry === 'OWNER@') return 'as its owner';
  if (entry === 'root') return 'as the administrator of the machine';
  if (entry === 'other' || entry === 'EVERYONE@' || entry === 'S-1-1-0') return 'of everyone else';
  if (entry === 'group_owner' || entry === 'GROUP@' || entry?.startsWith('group:')) return `of the group ${name}`;
  return `given to ${name}`;
}

/** Everybody the record is about: owner, named users and groups, members of those groups, and everyone. */
function candidates({ access: { acl }, accounts }: LoadedAccess): ResolvedPrincipal[] {
  const ids = new Set<string>([ownersOf(acl).owner.id]);
  const groups = new Set<string>();
  for (const { principal } of entriesOf(acl)) {
    if (principal.id === 'mask' || principal.well_known === 'owner') continue;
    if (principal.well_known === 'group_owner') groups.add(`gid:${acl.gid}`);
    else (principal.id.startsWith('gid:') ? groups : ids).add(principal.id);
  }
  const members = [...groups].flatMap((group) => accounts.membersOf(Number(group.slice(4))).map((uid) => `uid:${uid}`));
  const order = [...ids, ...members, ...groups].sort((a, b) => Number(a === 'other') - Number(b === 'other'));
  return [...new Set(order)].map((id) => resolvePrincipal(id, accounts)).filter((each) => each !== null);
}

/** Who may use a file, through what. People and groups that the lists name come first; `more` counts those left off. */
export function listAccess(loaded: LoadedAccess): { rows: AccessRow[]; more: number; people: { can_read: number; cannot_read: number } } {
  const all = candidates(loaded);
  const rows = all.slice(0, maxPeople).map(
    (who): AccessRow => ({
      principal: named(who.principal, loaded.accounts),
      read: explainAccess(loaded, who, 'read'),
      write: decideAccess(loaded.access, who.identity, 'write').allowed,
      execute: decideAccess(loaded.access, who.identity, 'execute').allowed,
    }),
  );
  return { rows, more: all.length - rows.length, people: countPeople(loaded) };
}

function countPeople({ item, access, accounts }: LoadedAccess): { can_read: number; cannot_read: number } {
  const people = peopleOf(accounts, item.machine);
  const can_read = people.filter(({ identity }) => decideAccess(access, identity, 'read').allowed).length;
  return { can_read, cannot_read: people.length - can_read };
}

/** People of directories beyond this many are not counted one by one. */
const maxCountedPeople = 5000;

/** People of this machine, or of the machine of an agent, and of the directories, each once. */
export function peopleOf(accounts: KnownPeople, machine: number | null): ResolvedPrincipal[] {
  const local = machine === null ? [...accounts.users.keys()].filter(isPerson) : accounts.machines.peopleOf(machine);
  const known = new Set(local);
  const others = accounts.directory.users.filter(({ uid }) => uid === null || !known.has(uid)).slice(0, maxCountedPeople);
  return [
    ...local.flatMap((uid) => resolvePrincipal(`uid:${uid}`, accounts) ?? []),
    ...others.flatMap((entry) => resolveEntry(entry, accounts) ?? []),
  ];
}

export function describeAcl(acl: FileAcl, accounts: KnownPeople) {
  const { owner, group } = ownersOf(acl);
  return {
    fidelity: acl.fidelity,
    mode: modeText(acl.mode),
    owner: named(owner, accounts),
    group: named(group, accounts),
    posture: postureOf(acl),
    entries: entriesOf(acl).map((entry) => ({ ...entry, principal: named(entry.principal, accounts) })),
  };
}

/** As `ls -l` writes it, without the type. */
function modeText(mode: number): string {
  const part = (shift: number, special: number, letter: string): string => {
    const bits = (mode >> shift) & 7;
    const execute = (bits & 1) !== 0;
    const last = (mode & special) !== 0 ? (execute ? letter : letter.toUpperCase()) : execute ? 'x' : '-';
    return `${(bits & 4) !== 0 ? 'r' : '-'}${(bits & 2) !== 0 ? 'w' : '-'}${last}`;
  };
  return part(6, 0o4000, 's') + part(3, 0o2000, 's') + part(0, 0o1000, 't');
}

export { isWorldReadable };
