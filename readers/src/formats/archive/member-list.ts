import { ExtractError, type Extracted, type Limits } from '../../contract.ts';

/** One entry of an archive, with the fields its format provides. */
export interface ArchiveMember {
  name: string;
  size: number;
  directory?: boolean;
  encrypted?: boolean;
}

/** Members stored with name and size in the metadata. Members beyond this are only counted. */
const maxMembersKept = 1000;
/** Characters of member names passed to the search index. */
const maxNameTextChars = 100_000;

/** Collects archive members up to the limits and builds the metadata. */
export interface MemberList {
  /** Returns false once the member limit is reached. The caller must then stop reading. */
  add(member: ArchiveMember): boolean;
  /** Marks the list as incomplete. */
  markTruncated(): void;
  finish(format: string, extra?: Record<string, unknown>): Extracted;
}

export function createMemberList(limits: Pick<Limits, 'archiveMaxMembers'>): MemberList {
  const kept: ArchiveMember[] = [];
  const names: string[] = [];
  const seen = { count: 0, folders: 0, bytes: 0, nested: 0, unsafe: 0, chars: 0, truncated: false, encrypted: false };

  const store = (member: ArchiveMember): void => {
    const name = readableName(member.name);
    if (name === '') return;
    if (kept.length < maxMembersKept) kept.push({ name, size: member.size });
    if (seen.chars + name.length < maxNameTextChars) {
      names.push(name);
      seen.chars += name.length + 1;
    }
  };
  return {
    markTruncated() {
      seen.truncated = true;
    },
    add(member) {
      if (seen.count + seen.folders >= limits.archiveMaxMembers) {
        seen.truncated = true;
        return false;
      }
      if (escapesFolder(member.name)) seen.unsafe++;
      if (member.encrypted) seen.encrypted = true;
      if (member.directory) {
        seen.folders++;
        return true;
      }
      seen.count++;
      seen.bytes += Number.isFinite(member.size) && member.size > 0 ? member.size : 0;
      if (isArchiveName(member.name)) seen.nested++;
      store(member);
      return true;
    },
    finish(format, extra = {}) {
      const archive = {
        format,
        member_count: seen.count,
        folder_count: seen.folders,
        total_uncompressed: seen.bytes,
        members: kept,
        truncated: seen.truncated,
        encrypted: seen.encrypted,
        nested: seen.nested > 0,
        nested_count: seen.nested,
        unsafe_names: seen.unsafe,
        ...extra,
      };
      return { metadata: { archive }, archiveMembers: names.join('\n') };
    },
  };
}

/** Metadata keys that `finish` can set. */
export const archiveKeys = [
  'archive',
  'archive.format',
  'archive.member_count',
  'archive.folder_count',
  'archive.total_uncompressed',
  'archive.members',
  'archive.truncated',
  'archive.encrypted',
  'archive.nested',
  'archive.nested_count',
  'archive.unsafe_names',
] as const;

/** Throws when an archive claims to unpack to far more than its own size, which is the sign of a decompression bomb. */
export function guardRatio(unpacked: number, packed: number, limits: Limits): void {
  if (unpacked <= limits.decompressionRatioMinBytes) return;
  if (unpacked > Math.max(1, packed) * limits.decompressionRatio) {
    throw new ExtractError('guard', `The archive unpacks to more than ${limits.decompressionRatio} times its size.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');
const maxNameChars = 1000;

/** Decodes a name whose encoding is not stated: UTF-8 if valid, otherwise Windows-1252, which accepts any bytes. */
export function decodeMemberName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

/**
 * Member names come from untrusted archives: they are shown and searched, never used as paths. Control and bidirectional characters become
 * spaces because they break lists and logs. `..` and leading slashes are kept so that people can search for them.
 */
function readableName(name: string): string {
  const clean = name
    .replaceAll('\\', '/')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .toWellFormed()
    .trim();
  return clean.length > maxNameChars ? clean.slice(0, maxNameChars).toWellFormed() : clean;
}

/** True for names that would be extracted outside the target folder. */
function escapesFolder(name: string): boolean {
  const plain = name.replaceAll('\\', '/');
  return plain.startsWith('/') || /^[a-z]:/i.test(plain) || plain.split('/').includes('..') || plain.includes('\0');
}

const archiveSuffix =
  /\.(zip|zipx|jar|war|ear|apk|cbz|cbr|cb7|cbt|epub|tar|tgz|tbz2?|txz|tzst|gz|bz2|xz|zst|lzma|lz4|7z|rar|cab|iso|arj|lzh|lha|cpio|deb|rpm|wim|dmg)$/i;

function isArchiveName(name: string): boolean {
  return archiveSuffix.test(name);
}
