import type { FileBytes } from '../../input/file-bytes.ts';
import type { BlockMap } from './guest-disk.ts';

const regionTables = [192 * 1024, 256 * 1024];
const metadataRegion = '8b7ca206-4790-4b9a-b8fe-575f050f886e';
const blockRegion = '2dc27766-f623-4200-9d64-115e9bfd4a08';
const sectorSizeItem = '8141bf1d-a96f-4709-ba47-f233a8faab5f';
const diskSizeItem = '2fa54224-cd1b-4876-b211-5dbed83bf4b8';
const parametersItem = 'caa16737-fa36-4d43-b3b6-33f0aa44e76b';

/** The size the machine inside sees and the kind of disk, from the metadata region of a VHDX; nothing where it cannot be found. */
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

/** Where the blocks of the disk lie: 44 bits of an entry count megabytes, the lowest three tell whether it is there. */
export function vhdxMap(file: FileBytes): BlockMap | undefined {
  for (const regions of regionTables) {
    const [facts, table] = [findRegion(file, regions, metadataRegion), findRegion(file, regions, blockRegion)];
    if (facts === undefined || table === undefined) continue;
    const [size, parameters, sector] = [diskSizeItem, parametersItem, sectorSizeItem].map((name) => metadataItem(file, facts, name));
    if (!size || size.length < 8 || !parameters || parameters.length < 4) return undefined;
    const blockBytes = parameters.readUInt32LE(0);
    const sectorBytes = sector && sector.length >= 4 ? sector.readUInt32LE(0) : 512;
    // After so many blocks one entry of the table is about sectors, not about a block.
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

function findRegion(file: FileBytes, table: number, wanted: string): number | undefined {
  const head = file.read(table, 16);
  if (head.length < 16 || head.toString('latin1', 0, 4) !== 'regi') return undefined;
  for (let n = 0; n < Math.min(head.readUInt32LE(8), 2047); n++) {
    const entry = file.read(table + 16 + n * 32, 32);
    if (entry.length < 32) return undefined;
    if (guid(entry) === wanted) return Number(entry.readBigUInt64LE(16));
  }
  return undefined;
}

function metadataItem(file: FileBytes, region: number, wanted: string): Buffer | undefined {
  const head = file.read(region, 32);
  if (head.length < 32 || head.toString('latin1', 0, 8) !== 'metadata') return undefined;
  for (let n = 0; n < Math.min(head.readUInt16LE(10), 2047); n++) {
    const entry = file.read(region + 32 + n * 32, 32);
    if (entry.length < 32) return undefined;
    if (guid(entry) === wanted) return file.read(region + entry.readUInt32LE(16), Math.min(entry.readUInt32LE(20), 64));
  }
  return undefined;
}

/** A GUID as people write it; its first three groups are stored the other way round. */
function guid(bytes: Buffer): string {
  const hex = (from: number, to: number, turned: boolean): string => {
    const part = Buffer.from(bytes.subarray(from, to));
    return (turned ? part.reverse() : part).toString('hex');
  };
  return [hex(0, 4, true), hex(4, 6, true), hex(6, 8, true), hex(8, 10, false), hex(10, 16, false)].join('-');
}
