import type { FileBytes } from '../../input/file-bytes.ts';

/**
 * Random access to bytes. `read` returns fewer bytes than requested only at the end. Implemented by files and by the disk inside an image.
 */
export interface ByteSource {
  size: number;
  read(offset: number, length: number): Buffer;
}

/** Maps blocks of the virtual disk to file offsets. `offsetOf` returns undefined for blocks without data. */
interface BlockMap {
  blockBytes: number;
  diskBytes: number;
  offsetOf(block: number): number | undefined;
}

const maxReadBytes = 1024 * 1024;
const maxBlockBytes = 256 * 1024 * 1024;

/**
 * Reads the virtual disk inside a disk image through the image's block map. Blocks that are missing, compressed or stored in a parent image
 * read as zeros. A label in such a block is not found.
 */
export function openGuestDisk(file: FileBytes, format: string): ByteSource | undefined {
  const map = blockMaps[format]?.(file);
  if (map === undefined || !(map.blockBytes >= 512 && map.blockBytes <= maxBlockBytes) || !(map.diskBytes > 0)) return undefined;
  return {
    size: map.diskBytes,
    read(offset, length) {
      const available = Math.min(length, maxReadBytes, map.diskBytes - offset);
      if (!(offset >= 0) || !(available > 0)) return Buffer.alloc(0);
      const out = Buffer.alloc(available);
      for (let done = 0; done < available; ) {
        const within = (offset + done) % map.blockBytes;
        const part = Math.min(available - done, map.blockBytes - within);
        const fileOffset = map.offsetOf(Math.floor((offset + done) / map.blockBytes));
        if (fileOffset !== undefined) file.read(fileOffset + within, part).copy(out, done);
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

/** Reads one integer of a table in the file. Returns undefined past the end of the file. */
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
  const readEntry = (at: number): bigint => {
    const raw = file.read(at, 8);
    return raw.length < 8 ? 0n : raw.readBigUInt64BE(0);
  };
  return {
    blockBytes: 2 ** bits,
    diskBytes: Number(head.readBigUInt64BE(24)),
    offsetOf(block) {
      const row = Math.floor(block / perTable);
      const table = row < count ? Number(readEntry(first + row * 8) & qcowOffset) : 0;
      const found = table === 0 ? 0n : readEntry(table + (block % perTable) * 8);
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
  // Each block is preceded by a bitmap with one bit per sector.
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

/** Sparse VMDK without compressed grains. Other variants keep the disk data in a separate file, which the catalog holds as its own item. */
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
      // A value of 1 marks a grain of zeros.
      return sector === undefined || sector < 2 ? undefined : sector * 512;
    },
  };
}

const regionTables = [192 * 1024, 256 * 1024];
const metadataRegion = '8b7ca206-4790-4b9a-b8fe-575f050f886e';
const blockRegion = '2dc27766-f623-4200-9d64-115e9bfd4a08';
const sectorSizeItem = '8141bf1d-a96f-4709-ba47-f233a8faab5f';
const diskSizeItem = '2fa54224-cd1b-4876-b211-5dbed83bf4b8';
const parametersItem = 'caa16737-fa36-4d43-b3b6-33f0aa44e76b';

/** Virtual size and disk type from the metadata region of a VHDX. */
export function readVhdxMetadata(file: FileBytes): { virtual_size?: number; disk_type?: string } {
  for (const table of regionTables) {
    const region = findRegion(file, table, metadataRegion);
    if (region === undefined) continue;
    const size = metadataItem(file, region, diskSizeItem);
    const parameters = metadataItem(file, region, parametersItem);
    const flags = parameters !== undefined && parameters.length >= 8 ? parameters.readUInt32LE(4) : undefined;
    return {
      ...(size !== undefined && size.length >= 8 && { virtual_size: Number(size.readBigUInt64LE(0)) }),
      ...(flags !== undefined && { disk_type: (flags & 2) !== 0 ? 'differencing' : (flags & 1) !== 0 ? 'fixed' : 'dynamic' }),
    };
  }
  return {};
}

/** Each 64-bit entry holds the block's offset in MiB in its upper 44 bits and the block state in the lowest three. */
function vhdxMap(file: FileBytes): BlockMap | undefined {
  for (const regions of regionTables) {
    const [facts, table] = [findRegion(file, regions, metadataRegion), findRegion(file, regions, blockRegion)];
    if (facts === undefined || table === undefined) continue;
    const [size, parameters, sector] = [diskSizeItem, parametersItem, sectorSizeItem].map((name) => metadataItem(file, facts, name));
    if (!size || size.length < 8 || !parameters || parameters.length < 4) return undefined;
    const blockBytes = parameters.readUInt32LE(0);
    const sectorBytes = sector && sector.length >= 4 ? sector.readUInt32LE(0) : 512;
    // The table interleaves one sector bitmap entry after each run of block entries.
    const run = Math.floor((2 ** 23 * sectorBytes) / blockBytes);
    return {
      blockBytes,
      diskBytes: Number(size.readBigUInt64LE(0)),
      offsetOf(block) {
        const raw = file.read(table + (block + Math.floor(block / run)) * 8, 8);
        if (raw.length < 8) return undefined;
        const found = raw.readBigUInt64LE(0);
        return (found & 7n) >= 6n ? Number(found >> 20n) * 2 ** 20 : undefined;
      },
    };
  }
  return undefined;
}

function findRegion(file: FileBytes, table: number, available: string): number | undefined {
  const head = file.read(table, 16);
  if (head.length < 16 || head.toString('latin1', 0, 4) !== 'regi') return undefined;
  for (let n = 0; n < Math.min(head.readUInt32LE(8), 2047); n++) {
    const entry = file.read(table + 16 + n * 32, 32);
    if (entry.length < 32) return undefined;
    if (guid(entry) === available) return Number(entry.readBigUInt64LE(16));
  }
  return undefined;
}

function metadataItem(file: FileBytes, region: number, available: string): Buffer | undefined {
  const head = file.read(region, 32);
  if (head.length < 32 || head.toString('latin1', 0, 8) !== 'metadata') return undefined;
  for (let n = 0; n < Math.min(head.readUInt16LE(10), 2047); n++) {
    const entry = file.read(region + 32 + n * 32, 32);
    if (entry.length < 32) return undefined;
    if (guid(entry) === available) return file.read(region + entry.readUInt32LE(16), Math.min(entry.readUInt32LE(20), 64));
  }
  return undefined;
}

/** Formats a GUID. Its first three groups are stored in little-endian order. */
function guid(bytes: Buffer): string {
  const hex = (from: number, to: number, turned: boolean): string => {
    const part = Buffer.from(bytes.subarray(from, to));
    return (turned ? part.reverse() : part).toString('hex');
  };
  return [hex(0, 4, true), hex(4, 6, true), hex(6, 8, true), hex(8, 10, false), hex(10, 16, false)].join('-');
}
