import type { FileAcl } from './file-acl.ts';
import { nfsFlags } from './nfs-acl.ts';
import { ntFlags } from './nt-descriptor.ts';
import type { PosixEntry } from './posix-acl.ts';

/** Who an entry is about. The id is `uid:1000`, `gid:100`, `other`, `mask`, a SID, or a name as an NFS server writes it. */
export interface FilePrincipal {
  kind: 'user' | 'group' | 'well_known' | 'unmapped';
  id: string;
  well_known?: string;
}

/** One line of an access control list in a form that is the same for all kinds of lists. */
export interface PermissionEntry {
  principal: FilePrincipal;
  type: 'allow' | 'deny';
  verbs: Verb[];
  raw_mask: number;
  inherited: boolean;
  container_inherit: boolean;
  object_inherit: boolean;
  no_propagate: boolean;
  inherit_only: boolean;
  scope: 'this' | 'subtree' | 'dir_default';
  source: 'local' | 'share';
  /** The stored order, which decides in Windows and NFS lists. */
  order_index: number;
}

export const verbs = [
  'read',
  'write',
  'execute',
  'append',
  'delete',
  'delete_child',
  'list',
  'read_attr',
  'write_attr',
  'read_perms',
  'change_perms',
  'take_ownership',
  'full',
] as const;
export type Verb = (typeof verbs)[number];

const wellKnownSids: Readonly<Record<string, string>> = {
  'S-1-0-0': 'nobody',
  'S-1-1-0': 'everyone',
  'S-1-3-0': 'creator_owner',
  'S-1-3-1': 'creator_group',
  'S-1-3-2': 'creator_owner_server',
  'S-1-3-3': 'creator_group_server',
  'S-1-3-4': 'owner_rights',
  'S-1-5-7': 'anonymous',
  'S-1-5-11': 'authenticated_users',
  'S-1-5-13': 'terminal_server_users',
  'S-1-5-18': 'local_system',
  'S-1-5-19': 'local_service',
  'S-1-5-20': 'network_service',
  'S-1-5-32-544': 'administrators',
  'S-1-5-32-545': 'users',
  'S-1-5-32-546': 'guests',
};

export function userPrincipal(uid: number): FilePrincipal {
  return uid === 0 ? { kind: 'well_known', id: 'uid:0', well_known: 'root' } : { kind: 'user', id: `uid:${uid}` };
}
export function groupPrincipal(gid: number): FilePrincipal {
  return gid === 0 ? { kind: 'well_known', id: 'gid:0', well_known: 'root' } : { kind: 'group', id: `gid:${gid}` };
}
export function sidPrincipal(sid: string): FilePrincipal {
  const tag = wellKnownSids[sid] ?? (sid.startsWith('S-1-5-32-') ? 'builtin' : undefined);
  return tag ? { kind: 'well_known', id: sid, well_known: tag } : { kind: 'unmapped', id: sid };
}
function nfsPrincipal(who: string, isGroup: boolean): FilePrincipal {
  const tag = ({ 'OWNER@': 'owner', 'GROUP@': 'group_owner', 'EVERYONE@': 'everyone' } as Record<string, string>)[who];
  if (tag) return { kind: 'well_known', id: who, well_known: tag };
  if (/^\d+$/.test(who)) return isGroup ? groupPrincipal(Number(who)) : userPrincipal(Number(who));
  return { kind: isGroup ? 'group' : 'user', id: who };
}
const other: FilePrincipal = { kind: 'well_known', id: 'other', well_known: 'everyone' };

/** The owner and group of the file; a Windows descriptor names its own. */
export function ownersOf(acl: FileAcl): { owner: FilePrincipal; group: FilePrincipal } {
  return {
    owner: acl.nt?.owner ? sidPrincipal(acl.nt.owner) : userPrincipal(acl.uid),
    group: acl.nt?.group ? sidPrincipal(acl.nt.group) : groupPrincipal(acl.gid),
  };
}

export function entriesOf(acl: FileAcl): PermissionEntry[] {
  const posix = acl.access ? posixEntries(acl.access, acl, 'this') : modeEntries(acl);
  const inherited = acl.default ? posixEntries(acl.default, acl, 'dir_default') : [];
  const all = acl.nt ? ntEntries(acl) : acl.nfs ? nfsEntries(acl) : [...posix, ...inherited];
  return all.map((entry, order_index) => ({ ...entry, order_index }));
}

type Unordered = Omit<PermissionEntry, 'order_index'>;
const plain = {
  type: 'allow',
  inherited: false,
  container_inherit: false,
  object_inherit: false,
  no_propagate: false,
  inherit_only: false,
  source: 'local',
} as const;

const posixVerbs = (perm: number): Verb[] => [
  ...((perm & 4) !== 0 ? ['read' as const] : []),
  ...((perm & 2) !== 0 ? ['write' as const] : []),
  ...((perm & 1) !== 0 ? ['execute' as const] : []),
];

function modeEntries({ uid, gid, mode }: FileAcl): Unordered[] {
  const entry = (principal: FilePrincipal, perm: number): Unordered => ({
    ...plain,
    principal,
    verbs: posixVerbs(perm),
    raw_mask: perm,
    scope: 'this',
  });
  return [entry(userPrincipal(uid), (mode >> 6) & 7), entry(groupPrincipal(gid), (mode >> 3) & 7), entry(other, mode & 7)];
}

function posixEntries(list: readonly PosixEntry[], { uid, gid }: FileAcl, scope: 'this' | 'dir_default'): Unordered[] {
  const mask = list.find(({ tag }) => tag === 'mask')?.perm ?? 7;
  return list.map(({ tag, id, perm }) => {
    const principal: FilePrincipal =
      tag === 'owner'
        ? userPrincipal(uid)
        : tag === 'group_owner'
          ? groupPrincipal(gid)
          : tag === 'user'
            ? userPrincipal(id ?? 0)
            : tag === 'group'
              ? groupPrincipal(id ?? 0)
              : tag === 'mask'
                ? { kind: 'well_known', id: 'mask', well_known: 'mask' }
                : other;
    // The verbs are those that remain under the mask; raw_mask is the entry as stored.
    const limited = tag === 'user' || tag === 'group' || tag === 'group_owner' ? perm & mask : perm;
    return { ...plain, principal, verbs: posixVerbs(limited), raw_mask: perm, scope };
  });
}

const maskVerbs: readonly [number, Verb][] = [
  [0x1, 'read'],
  [0x2, 'write'],
  [0x4, 'append'],
  [0x20, 'execute'],
  [0x40, 'delete_child'],
  [0x80, 'read_attr'],
  [0x100, 'write_attr'],
  [0x1_0000, 'delete'],
  [0x2_0000, 'read_perms'],
  [0x4_0000, 'change_perms'],
  [0x8_0000, 'take_ownership'],
];
const fullMask = 0x1f01ff;

function verbsOfMask(mask: number): Verb[] {
  // Generic rights of Windows stand for fixed sets of specific ones.
  let bits = mask >>> 0;
  if ((bits & 0x1000_0000) !== 0 || (bits & fullMask) === fullMask) return ['full'];
  if ((bits & 0x8000_0000) !== 0) bits |= 0x2_0081;
  if ((bits & 0x4000_0000) !== 0) bits |= 0x2_0106;
  if ((bits & 0x2000_0000) !== 0) bits |= 0x2_00a0;
  return maskVerbs.filter(([bit]) => (bits & bit) !== 0).map(([, verb]) => verb);
}

function ntEntries({ nt }: FileAcl): Unordered[] {
  return (nt?.dacl ?? []).map(({ type, sid, mask, flags }) => ({
    principal: sidPrincipal(sid),
    type,
    verbs: verbsOfMask(mask),
    raw_mask: mask,
    inherited: (flags & ntFlags.inherited) !== 0,
    container_inherit: (flags & ntFlags.containerInherit) !== 0,
    object_inherit: (flags & ntFlags.objectInherit) !== 0,
    no_propagate: (flags & ntFlags.noPropagate) !== 0,
    inherit_only: (flags & ntFlags.inheritOnly) !== 0,
    scope: scopeOf((flags & ntFlags.inheritOnly) !== 0, (flags & (ntFlags.containerInherit | ntFlags.objectInherit)) !== 0),
    source: 'local',
  }));
}

function nfsEntries({ nfs }: FileAcl): Unordered[] {
  return (nfs ?? []).map(({ type, who, isGroup, mask, flags }) => ({
    principal: nfsPrincipal(who, isGroup),
    type,
    verbs: verbsOfMask(mask),
    raw_mask: mask,
    inherited: (flags & nfsFlags.inherited) !== 0,
    container_inherit: (flags & nfsFlags.folderInherit) !== 0,
    object_inherit: (flags & nfsFlags.fileInherit) !== 0,
    no_propagate: (flags & nfsFlags.noPropagate) !== 0,
    inherit_only: (flags & nfsFlags.inheritOnly) !== 0,
    scope: scopeOf((flags & nfsFlags.inheritOnly) !== 0, (flags & (nfsFlags.fileInherit | nfsFlags.folderInherit)) !== 0),
    source: 'local',
  }));
}

const scopeOf = (inheritOnly: boolean, inherits: boolean): PermissionEntry['scope'] =>
  inheritOnly ? 'dir_default' : inherits ? 'subtree' : 'this';

/** How Windows wants lists: whether there is one, and whether denials precede what is allowed. */
export function postureOf({ nt }: FileAcl): { dacl_present: boolean; dacl_canonical: boolean; generic_mapping_applied: boolean } {
  const dacl = nt?.dacl ?? [];
  const rank = ({ type, flags }: (typeof dacl)[number]): number => ((flags & ntFlags.inherited) !== 0 ? 2 : 0) + (type === 'deny' ? 0 : 1);
  return {
    dacl_present: nt ? nt.dacl !== null : true,
    dacl_canonical: dacl.every((entry, index) => index === 0 || rank(dacl[index - 1] as typeof entry) <= rank(entry)),
    generic_mapping_applied: dacl.some(({ mask }) => mask >>> 28 !== 0),
  };
}
