/** POSIX access control lists as the kernel stores them in extended attributes (linux/posix_acl_xattr.h). */

export type PosixTag = 'owner' | 'user' | 'group_owner' | 'group' | 'mask' | 'other';

export interface PosixEntry {
  tag: PosixTag;
  /** The uid or gid of `user` and `group` entries; null for the others. */
  id: number | null;
  /** Read 4, write 2, execute 1. */
  perm: number;
}

const tags: Readonly<Record<number, PosixTag>> = { 1: 'owner', 2: 'user', 4: 'group_owner', 8: 'group', 16: 'mask', 32: 'other' };
const supportedVersion = 2;

/** Returns null when the bytes are not an ACL of the known version. */
export function parsePosixAcl(bytes: Uint8Array): PosixEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || (bytes.length - 4) % 8 !== 0 || view.getUint32(0, true) !== supportedVersion) return null;
  const entries: PosixEntry[] = [];
  for (let at = 4; at < bytes.length; at += 8) {
    const tag = tags[view.getUint16(at, true)];
    if (!tag) return null;
    const named = tag === 'user' || tag === 'group';
    entries.push({ tag, id: named ? view.getUint32(at + 4, true) : null, perm: view.getUint16(at + 2, true) & 7 });
  }
  return entries;
}
