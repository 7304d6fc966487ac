import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys, createMemberList, decodeMemberName, guardRatio, type MemberList } from './member-list.ts';

/** Older archive and compression formats, listed from their headers without decompressing. */
export const oldArchive: Extractor = {
  name: 'old-archive',
  version: 1,
  text: false,
  usesName: true,
  extensions: ['ace', 'arc', 'zoo', 'lz4', 'tlz4', 'lz', 'lzo', 'lzop', 'tlzo'],
  tools: [],
  keys: [...archiveKeys, 'archive.packing'],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

type ArchiveReader = (file: FileBytes, members: MemberList, source: Source) => { format: string; unpacked: number } | undefined;

const readers: readonly ArchiveReader[] = [ace, zoo, lz4, lzip, lzop, arc];

function read(file: FileBytes, source: Source): Extracted {
  for (const reader of readers) {
    const members = createMemberList(source.limits);
    const found = reader(file, members, source);
    if (found === undefined) continue;
    guardRatio(found.unpacked, file.size, source.limits);
    return members.finish(found.format, ['lz4', 'lzip', 'lzop'].includes(found.format) ? { packing: found.format } : {});
  }
  throw new ExtractError('corrupt', 'The archive cannot be read.');
}

const truncatedArchive = (): ExtractError => new ExtractError('corrupt', 'The archive ends too early.');

function ace(file: FileBytes, members: MemberList): ReturnType<ArchiveReader> {
  if (file.read(7, 7).toString('latin1') !== '**ACE**') return undefined;
  let unpacked = 0;
  for (let at = 0; at + 7 <= file.size; ) {
    const head = file.need(at, 7);
    const size = head.readUInt16LE(2);
    const [type, flags] = [head.readUInt8(4), head.readUInt16LE(5)];
    if (size < 3) throw truncatedArchive();
    const block = file.need(at, 4 + size);
    const added = (flags & 1) !== 0 && block.length >= 11 ? block.readUInt32LE(7) : 0;
    if (type === 1) {
      if (block.length < 35) throw truncatedArchive();
      const length = block.readUInt16LE(33);
      if (35 + length > block.length) throw truncatedArchive();
      const bytes = block.readUInt32LE(11);
      const directory = (block.readUInt32LE(19) & 0x10) !== 0;
      const name = decodeMemberName(block.subarray(35, 35 + length)).replaceAll('\\', '/');
      unpacked += bytes;
      if (!members.add({ name, size: bytes, directory, encrypted: (flags & 0x4000) !== 0 })) break;
    }
    at += 4 + size + added;
  }
  return { format: 'ace', unpacked };
}

/** Method 1 is a stored member, whose header has no second size field. */
function arc(file: FileBytes, members: MemberList): ReturnType<ArchiveReader> {
  const start = file.read(0, 2);
  if (start[0] !== 0x1a || start[1] === undefined || start[1] > 30) return undefined;
  let unpacked = 0;
  for (let at = 0; ; ) {
    const head = file.read(at, 29);
    if (head.length < 2 || head[0] !== 0x1a) throw truncatedArchive();
    const method = head.readUInt8(1);
    if (method === 0) return { format: 'arc', unpacked };
    if (head.length < 25 || (method > 1 && head.length < 29)) throw truncatedArchive();
    const packed = head.readUInt32LE(15);
    const bytes = method === 1 ? packed : head.readUInt32LE(25);
    const end = head.indexOf(0, 2);
    unpacked += bytes;
    if (!members.add({ name: decodeMemberName(head.subarray(2, end === -1 || end > 15 ? 15 : end)), size: bytes }))
      return { format: 'arc', unpacked };
    at += (method === 1 ? 25 : 29) + packed;
  }
}

function zoo(file: FileBytes, members: MemberList): ReturnType<ArchiveReader> {
  const head = file.read(0, 42);
  if (head.length < 42 || head.readUInt32LE(20) !== 0xfdc4a7dc) return undefined;
  let unpacked = 0;
  const seen = new Set<number>();
  for (let at = head.readUInt32LE(24); at !== 0 && !seen.has(at); ) {
    seen.add(at);
    const entry = file.need(at, 51);
    if (entry.readUInt32LE(0) !== 0xfdc4a7dc) throw truncatedArchive();
    const next = entry.readUInt32LE(6);
    if (next === 0) break;
    const bytes = entry.readUInt32LE(20);
    const end = entry.indexOf(0, 38);
    unpacked += bytes;
    if (!members.add({ name: decodeMemberName(entry.subarray(38, end === -1 ? 51 : end)), size: bytes })) break;
    at = next;
  }
  return { format: 'zoo', unpacked };
}

const nameWithoutExtension = ({ filename }: Source): string => filename.replace(/\.[^.]+$/, '');

function lz4(file: FileBytes, members: MemberList, source: Source): ReturnType<ArchiveReader> {
  const head = file.read(0, 15);
  if (head.length < 7) return undefined;
  const magic = head.readUInt32LE(0);
  if (magic !== 0x184d2204 && magic !== 0x184c2102) return undefined;
  const stated = magic === 0x184d2204 && (head.readUInt8(4) & 8) !== 0;
  if (stated && head.length < 14) throw truncatedArchive();
  const size = stated ? Number(head.readBigUInt64LE(6)) : 0;
  members.add({ name: nameWithoutExtension(source), size });
  if (!stated) members.markTruncated();
  return { format: 'lz4', unpacked: size };
}

/** Each member ends with its sizes, so the file is read backwards. */
function lzip(file: FileBytes, members: MemberList, source: Source): ReturnType<ArchiveReader> {
  if (file.read(0, 4).toString('latin1') !== 'LZIP') return undefined;
  let size = 0;
  for (let end = file.size; end > 0; ) {
    const trailer = file.need(end - 20, 20);
    const member = Number(trailer.readBigUInt64LE(12));
    if (!(member >= 26 && member <= end) || file.read(end - member, 4).toString('latin1') !== 'LZIP') throw truncatedArchive();
    size += Number(trailer.readBigUInt64LE(4));
    end -= member;
  }
  members.add({ name: nameWithoutExtension(source), size });
  return { format: 'lzip', unpacked: size };
}

function lzop(file: FileBytes, members: MemberList, source: Source): ReturnType<ArchiveReader> {
  const head = file.read(0, 512);
  if (head.length < 40 || head.toString('hex', 0, 9) !== '894c5a4f000d0a1a0a') return undefined;
  const version = head.readUInt16BE(9);
  let at = version >= 0x940 ? 17 : 16;
  const flags = head.readUInt32BE(at);
  at += (flags & 0x800) !== 0 ? 8 : 4;
  at += version >= 0x940 ? 12 : 8;
  const length = head[at] ?? 0;
  const name = length > 0 ? decodeMemberName(head.subarray(at + 1, at + 1 + length)) : nameWithoutExtension(source);
  let block = at + 1 + length + 4;
  let size = 0;
  for (;;) {
    const sizes = file.read(block, 8);
    const bytes = sizes.length >= 4 ? sizes.readUInt32BE(0) : 0;
    if (bytes === 0 || sizes.length < 8) break;
    const packed = sizes.readUInt32BE(4);
    size += bytes;
    const sums = ((flags & 1) !== 0 ? 4 : 0) + ((flags & 0x100) !== 0 ? 4 : 0);
    const packedSums = packed < bytes ? ((flags & 2) !== 0 ? 4 : 0) + ((flags & 0x200) !== 0 ? 4 : 0) : 0;
    block += 8 + sums + packedSums + packed;
  }
  members.add({ name, size });
  return { format: 'lzop', unpacked: size };
}
