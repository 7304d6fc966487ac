import { type ReplicationEntry, replicationEvents } from '@catalog/protocol';
import type { MachineAccounts } from '../../catalog/permissions/index.ts';
import type { ReportedChange, ReportedFile, ReportedFolder } from '../../catalog/scan/index.ts';
import { readAbove, readAccounts, readAcl } from './access.ts';
import { readExtracted } from './extracted.ts';

/** An entry that can be applied, or why it cannot. */
export type ReadEntry =
  | { libraryRef: string; initial: boolean; change: ReportedChange }
  | { libraryRef: string; folder: ReportedFolder; accounts: MachineAccounts | undefined }
  | { reason: string };

const maxPathBytes = 2600;
const maxInteger = 2n ** 63n - 1n;

/** Checks one entry. Everything in it comes from another machine and may be wrong. Facts of more than `maxExtracted` bytes are dropped. */
export function readEntry(raw: unknown, maxExtracted = 0): ReadEntry {
  if (typeof raw !== 'object' || raw === null) return { reason: 'The entry is not an object.' };
  const entry = raw as Partial<Record<keyof ReplicationEntry, unknown>>;
  const libraryRef = entry.library_ref;
  if (
    typeof libraryRef !== 'string' ||
    !isStorable(libraryRef) ||
    !/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(libraryRef) ||
    Buffer.byteLength(libraryRef) > maxPathBytes
  )
    return { reason: 'library_ref is not an absolute path.' };
  const type = replicationEvents.find((each) => each === entry.event_type);
  if (!type) return { reason: `event_type must be one of ${replicationEvents.join(', ')}.` };
  if (type === 'folder') return readFolder(entry, libraryRef);
  const relPath = readPath(entry.rel_path);
  if (relPath === null) return { reason: 'rel_path is not a relative path of a file.' };
  const initial = entry.initial === true;
  if (type === 'deleted') return { libraryRef, initial: false, change: { kind: 'gone', relPath } };
  const file = readFile(entry, maxExtracted);
  if (typeof file === 'string') return { reason: file };
  if (type !== 'moved') return { libraryRef, initial, change: { kind: 'present', relPath, file } };
  const fromRelPath = readPath(entry.from_rel_path);
  if (fromRelPath === null || fromRelPath === relPath) return { reason: 'from_rel_path is not the path of another file.' };
  return { libraryRef, initial: false, change: { kind: 'moved', relPath, fromRelPath, file } };
}

function readFolder(entry: Partial<Record<keyof ReplicationEntry, unknown>>, libraryRef: string): ReadEntry {
  const path = entry.rel_path === '' ? '' : readPath(entry.rel_path);
  if (path === null) return { reason: 'rel_path is not a relative path of a folder.' };
  const acl = entry.acl === null ? null : readAcl(entry.acl);
  const above = readAbove(entry.above);
  if (acl === undefined || above === undefined) return { reason: 'acl or above is not an access list.' };
  const accounts = entry.accounts === undefined ? undefined : readAccounts(entry.accounts);
  if (entry.accounts !== undefined && accounts === undefined) return { reason: 'accounts is not a list of users and groups.' };
  return { libraryRef, folder: { path, acl, above }, accounts };
}

function isStorable(text: string): boolean {
  return text.length > 0 && !text.includes('\0') && text.isWellFormed();
}

function readPath(value: unknown): string | null {
  if (typeof value !== 'string' || !isStorable(value) || Buffer.byteLength(value) > maxPathBytes) return null;
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..') ? value : null;
}

/** The facts of a file, or what is wrong with them. */
function readFile(entry: Partial<Record<keyof ReplicationEntry, unknown>>, maxExtracted: number): ReportedFile | string {
  const { size, links = 1, device = 0, inode = '0', symlink_target = null, hash_error = null, allocated = null } = entry;
  if (!isCount(size)) return 'size is not a whole number of bytes.';
  if (!isCount(links) || links > 2_147_483_647) return 'links is not a whole number.';
  if (!isCount(device)) return 'device is not a whole number.';
  if (allocated !== null && !isCount(allocated)) return 'allocated is not a whole number of bytes.';
  const mtimeNs = entry.mtime_ns === undefined ? fromSeconds(entry.mtime) : readInteger(entry.mtime_ns);
  if (mtimeNs === null) return 'mtime_ns is not a number of nanoseconds.';
  const ctimeNs = entry.ctime_ns === undefined || entry.ctime_ns === null ? null : readInteger(entry.ctime_ns);
  const inodeText = readInteger(inode);
  if (inodeText === null || (entry.ctime_ns != null && ctimeNs === null)) return 'inode or ctime_ns is not a whole number.';
  if (symlink_target !== null && !(typeof symlink_target === 'string' && isStorable(symlink_target) && symlink_target.length <= 4096))
    return 'symlink_target is not a path.';
  const quick = readHash(entry.quick_hash, 16);
  const content = readHash(entry.content_hash, 64);
  const policyVersion = entry.policy_version ?? null;
  if (quick === undefined || content === undefined) return 'quick_hash or content_hash is not a hash in hexadecimal digits.';
  if (policyVersion !== null && !(typeof policyVersion === 'string' && /^[a-z0-9]{1,8}:[a-z]{1,8}$/.test(policyVersion)))
    return 'policy_version is not the name of a hashing scheme.';
  if (hash_error !== null && !(typeof hash_error === 'string' && isStorable(hash_error) && hash_error.length <= 64))
    return 'hash_error is not an error code.';
  const acl = entry.acl === undefined || entry.acl === null ? null : readAcl(entry.acl);
  if (acl === undefined) return 'acl is not an access list.';
  return {
    size,
    mtimeNs,
    inode: inodeText,
    device,
    links,
    allocated,
    ctimeNs,
    symlinkTarget: symlink_target,
    hashes: { quick, content, policyVersion, error: hash_error },
    ...(entry.acl === undefined ? {} : { acl: symlink_target === null ? acl : null }),
    ...(entry.extracted === undefined || symlink_target !== null ? {} : { extracted: readExtracted(entry.extracted, maxExtracted) }),
  };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** A 64-bit integer as text. */
function readInteger(value: unknown): string | null {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return null;
  const number = BigInt(value);
  return number <= maxInteger && number >= -maxInteger ? String(number) : null;
}

function fromSeconds(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 9e9) return null;
  return String(BigInt(Math.round(value * 1e6)) * 1000n);
}

/** Null when there is none, undefined when it is malformed. */
function readHash(value: unknown, digits: number): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value) ? value : undefined;
}

/** The sequence numbers of a batch must continue the agent's last one without a gap. */
export function sequenceFault(numbers: readonly unknown[], last: number): string | null {
  const [first] = numbers;
  if (numbers.length === 0) return 'empty';
  if (!numbers.every(isCount)) return 'non_monotonic';
  const given = numbers as readonly number[];
  for (let at = 1; at < given.length; at += 1) {
    const step = (given[at] ?? 0) - (given[at - 1] ?? 0);
    if (step === 0) return 'duplicate';
    if (step < 0) return 'non_monotonic';
    if (step > 1) return 'internal_gap';
  }
  return (first as number) <= last ? 'stale' : (first as number) > last + 1 ? 'gap' : null;
}
