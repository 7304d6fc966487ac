import type { FileAcl } from './file-acl.ts';
import { nfsFlags } from './nfs-acl.ts';
import { ntFlags } from './nt-descriptor.ts';

/**
 * Decides what a person or group may do with a file, by the same rules as the kernel (POSIX), an NFS server or Windows. Pure functions over
 * one record; that a file is reachable at all is decided by the caller from the records of its folders.
 */
export interface Identity {
  /** Null for a group, and for "everyone", which stands for a person without any known id or group. */
  uid: number | null;
  gids: ReadonlySet<number>;
  /** Windows identifiers of the person, their groups and the classes they belong to. */
  sids: ReadonlySet<string>;
  /** Names as NFS servers write them: `name` or `name@domain`; groups included. */
  names: ReadonlySet<string>;
  /** True for "everyone": what is granted to anybody at all. */
  anyone?: boolean;
}

export type Right = 'read' | 'write' | 'execute';

export interface Decision {
  allowed: boolean;
  /** The kind of list that decided. */
  list: 'mode' | 'posix' | 'nfs' | 'nt' | 'root';
  /** The entry that decided, such as `owner`, `user:1000`, `group:100`, `other` or a SID; null when no entry matched. */
  entry: string | null;
  /** True when the entry would allow it and the mask of the list takes it away. */
  masked?: boolean;
}

export const everyone: Identity = { uid: null, gids: new Set(), sids: new Set(['S-1-1-0']), names: new Set(), anyone: true };

const posixBit: Record<Right, number> = { read: 4, write: 2, execute: 1 };

export function evaluate(acl: FileAcl, identity: Identity, right: Right, isFolder = false): Decision {
  if (isWindowsOnly(identity)) return acl.nt ? evaluateNt(acl, identity, right) : { allowed: false, list: 'nt', entry: null };
  // Somebody with Windows identifiers reaches files with a Windows list through a share, where that list decides.
  if (acl.nt && identity.sids.size > 0 && !identity.anyone) return evaluateNt(acl, identity, right);
  if (acl.nt && identity.anyone) {
    const shared = evaluateNt(acl, identity, right);
    if (shared.allowed) return shared;
  }
  if (acl.nfs) return evaluateNfs(acl, identity, right);
  return evaluatePosix(acl, identity, posixBit[right], isFolder);
}

/** Whether somebody may pass through a folder. Windows lets everybody pass by default, so only POSIX and NFS lists count. */
export function mayEnter(acl: FileAcl, identity: Identity): Decision {
  if (isWindowsOnly(identity) || (acl.nt && identity.sids.size > 0)) return { allowed: true, list: 'nt', entry: 'S-1-1-0' };
  return acl.nfs ? evaluateNfs(acl, identity, 'execute') : evaluatePosix(acl, identity, posixBit.execute, true);
}

/** Somebody known by Windows identifiers alone reaches files through a share, where the Windows list decides. */
const isWindowsOnly = ({ uid, gids, sids, anyone }: Identity): boolean => uid === null && gids.size === 0 && sids.size > 0 && !anyone;

/** Whether nobody at all is stopped by this folder, so that it need not be remembered for the files below it. */
export function everybodyMayEnter(acl: FileAcl): boolean {
  if (acl.nfs) return false;
  if ((acl.mode & 0o111) !== 0o111) return false;
  const mask = maskOf(acl);
  return (acl.access ?? []).every(({ tag, perm }) => tag === 'mask' || (effective(tag, perm, mask) & posixBit.execute) !== 0);
}

const maskOf = ({ access }: FileAcl): number => access?.find(({ tag }) => tag === 'mask')?.perm ?? 7;
const effective = (tag: string, perm: number, mask: number): number => (tag === 'owner' || tag === 'other' ? perm : perm & mask);

function evaluatePosix(acl: FileAcl, { uid, gids }: Identity, bit: number, isFolder: boolean): Decision {
  if (uid === 0) {
    // The superuser is stopped only from executing a file that nobody may execute.
    const allowed = bit !== posixBit.execute || isFolder || (acl.mode & 0o111) !== 0;
    return { allowed, list: 'root', entry: 'root' };
  }
  // The kernel looks at a list only while its mask, which is then the group part of the mode, allows something.
  const list = acl.access && (acl.mode & 0o070) !== 0 ? acl.access : null;
  const kind = list ? 'posix' : 'mode';
  if (uid !== null && uid === acl.uid) return { allowed: ((acl.mode >> 6) & bit) !== 0, list: kind, entry: 'owner' };
  if (!list) {
    const [shift, entry] = gids.has(acl.gid) ? ([3, 'group_owner'] as const) : ([0, 'other'] as const);
    return { allowed: ((acl.mode >> shift) & bit) !== 0, list: kind, entry };
  }
  const mask = maskOf(acl);
  const named = uid === null ? undefined : list.find((entry) => entry.tag === 'user' && entry.id === uid);
  if (named) return maskedDecision(named.perm, mask, bit, `user:${uid}`);
  const groups = list.filter(({ tag, id }) => (tag === 'group_owner' ? gids.has(acl.gid) : tag === 'group' && id !== null && gids.has(id)));
  if (groups.length > 0) {
    const granting = groups.find(({ perm }) => (perm & bit) !== 0);
    const { tag, id, perm } = granting ?? (groups[0] as (typeof groups)[number]);
    return maskedDecision(perm, mask, bit, tag === 'group_owner' ? tag : `group:${id}`);
  }
  return { allowed: (acl.mode & bit) !== 0, list: 'posix', entry: 'other' };
}

function maskedDecision(perm: number, mask: number, bit: number, entry: string): Decision {
  const granted = (perm & bit) !== 0;
  const allowed = granted && (mask & bit) !== 0;
  return { allowed, list: 'posix', entry, ...(granted && !allowed ? { masked: true } : {}) };
}

/** Read data or list, write data or add file, execute or traverse; the numbers are the same in NFSv4 and Windows lists. */
const dataBit: Record<Right, number> = { read: 0x1, write: 0x2, execute: 0x20 };

function evaluateNfs(acl: FileAcl, { uid, gids, names }: Identity, right: Right): Decision {
  if (uid === 0) return { allowed: true, list: 'root', entry: 'root' };
  const bit = dataBit[right];
  for (const { type, who, isGroup, mask, flags } of acl.nfs ?? []) {
    if ((flags & nfsFlags.inheritOnly) !== 0 || (mask & bit) === 0) continue;
    const matches =
      who === 'EVERYONE@' ||
      (who === 'OWNER@' && uid === acl.uid) ||
      (who === 'GROUP@' && gids.has(acl.gid)) ||
      names.has(who) ||
      (isGroup ? gids.has(Number(who)) : uid !== null && who === String(uid));
    if (matches) return { allowed: type === 'allow', list: 'nfs', entry: who };
  }
  return { allowed: false, list: 'nfs', entry: null };
}

const generic: Record<Right, number> = { read: 0x9000_0000, write: 0x5000_0000, execute: 0x3000_0000 };

function evaluateNt({ nt }: FileAcl, { sids }: Identity, right: Right): Decision {
  if (!nt?.dacl) return { allowed: true, list: 'nt', entry: 'S-1-1-0' };
  const bits = dataBit[right] | generic[right];
  for (const { type, sid, mask, flags } of nt.dacl) {
    if ((flags & ntFlags.inheritOnly) !== 0 || (mask & bits) === 0) continue;
    const isOwner = sid === 'S-1-3-4' && nt.owner !== null && sids.has(nt.owner);
    if (sids.has(sid) || isOwner) return { allowed: type === 'allow', list: 'nt', entry: sid };
  }
  return { allowed: false, list: 'nt', entry: null };
}
