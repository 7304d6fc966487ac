import type { ByteSource } from './guest-disk.ts';

const sectorBytes = 512;
const maxPartitions = 128;
const maxPartitionTables = 32;
const extendedKinds = new Set([0x05, 0x0f, 0x85]);

/** Describes a disk: a single file system, or a partition table with a file system per partition. */
export function readDisk(disk: ByteSource): Volume | undefined {
  const whole = readFileSystem(disk);
  if (whole) return whole;
  const head = disk.read(0, 1024);
  if (head.length < 1024) return undefined;
  if (head.toString('latin1', 512, 520) === 'EFI PART') return describePartitions('gpt', disk, gptPartitionStarts(disk, head));
  if (head.readUInt16LE(510) !== 0xaa55) return undefined;
  const starts = mbrPartitionStarts(disk);
  return starts.length > 0 ? describePartitions('mbr', disk, starts) : undefined;
}

function describePartitions(table: 'gpt' | 'mbr', disk: ByteSource, starts: readonly number[]): Volume {
  const found = starts.map((start) => readFileSystem(partitionAt(disk, start))).filter((one): one is FileSystem => one !== undefined);
  const labels = found.flatMap(({ label }) => label ?? []);
  return {
    filesystem: table,
    partitions: starts.length,
    ...(found.length > 0 && { filesystems: found.map(({ filesystem }) => filesystem) }),
    ...(labels[0] !== undefined && { label: labels[0], labels }),
  };
}

function partitionAt(disk: ByteSource, start: number): ByteSource {
  return { size: disk.size - start, read: (offset, length) => (offset >= 0 ? disk.read(start + offset, length) : Buffer.alloc(0)) };
}

function gptPartitionStarts(disk: ByteSource, head: Buffer): number[] {
  const [first, count, bytes] = [Number(head.readBigUInt64LE(584)) * sectorBytes, head.readUInt32LE(592), head.readUInt32LE(596)];
  if (bytes < 128 || bytes > 4096) return [];
  const starts: number[] = [];
  for (let n = 0; n < Math.min(count, maxPartitions); n++) {
    const entry = disk.read(first + n * bytes, 48);
    if (entry.length < 48) break;
    if (entry.subarray(0, 16).some((byte) => byte !== 0)) starts.push(Number(entry.readBigUInt64LE(32)) * sectorBytes);
  }
  return starts;
}

/**
 * Start offsets of the partitions in a master boot record. Extended partitions form a chain of tables, which can be circular in a damaged
 * image.
 */
function mbrPartitionStarts(disk: ByteSource): number[] {
  const starts: number[] = [];
  const walk = (table: number, base: number, left: number): void => {
    const head = disk.read(table, sectorBytes);
    if (left === 0 || head.length < sectorBytes || head.readUInt16LE(510) !== 0xaa55) return;
    for (const at of [446, 462, 478, 494]) {
      const kind = head[at + 4] as number;
      const start = head.readUInt32LE(at + 8) * sectorBytes;
      if (kind === 0 || start === 0) continue;
      if (extendedKinds.has(kind)) walk((base || 0) + start, base || start, left - 1);
      else if (starts.length < maxPartitions) starts.push(table + start);
    }
  };
  walk(0, 0, maxPartitionTables);
  return starts;
}

interface FileSystem {
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

/** NTFS stores its label in the fourth record of the master file table, as attribute 0x60. */
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

/** exFAT stores its label as an entry of the root directory. */
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

function readFileSystem(volume: ByteSource): FileSystem | undefined {
  const head = volume.read(0, 4096);
  if (head.length < 2048) return undefined;
  for (const reader of fileSystemReaders) {
    const found = reader(volume, head);
    if (found) return found;
  }
  return undefined;
}

/** What a raw image or partition states about its contents. */
export interface Volume {
  filesystem: string;
  label?: string;
  size?: number;
  created?: string;
  system?: string;
  publisher?: string;
  application?: string;
  partitions?: number;
  /** File systems and labels of the partitions, in partition order. */
  filesystems?: string[];
  labels?: string[];
}

/** Decodes fixed-width text that is padded with spaces or NUL. */
export function fixedText(bytes: Buffer, encoding: 'latin1' | 'utf8' | 'utf16le' = 'latin1'): string | undefined {
  const text = bytes
    .toString(encoding)
    .replace(/\0[\s\S]*$/, '')
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return text === '' ? undefined : text;
}

/** Removes undefined values. Unlike `withoutEmpty`, it keeps empty strings. */
export function withoutUndefined<T extends object>(facts: T): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
}

const isoStart = 32_768;

/** ISO 9660: the primary volume descriptor. The Joliet label is preferred if it is longer. */
export function readIsoVolume(file: ByteSource): Volume | undefined {
  let found: Volume | undefined;
  let joliet: string | undefined;
  for (let index = 0; index < 16; index++) {
    const block = file.read(isoStart + index * 2048, 2048);
    if (block.length < 2048 || block.toString('latin1', 1, 6) !== 'CD001' || block[0] === 255) break;
    if (block[0] === 1) {
      found = withoutUndefined({
        filesystem: 'iso9660',
        label: fixedText(block.subarray(40, 72)),
        size: block.readUInt32LE(80) * block.readUInt16LE(128),
        created: isoDate(block.toString('latin1', 813, 829)),
        system: fixedText(block.subarray(8, 40)),
        publisher: fixedText(block.subarray(318, 446)),
        application: fixedText(block.subarray(574, 702)),
      });
    } else if (block[0] === 2 && block[88] === 0x25) {
      joliet = fixedText(Buffer.from(block.subarray(40, 72)).swap16(), 'utf16le');
    }
  }
  if (found && joliet && joliet.length > (found.label?.length ?? 0)) found.label = joliet;
  return found;
}

function isoDate(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(digits) ?? [];
  return year === undefined || year === '0000' ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}
