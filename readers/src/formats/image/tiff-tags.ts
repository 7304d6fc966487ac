import { isUtf8 } from 'node:buffer';
import { decodeText } from '../../input/text-encoding.ts';

/**
 * Source of a TIFF tag structure: an EXIF block, a TIFF file or a TIFF-based camera RAW file. All offsets and counts are untrusted:
 * directories are visited once, and entries and values are limited.
 */
export interface TagSource {
  /** Bytes at an offset from the start of the structure. Returns fewer bytes at the end. */
  read(offset: number, length: number): Buffer;
}

export type TagValue = string | number | number[] | Buffer;
export type Tags = Map<number, TagValue>;

export interface TiffTags {
  images: Tags[];
  exif?: Tags;
  gps?: Tags;
}

const MAX_ENTRIES = 512;
const MAX_DIRECTORIES = 32;
const MAX_VALUE_BYTES = 65_536;
const XMP_TAG = 0x02bc;
const MAX_XMP_BYTES = 1 << 20;
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Returns null if the bytes are not a TIFF structure. Olympus and Panasonic use other magic numbers. */
export function readTiffTags(source: TagSource): TiffTags | null {
  const head = source.read(0, 16);
  if (head.length < 8) return null;
  const order = head.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const little = order === 'II';
  const magic = little ? head.readUInt16LE(2) : head.readUInt16BE(2);
  if (![42, bigTiff, 0x55, 0x4f52, 0x5352].includes(magic) || (magic === bigTiff && head.length < 16)) return null;
  const numbers = numberReader(little, magic === bigTiff);
  const seen = new Set<number>();
  const directory = (offset: number): { tags: Tags; next: number } | null => {
    if (offset < 8 || seen.has(offset) || seen.size >= MAX_DIRECTORIES) return null;
    seen.add(offset);
    return readDirectory(source, offset, numbers);
  };
  const images: Tags[] = [];
  let offset = numbers.pointer(head, numbers.wide ? 8 : 4);
  while (offset !== 0) {
    const found = directory(offset);
    if (found === null) break;
    images.push(found.tags);
    offset = found.next;
  }
  const first = images[0];
  if (first === undefined) return null;
  for (const sub of asNumbers(first.get(0x014a)).slice(0, 8)) {
    const found = directory(sub);
    if (found !== null) images.push(found.tags);
  }
  const linked = (tag: number): Tags | undefined => {
    const at = asNumbers(first.get(tag))[0];
    return at === undefined ? undefined : directory(at)?.tags;
  };
  const exif = linked(0x8769);
  const gps = linked(0x8825);
  return { images, ...(exif && { exif }), ...(gps && { gps }) };
}

const bigTiff = 43;

/** BigTIFF counts and points with eight bytes instead of two or four. */
interface Numbers {
  little: boolean;
  wide: boolean;
  short(bytes: Buffer, at: number): number;
  pointer(bytes: Buffer, at: number): number;
}

function numberReader(little: boolean, wide: boolean): Numbers {
  return {
    little,
    wide,
    short: (bytes, at) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    pointer: (bytes, at) => {
      if (wide) return Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
      return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    },
  };
}

function readDirectory(source: TagSource, offset: number, numbers: Numbers): { tags: Tags; next: number } | null {
  const { wide, little, short, pointer } = numbers;
  const [countBytes, entryBytes, pointerBytes] = wide ? [8, 20, 8] : [2, 12, 4];
  const counted = source.read(offset, countBytes);
  if (counted.length < countBytes) return null;
  const count = wide ? pointer(counted, 0) : short(counted, 0);
  if (count === 0 || count > MAX_ENTRIES) return null;
  const end = count * entryBytes;
  const bytes = source.read(offset + countBytes, end + pointerBytes);
  const tags: Tags = new Map();
  for (let at = 0; at + entryBytes <= bytes.length && at < end; at += entryBytes) {
    const tag = short(bytes, at);
    const type = short(bytes, at + 2);
    const values = pointer(bytes, at + 4);
    const size = (TYPE_BYTES[type] ?? 0) * values;
    if (size === 0 || size > (tag === XMP_TAG ? MAX_XMP_BYTES : MAX_VALUE_BYTES)) continue;
    const valueAt = at + 4 + pointerBytes;
    const raw = size <= pointerBytes ? bytes.subarray(valueAt, valueAt + size) : source.read(pointer(bytes, valueAt), size);
    if (raw.length === size) tags.set(tag, decodeValue(raw, type, values, little));
  }
  return { tags, next: bytes.length >= end + pointerBytes ? pointer(bytes, end) : 0 };
}

function decodeValue(raw: Buffer, type: number, count: number, little: boolean): TagValue {
  if (type === 2) return decodeString(raw);
  if (type === 7 || (type === 1 && count > 64)) return raw;
  const size = TYPE_BYTES[type] as number;
  const list: number[] = [];
  for (let i = 0; i < Math.min(count, 1024); i++) list.push(readNumber(raw, i * size, type, little));
  return list.length === 1 ? (list[0] as number) : list;
}

function readNumber(raw: Buffer, at: number, type: number, little: boolean): number {
  switch (type) {
    case 1:
      return raw.readUInt8(at);
    case 6:
      return raw.readInt8(at);
    case 3:
      return little ? raw.readUInt16LE(at) : raw.readUInt16BE(at);
    case 8:
      return little ? raw.readInt16LE(at) : raw.readInt16BE(at);
    case 9:
      return little ? raw.readInt32LE(at) : raw.readInt32BE(at);
    case 5: {
      const top = little ? raw.readUInt32LE(at) : raw.readUInt32BE(at);
      const bottom = little ? raw.readUInt32LE(at + 4) : raw.readUInt32BE(at + 4);
      return bottom === 0 ? Number.NaN : top / bottom;
    }
    case 10: {
      const top = little ? raw.readInt32LE(at) : raw.readInt32BE(at);
      const bottom = little ? raw.readInt32LE(at + 4) : raw.readInt32BE(at + 4);
      return bottom === 0 ? Number.NaN : top / bottom;
    }
    case 11:
      return little ? raw.readFloatLE(at) : raw.readFloatBE(at);
    case 16:
    case 17:
    case 18:
      return Number(little ? raw.readBigUInt64LE(at) : raw.readBigUInt64BE(at));
    case 12:
      return little ? raw.readDoubleLE(at) : raw.readDoubleBE(at);
    default:
      return little ? raw.readUInt32LE(at) : raw.readUInt32BE(at);
  }
}

function decodeString(raw: Buffer): string {
  const end = raw.indexOf(0);
  const bytes = raw.subarray(0, end === -1 ? raw.length : end);
  // The standard knows only ASCII; names and copyright signs are written as UTF-8 or in the code page of a computer.
  return (isUtf8(bytes) ? bytes.toString('utf8') : (decodeText(bytes)?.text ?? bytes.toString('latin1'))).trim();
}

export function asNumbers(value: TagValue | undefined): number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value : [];
}
