import { type FileSystem, readFileSystem } from './file-system.ts';
import type { ByteSource } from './guest-disk.ts';
import type { Volume } from './volume-label.ts';

const sectorBytes = 512;
const maxPartitions = 128;
const maxPartitionTables = 32;
const extendedKinds = new Set([0x05, 0x0f, 0x85]);

/** What a disk holds: a file system of its own, or a table of partitions, each with one. */
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

/** The four of the first sector; an extended one holds a chain of further tables, which may lead in a circle. */
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
