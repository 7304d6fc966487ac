/**
 * The disk a virtual machine sees, read through the block map of its image: only the few blocks asked for are looked up. Blocks that are
 * not there, compressed or kept in a parent image read as zeros, so that a label is either found or not told.
 */
import type { FileBytes } from '../../input/file-bytes.ts';
import { vhdxMap } from './vhdx.ts';

/** Bytes at an offset; fewer than asked only at the end. A file is one, and so is the disk inside an image. */
export interface ByteSource {
  size: number;
  read(offset: number, length: number): Buffer;
}

/** Where a block lies in the file; undefined when it holds nothing. */
export interface BlockMap {
  blockBytes: number;
  diskBytes: number;
  offsetOf(block: number): number | undefined;
}

const maxReadBytes = 1024 * 1024;
const maxBlockBytes = 256 * 1024 * 1024;

export function openGuestDisk(file: FileBytes, format: string): ByteSource | undefined {
  const map = blockMaps[format]?.(file);
  if (map === undefined || !(map.blockBytes >= 512 && map.blockBytes <= maxBlockBytes) || !(map.diskBytes > 0)) return undefined;
  return {
    size: map.diskBytes,
    read(offset, length) {
      const wanted = Math.min(length, maxReadBytes, map.diskBytes - offset);
      if (!(offset >= 0) || !(wanted > 0)) return Buffer.alloc(0);
      const out = Buffer.alloc(wanted);
      for (let done = 0; done < wanted; ) {
        const within = (offset + done) % map.blockBytes;
        const part = Math.min(wanted - done, map.blockBytes - within);
        const place = map.offsetOf(Math.floor((offset + done) / map.blockBytes));
        if (place !== undefined) file.read(place + within, part).copy(out, done);
        done += part;
      }
      return out;
    },
  };
}

const blockMaps: Record<string, (file: FileBytes) => BlockMap | undefined> = {
  qcow2: qcowMap,
  vdi: vdiMap,
  vhd: vhdMap,
  vmdk: vmdkMap,
  vhdx: vhdxMap,
};

/** One number of a table in the file; undefined past its end. */
function readTableEntry(file: FileBytes, at: number, bytes: 4 | 8, bigEndian: boolean): number | undefined {
  const raw = file.read(at, bytes);
  if (raw.length < bytes) return undefined;
  if (bytes === 4) return bigEndian ? raw.readUInt32BE(0) : raw.readUInt32LE(0);
  return Number(bigEndian ? raw.readBigUInt64BE(0) : raw.readBigUInt64LE(0));
}

const qcowOffset = 0x00ff_ffff_ffff_fe00n;
const [qcowCompressed, qcowWideEntries] = [1n << 62n, 1n << 4n];

function qcowMap(file: FileBytes): BlockMap | undefined {
  const head = file.read(0, 104);
  if (head.length < 104 || head.readUInt32BE(32) !== 0) return undefined;
  if (head.readUInt32BE(4) >= 3 && (head.readBigUInt64BE(72) & qcowWideEntries) !== 0n) return undefined;
  const bits = head.readUInt32BE(20);
  if (bits < 9 || bits > 22) return undefined;
  const [first, count] = [Number(head.readBigUInt64BE(40)), head.readUInt32BE(36)];
  const perTable = 2 ** (bits - 3);
  const look = (at: number): bigint => {
    const raw = file.read(at, 8);
    return raw.length < 8 ? 0n : raw.readBigUInt64BE(0);
  };
  return {
    blockBytes: 2 ** bits,
    diskBytes: Number(head.readBigUInt64BE(24)),
    offsetOf(block) {
      const row = Math.floor(block / perTable);
      const table = row < count ? Number(look(first + row * 8) & qcowOffset) : 0;
      const found = table === 0 ? 0n : look(table + (block % perTable) * 8);
      if ((found & qcowCompressed) !== 0n || (found & 1n) !== 0n) return undefined;
      return Number(found & qcowOffset) || undefined;
    },
  };
}

function vdiMap(file: FileBytes): BlockMap | undefined {
  const head = file.read(0, 512);
  if (head.length < 512) return undefined;
  const [table, data, blockBytes, extra] = [340, 344, 376, 380].map((at) => head.readUInt32LE(at)) as [number, number, number, number];
  return {
    blockBytes,
    diskBytes: Number(head.readBigUInt64LE(368)),
    offsetOf(block) {
      const found = readTableEntry(file, table + block * 4, 4, false);
      return found === undefined || found >= 0xffff_fffe ? undefined : data + found * (blockBytes + extra) + extra;
    },
  };
}

function vhdMap(file: FileBytes): BlockMap | undefined {
  const footer = file.read(file.size - 512, 512);
  if (footer.length < 512 || footer.toString('latin1', 0, 8) !== 'conectix') return undefined;
  const diskBytes = Number(footer.readBigUInt64BE(48));
  if (footer.readUInt32BE(60) === 2) return { blockBytes: 1024 * 1024, diskBytes, offsetOf: (block) => block * 1024 * 1024 };
  const head = file.read(Number(footer.readBigUInt64BE(16)), 64);
  if (head.length < 64 || head.toString('latin1', 0, 8) !== 'cxsparse') return undefined;
  const [table, blockBytes] = [Number(head.readBigUInt64BE(16)), head.readUInt32BE(32)];
  // In front of each block stands a bit for each of its sectors.
  const bitmap = Math.ceil(blockBytes / 512 / 8 / 512) * 512;
  return {
    blockBytes,
    diskBytes,
    offsetOf(block) {
      const sector = readTableEntry(file, table + block * 4, 4, true);
      return sector === undefined || sector === 0xffff_ffff ? undefined : sector * 512 + bitmap;
    },
  };
}

/** The growing kind, without compressed grains. Where the disk lies in a file of its own, that file is an item of its own. */
function vmdkMap(file: FileBytes): BlockMap | undefined {
  const head = file.read(0, 512);
  if (head.length < 512 || head.toString('latin1', 0, 4) !== 'KDMV' || head.readUInt16LE(77) !== 0) return undefined;
  const [capacity, grain, directory] = [12, 20, 56].map((at) => Number(head.readBigUInt64LE(at))) as [number, number, number];
  const perTable = head.readUInt32LE(44);
  if (perTable === 0) return undefined;
  return {
    blockBytes: grain * 512,
    diskBytes: capacity * 512,
    offsetOf(block) {
      const table = readTableEntry(file, directory * 512 + Math.floor(block / perTable) * 4, 4, false);
      const sector = table ? readTableEntry(file, table * 512 + (block % perTable) * 4, 4, false) : undefined;
      // 1 stands for a grain of zeros.
      return sector === undefined || sector < 2 ? undefined : sector * 512;
    },
  };
}
