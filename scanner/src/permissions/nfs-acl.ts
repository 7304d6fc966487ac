/** NFSv4 access control lists as the Linux client hands them out in system.nfs4_acl: XDR, big-endian (RFC 7530, section 6.2.1). */

export interface NfsEntry {
  type: 'allow' | 'deny';
  /** `OWNER@`, `GROUP@`, `EVERYONE@`, `name@domain` or a number. */
  who: string;
  isGroup: boolean;
  mask: number;
  flags: number;
}

export const nfsFlags = { fileInherit: 1, folderInherit: 2, noPropagate: 4, inheritOnly: 8, group: 0x40, inherited: 0x80 } as const;
const maxEntries = 4096;

/** Returns null when the bytes are not such a list. Audit and alarm entries are left out; they allow and deny nothing. */
export function parseNfsAcl(bytes: Uint8Array): NfsEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) return null;
  const count = view.getUint32(0);
  if (count > maxEntries) return null;
  const entries: NfsEntry[] = [];
  let at = 4;
  for (let index = 0; index < count; index += 1) {
    if (at + 16 > bytes.length) return null;
    const [type, flags, mask, length] = [0, 4, 8, 12].map((field) => view.getUint32(at + field)) as [number, number, number, number];
    at += 16;
    if (at + length > bytes.length) return null;
    const who = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8');
    at += Math.ceil(length / 4) * 4;
    if (type > 1) continue;
    entries.push({ type: type === 0 ? 'allow' : 'deny', who, isGroup: (flags & nfsFlags.group) !== 0, mask, flags });
  }
  return entries;
}
