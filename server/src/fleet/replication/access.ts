import { maxReplicatedAccounts } from '@catalog/protocol';
import type { FileAcl } from '@catalog/scanner';
import type { MachineAccounts } from '../../catalog/permissions/index.ts';

/*
 * Access lists and accounts as agents report them. They come from another machine: what is not exactly a list is refused, and lists longer
 * than any file system allows are too.
 */

const maxEntries = 4096;
const maxAbove = 256;
const maxNumber = 2 ** 32;
const maxName = 256;

type Raw = Record<string, unknown>;
const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown, below: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < below;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxName && !value.includes('\0') && value.isWellFormed();
const isSid = (value: unknown): value is string => isText(value) && /^S-1-\d+(-\d+)*$/.test(value);
const isOneOf = <T extends string>(value: unknown, words: readonly T[]): value is T => words.some((word) => word === value);

const fidelities = ['full_native', 'posix_mode_only', 'synthesized_from_mode', 'unavailable'] as const;
const tags = ['owner', 'user', 'group_owner', 'group', 'mask', 'other'] as const;
const types = ['allow', 'deny'] as const;

/** A list in the order of its members, so that equal lists have equal digests. Undefined when it is malformed. */
export function readAcl(raw: unknown): FileAcl | undefined {
  if (!isObject(raw)) return undefined;
  const { uid, gid, mode, fidelity } = raw;
  if (!isNumber(uid, maxNumber) || !isNumber(gid, maxNumber) || !isNumber(mode, 0o10000) || !isOneOf(fidelity, fidelities))
    return undefined;
  const access = readList(raw['access'], readPosix);
  const inherited = readList(raw['default'], readPosix);
  const nfs = readList(raw['nfs'], readNfs);
  const nt = readNt(raw['nt']);
  if (access === undefined || inherited === undefined || nfs === undefined || nt === undefined) return undefined;
  return { uid, gid, mode, fidelity, access, default: inherited, nfs, nt };
}

/** Null when there is none, undefined when it is malformed. */
function readList<T>(raw: unknown, read: (entry: Raw) => T | undefined): T[] | null | undefined {
  if (raw === undefined || raw === null) return null;
  if (!Array.isArray(raw) || raw.length > maxEntries) return undefined;
  const entries = raw.map((entry) => (isObject(entry) ? read(entry) : undefined));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function readPosix({ tag, id, perm }: Raw): NonNullable<FileAcl['access']>[number] | undefined {
  if (!isOneOf(tag, tags) || !isNumber(perm, 8)) return undefined;
  const hasId = tag === 'user' || tag === 'group';
  if (hasId ? !isNumber(id, maxNumber) : id !== null) return undefined;
  return { tag, id: hasId ? (id as number) : null, perm };
}

function readNfs({ type, who, isGroup, mask, flags }: Raw): NonNullable<FileAcl['nfs']>[number] | undefined {
  if (!isOneOf(type, types) || !isText(who) || typeof isGroup !== 'boolean') return undefined;
  return isNumber(mask, maxNumber) && isNumber(flags, maxNumber) ? { type, who, isGroup, mask, flags } : undefined;
}

function readNt(raw: unknown): FileAcl['nt'] | undefined {
  if (raw === undefined || raw === null) return null;
  if (!isObject(raw) || !isNumber(raw['control'], maxNumber)) return undefined;
  const { owner, group, control } = raw;
  if ((owner !== null && !isSid(owner)) || (group !== null && !isSid(group))) return undefined;
  const dacl = readList(raw['dacl'], ({ type, sid, mask, flags }) =>
    isOneOf(type, types) && isSid(sid) && isNumber(mask, maxNumber) && isNumber(flags, maxNumber) ? { type, sid, mask, flags } : undefined,
  );
  return dacl === undefined ? undefined : { owner, group, control, dacl };
}

/** The lists of the folders above a root. Undefined when one is malformed. */
export function readAbove(raw: unknown): FileAcl[] | undefined {
  if (raw === undefined) return [];
  if (!Array.isArray(raw) || raw.length > maxAbove) return undefined;
  const acls = raw.map(readAcl);
  return acls.every((acl) => acl !== undefined) ? acls : undefined;
}

/** Undefined when they are malformed. */
export function readAccounts(raw: unknown): MachineAccounts | undefined {
  if (!isObject(raw)) return undefined;
  const { users, groups } = raw;
  if (!Array.isArray(users) || !Array.isArray(groups)) return undefined;
  if (users.length > maxReplicatedAccounts || groups.length > maxReplicatedAccounts) return undefined;
  const isUser = (each: unknown): each is [number, string, number, string] =>
    Array.isArray(each) && isId(each[0]) && isText(each[1]) && isNumber(each[2], maxNumber) && isText(each[3]);
  const isGroup = (each: unknown): each is [number, string, string[]] =>
    Array.isArray(each) &&
    isId(each[0]) &&
    isText(each[1]) &&
    Array.isArray(each[2]) &&
    each[2].length <= maxEntries &&
    each[2].every(isText);
  if (!users.every(isUser) || !groups.every(isGroup)) return undefined;
  return {
    users: users.map(([uid, name, gid, fullName]) => [uid, name, gid, fullName] as const),
    groups: groups.map(([gid, name, members]) => [gid, name, members] as const),
  };
}

/** Root is the same on every machine. */
const isId = (value: unknown): value is number => isNumber(value, maxNumber) && value !== 0;
