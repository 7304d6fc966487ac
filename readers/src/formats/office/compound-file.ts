/**
 * Compound files (OLE2), the container of doc, xls, ppt and msg: a small file system of sectors. Circular chains end because a stream is
 * never longer than the file.
 */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

export interface CompoundFile {
  /** Names of all streams with their storages, such as `ObjectPool/1/Ole`. */
  names(): string[];
  has(name: string): boolean;
  /** The declared size of a stream. */
  sizeOf(name: string): number | undefined;
  /** Returns at most `maxBytes` of a stream, or undefined if it does not exist. Names are compared without case, as the format states. */
  stream(name: string, maxBytes?: number): Buffer | undefined;
}

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const END = 0xfffffffe;
const NONE = 0xffffffff;
const MAX_ENTRIES = 65_536;
const MAX_SECTORS = 1 << 21;

export function isCompoundFile(head: Buffer): boolean {
  return head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1';
}

export function openCompoundFile(file: FileBytes): CompoundFile {
  const head = file.need(0, 512);
  if (!isCompoundFile(head)) throw new ExtractError('corrupt', 'The file is not a compound document.');
  const shift = head.readUInt16LE(30);
  const miniShift = head.readUInt16LE(32);
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw new ExtractError('corrupt', 'The compound document header is damaged.');
  const sectorSize = 1 << shift;
  const sector = (index: number): Buffer => file.read((index + 1) * sectorSize, sectorSize);
  const table = readTable(file, head, sectorSize, sector);
  const chain = (start: number, maxBytes: number): Buffer => {
    const parts: Buffer[] = [];
    let size = 0;
    for (let at = start; at < 0xfffffffa && size < maxBytes; at = table[at] ?? END) {
      const bytes = sector(at);
      if (bytes.length === 0 || size > file.size) break;
      parts.push(bytes);
      size += bytes.length;
    }
    return Buffer.concat(parts).subarray(0, maxBytes);
  };
  const entries = readEntries(chain(head.readUInt32LE(48), MAX_ENTRIES * 128));
  const root = entries[0];
  if (root === undefined || root.type !== 5) throw new ExtractError('corrupt', 'The compound document has no root.');
  const cutoff = head.readUInt32LE(56);
  let mini: { table: Buffer; bytes: Buffer } | undefined;
  const loadMini = () => {
    mini ??= {
      table: chain(head.readUInt32LE(60), Math.min(file.size, 64 << 20)),
      bytes: chain(root.start, Math.min(root.size, file.size)),
    };
    return mini;
  };
  const small = (start: number, size: number): Buffer => {
    const { table: miniTable, bytes } = loadMini();
    const parts: Buffer[] = [];
    let copied = 0;
    for (let at = start; at < 0xfffffffa && copied < size; at = at * 4 + 4 <= miniTable.length ? miniTable.readUInt32LE(at * 4) : END) {
      const miniSector = bytes.subarray(at * 64, at * 64 + 64);
      if (miniSector.length === 0) break;
      parts.push(miniSector);
      copied += miniSector.length;
    }
    return Buffer.concat(parts).subarray(0, size);
  };
  const paths = namePaths(entries);
  const byName = new Map([...paths].reverse().map(([name, entry]) => [name.toUpperCase(), entry]));
  return {
    names: () => [...paths.keys()],
    has: (name) => byName.has(name.toUpperCase()),
    sizeOf: (name) => byName.get(name.toUpperCase())?.size,
    stream(name, maxBytes = file.size) {
      const entry = byName.get(name.toUpperCase());
      if (entry === undefined) return undefined;
      const size = Math.min(entry.size, maxBytes, file.size);
      return entry.size < cutoff ? small(entry.start, size) : chain(entry.start, size);
    },
  };
}

function readTable(file: FileBytes, head: Buffer, sectorSize: number, sector: (index: number) => Buffer): Uint32Array {
  const sectorCount = Math.min(MAX_SECTORS, Math.ceil(file.size / sectorSize));
  const tableSectors: number[] = [];
  for (let i = 0; i < 109; i++) tableSectors.push(head.readUInt32LE(76 + i * 4));
  let next = head.readUInt32LE(68);
  for (let guard = 0; next < 0xfffffffa && guard < 1024 && tableSectors.length * (sectorSize / 4) < sectorCount; guard++) {
    const sectorList = sector(next);
    if (sectorList.length < sectorSize) break;
    for (let i = 0; i < sectorSize / 4 - 1; i++) tableSectors.push(sectorList.readUInt32LE(i * 4));
    next = sectorList.readUInt32LE(sectorSize - 4);
  }
  const table = new Uint32Array(sectorCount).fill(END);
  let at = 0;
  for (const tableSector of tableSectors) {
    if (at >= sectorCount) break;
    if (tableSector >= 0xfffffffa) continue;
    const bytes = sector(tableSector);
    for (let i = 0; i + 4 <= bytes.length && at < sectorCount; i += 4) table[at++] = bytes.readUInt32LE(i);
  }
  return table;
}

function readEntries(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 128 <= bytes.length; at += 128) {
    const nameLength = Math.min(64, bytes.readUInt16LE(at + 64));
    entries.push({
      name: bytes.toString('utf16le', at, at + Math.max(0, nameLength - 2)),
      type: bytes[at + 66] as number,
      left: bytes.readUInt32LE(at + 68),
      right: bytes.readUInt32LE(at + 72),
      child: bytes.readUInt32LE(at + 76),
      start: bytes.readUInt32LE(at + 116),
      size: bytes.readUInt32LE(at + 120),
    });
  }
  return entries;
}

function namePaths(entries: readonly Entry[]): Map<string, Entry> {
  const paths = new Map<string, Entry>();
  const seen = new Set<number>([0]);
  const queue: { index: number; folder: string }[] = [{ index: entries[0]?.child ?? NONE, folder: '' }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const entry = entries[next.index];
    if (entry === undefined || seen.has(next.index)) continue;
    seen.add(next.index);
    const path = next.folder + entry.name;
    if (entry.type === 2) paths.set(path, entry);
    queue.push({ index: entry.left, folder: next.folder }, { index: entry.right, folder: next.folder });
    if (entry.type === 1) queue.push({ index: entry.child, folder: `${path}/` });
  }
  return paths;
}
