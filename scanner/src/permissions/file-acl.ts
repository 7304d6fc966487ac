import { createHash } from 'node:crypto';
import { type AclAttributes, aclAttribute } from './attributes.ts';
import { type NfsEntry, parseNfsAcl } from './nfs-acl.ts';
import { type NtDescriptor, parseNtDescriptor, parseSambaDescriptor } from './nt-descriptor.ts';
import { type PosixEntry, parsePosixAcl } from './posix-acl.ts';

/**
 * How much of the truth a record holds.
 * full_native            an access control list was read.
 * posix_mode_only        there is none: owner, group and mode are everything the file system keeps.
 * synthesized_from_mode  the mount invents owner and mode (FAT, NTFS, network shares), so they say little about other machines.
 * unavailable            a list exists but could not be read or understood; only owner, group and mode are known.
 */
export type Fidelity = 'full_native' | 'posix_mode_only' | 'synthesized_from_mode' | 'unavailable';

/** Everything that decides who may use one file or folder, as the file system stores it. Files with equal values share one record. */
export interface FileAcl {
  uid: number;
  gid: number;
  /** The permission bits with set-uid, set-gid and sticky. */
  mode: number;
  fidelity: Fidelity;
  access: PosixEntry[] | null;
  /** What new files in a folder inherit. */
  default: PosixEntry[] | null;
  nfs: NfsEntry[] | null;
  nt: NtDescriptor | null;
}

export interface FileOwnership {
  uid: number;
  gid: number;
  mode: number;
}

const inventingTypes = new Set('vfat msdos exfat ntfs ntfs3 fuseblk cifs smb3 9p hfs hfsplus iso9660 udf'.split(' '));

/** Whether a file system makes up owners and modes. */
export const inventsOwners = (fileSystemType: string): boolean => inventingTypes.has(fileSystemType);

/** Combines what stat and the extended attributes say. `invented` marks mounts that make up owners and modes. */
export function toFileAcl({ uid, gid, mode }: FileOwnership, attributes: AclAttributes, invented = false): FileAcl {
  let failed = attributes.failed === true;
  const read = <T>(name: string, parse: (bytes: Uint8Array) => T | null): T | null => {
    const bytes = attributes.values[name];
    if (!bytes) return null;
    const parsed = parse(bytes);
    if (parsed === null) failed = true;
    return parsed;
  };
  const access = read(aclAttribute.posixAccess, parsePosixAcl);
  const inherited = read(aclAttribute.posixDefault, parsePosixAcl);
  const nfs = read(aclAttribute.nfs, parseNfsAcl);
  const nt =
    read(aclAttribute.samba, parseSambaDescriptor) ??
    read(aclAttribute.ntfs, parseNtDescriptor) ??
    read(aclAttribute.ntfsKernel, parseNtDescriptor) ??
    read(aclAttribute.cifs, parseNtDescriptor);
  const native = access ?? inherited ?? nfs ?? nt;
  const fidelity = failed ? 'unavailable' : native ? 'full_native' : invented ? 'synthesized_from_mode' : 'posix_mode_only';
  return { uid, gid, mode: mode & 0o7777, fidelity, access, default: inherited, nfs, nt };
}

/** SHA-256 over the record in a fixed order of members; equal records have equal digests. */
export function aclDigest(acl: FileAcl): string {
  const { uid, gid, mode, fidelity, access, default: inherited, nfs, nt } = acl;
  return createHash('sha256')
    .update(JSON.stringify([1, uid, gid, mode, fidelity, access, inherited, nfs, nt]))
    .digest('hex');
}
