/** Windows security descriptors in their self-relative form ([MS-DTYP] 2.4.6), alone or wrapped by Samba in the attribute security.NTACL. */

export interface NtEntry {
  type: 'allow' | 'deny';
  sid: string;
  mask: number;
  /** The inheritance flags as stored ([MS-DTYP] 2.4.4.1). */
  flags: number;
}

export interface NtDescriptor {
  owner: string | null;
  group: string | null;
  control: number;
  /** Null means that there is no list, which allows everybody everything; an empty list allows nothing. */
  dacl: NtEntry[] | null;
}

export const ntFlags = { objectInherit: 1, containerInherit: 2, noPropagate: 4, inheritOnly: 8, inherited: 16 } as const;

const daclPresent = 0x4;
const descriptorHeader = 20;
/** Entry types with a plain mask and SID; object and audit entries do not decide about files. */
const entryTypes: Readonly<Record<number, NtEntry['type']>> = { 0: 'allow', 1: 'deny', 9: 'allow', 10: 'deny' };

/** Returns null when the bytes are not a descriptor. */
export const parseNtDescriptor = (bytes: Uint8Array): NtDescriptor | null => parseAt(bytes, 0, 0);

/**
 * Samba prefixes the descriptor with a version, a hash of it and, in version 4, a hash of the POSIX ACL it was made from. Offsets inside the
 * descriptor count from the start of the whole value.
 */
export function parseSambaDescriptor(bytes: Uint8Array): NtDescriptor | null {
  if (bytes.length < 8) return null;
  switch (bytes[0]) {
    case 1:
      return parseAt(bytes, 8, 0);
    case 2:
      return parseAt(bytes, 28, 0);
    case 3:
      return parseAt(bytes, 80, 0);
    case 4: {
      const end = bytes.indexOf(0, 78);
      // A time and a hash of 64 bytes follow the description.
      return end === -1 ? null : parseAt(bytes, align(end + 1) + 8 + 64, 0);
    }
    default:
      return null;
  }
}

const align = (at: number): number => Math.ceil(at / 4) * 4;

function parseAt(bytes: Uint8Array, start: number, base: number): NtDescriptor | null {
  if (start + descriptorHeader > bytes.length || bytes[start] !== 1) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const control = view.getUint16(start + 2, true);
  const [owner, group, , dacl] = [4, 8, 12, 16].map((at) => view.getUint32(start + at, true)) as [number, number, number, number];
  const sid = (offset: number): string | null => (offset === 0 ? null : parseSid(bytes, base + offset));
  const list = (control & daclPresent) === 0 || dacl === 0 ? null : parseList(bytes, view, base + dacl);
  if (list === 'invalid') return null;
  return { owner: sid(owner), group: sid(group), control, dacl: list };
}

function parseList(bytes: Uint8Array, view: DataView, start: number): NtEntry[] | 'invalid' {
  if (start + 8 > bytes.length) return 'invalid';
  const count = view.getUint16(start + 4, true);
  const entries: NtEntry[] = [];
  let at = start + 8;
  for (let index = 0; index < count; index += 1) {
    if (at + 8 > bytes.length) return 'invalid';
    const size = view.getUint16(at + 2, true);
    if (size < 8 || at + size > bytes.length) return 'invalid';
    const type = entryTypes[bytes[at] ?? -1];
    const sid = type ? parseSid(bytes, at + 8) : null;
    if (type && sid) entries.push({ type, sid, mask: view.getUint32(at + 4, true), flags: bytes[at + 1] ?? 0 });
    else if (type) return 'invalid';
    at += size;
  }
  return entries;
}

/** Revision, count, a 48-bit big-endian authority and little-endian parts; null when the bytes end early. */
function parseSid(bytes: Uint8Array, at: number): string | null {
  const count = bytes[at + 1];
  if (bytes[at] !== 1 || count === undefined || count > 15 || at + 8 + count * 4 > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const authority = view.getUint16(at + 2) * 0x1_0000_0000 + view.getUint32(at + 4);
  const parts = Array.from({ length: count }, (_, index) => view.getUint32(at + 8 + index * 4, true));
  return ['S', 1, authority, ...parts].join('-');
}
