import type { ByteSource } from './guest-disk.ts';
import { fixedText, withoutUndefined } from './volume-label.ts';

export interface FileSystem {
  filesystem: string;
  label?: string;
  size?: number;
}

type FileSystemReader = (volume: ByteSource, head: Buffer) => FileSystem | undefined;

const latin1 = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

const ext: FileSystemReader = (_volume, head) =>
  head.readUInt16LE(1080) === 0xef53
    ? withoutUndefined({ filesystem: 'ext', label: fixedText(head.subarray(1144, 1160), 'utf8') })
    : undefined;

const fat: FileSystemReader = (_volume, head) => {
  if (latin1(head, 82, 87) === 'FAT32') return withoutUndefined({ filesystem: 'fat32', label: fatLabel(head.subarray(71, 82)) });
  return /^FAT1[26]/.test(latin1(head, 54, 59))
    ? withoutUndefined({ filesystem: 'fat', label: fatLabel(head.subarray(43, 54)) })
    : undefined;
};

function fatLabel(field: Buffer): string | undefined {
  const label = fixedText(field);
  return label === 'NO NAME' ? undefined : label;
}

/** The label of NTFS stands in the fourth record of its file table, under the attribute 0x60. */
const ntfs: FileSystemReader = (volume, head) => {
  if (latin1(head, 3, 7) !== 'NTFS') return undefined;
  const sector = head.readUInt16LE(11);
  const cluster = sector * (head[13] as number);
  const perRecord = head.readInt8(64);
  const recordBytes = perRecord < 0 ? 2 ** Math.min(-perRecord, 16) : perRecord * cluster;
  const record = volume.read(Number(head.readBigUInt64LE(48)) * cluster + 3 * recordBytes, Math.min(recordBytes, 65_536));
  return withoutUndefined({ filesystem: 'ntfs', size: Number(head.readBigUInt64LE(40)) * sector, label: ntfsName(record) });
};

function ntfsName(record: Buffer): string | undefined {
  if (record.length < 64 || latin1(record, 0, 4) !== 'FILE') return undefined;
  for (let at = record.readUInt16LE(20); at + 24 <= record.length; ) {
    const [kind, length] = [record.readUInt32LE(at), record.readUInt32LE(at + 4)];
    if (kind === 0xffff_ffff || length < 24) return undefined;
    if (kind === 0x60) {
      const from = at + record.readUInt16LE(at + 20);
      return fixedText(record.subarray(from, from + record.readUInt32LE(at + 16)), 'utf16le');
    }
    at += length;
  }
  return undefined;
}

/** The label of exFAT is an entry of its first folder. */
const exfat: FileSystemReader = (volume, head) => {
  if (latin1(head, 3, 11) !== 'EXFAT   ') return undefined;
  const [sectorBits, clusterBits] = [head[108] as number, head[109] as number];
  if (sectorBits > 12 || sectorBits + clusterBits > 25) return { filesystem: 'exfat' };
  const folder = (head.readUInt32LE(88) + (head.readUInt32LE(96) - 2) * 2 ** clusterBits) * 2 ** sectorBits;
  const entries = volume.read(folder, 4096);
  for (let at = 0; at + 32 <= entries.length; at += 32) {
    if (entries[at] !== 0x83) continue;
    const length = Math.min(entries[at + 1] as number, 11) * 2;
    return withoutUndefined({ filesystem: 'exfat', label: fixedText(entries.subarray(at + 2, at + 2 + length), 'utf16le') });
  }
  return { filesystem: 'exfat' };
};

const btrfs: FileSystemReader = (volume) => {
  const block = volume.read(65_536, 1024);
  if (block.length < 1024 || latin1(block, 64, 72) !== '_BHRfS_M') return undefined;
  return withoutUndefined({ filesystem: 'btrfs', label: fixedText(block.subarray(299, 555), 'utf8') });
};

const otherFileSystem: FileSystemReader = (_volume, head) => {
  if (latin1(head, 0, 4) === 'XFSB') return withoutUndefined({ filesystem: 'xfs', label: fixedText(head.subarray(108, 120), 'utf8') });
  if (latin1(head, 4086, 4096) === 'SWAPSPACE2')
    return withoutUndefined({ filesystem: 'swap', label: fixedText(head.subarray(1052, 1068), 'utf8') });
  if (latin1(head, 0, 6) === 'LUKS\xba\xbe') return { filesystem: 'luks' };
  if (/^H[+X]$/.test(latin1(head, 1024, 1026))) return { filesystem: 'hfs+' };
  return latin1(head, 32, 36) === 'NXSB' ? { filesystem: 'apfs' } : undefined;
};

const fileSystemReaders: readonly FileSystemReader[] = [ext, ntfs, exfat, fat, otherFileSystem, btrfs];

/** The file system that begins where the volume begins. */
export function readFileSystem(volume: ByteSource): FileSystem | undefined {
  const head = volume.read(0, 4096);
  if (head.length < 2048) return undefined;
  for (const reader of fileSystemReaders) {
    const found = reader(volume, head);
    if (found) return found;
  }
  return undefined;
}
