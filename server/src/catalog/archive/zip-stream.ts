import { crc32 } from 'node:zlib';

/**
 * Writes a ZIP archive as a stream. Files are stored without compression, because most large files are compressed already and the archive is
 * made once to be sent. Checksums and sizes follow the bytes of each file, so that nothing is read twice. ZIP64 is used where it is needed.
 */
export interface ZipSource {
  /** The name in the archive; must be unique. */
  name: string;
  modified: Date;
  /** At most this many bytes follow. */
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

interface Written {
  name: Buffer;
  modified: Date;
  checksum: number;
  size: number;
  offset: number;
  large: boolean;
}

const max32 = 0xffffffff;
const max16 = 0xffff;
/** Sizes follow the data; names are UTF-8. */
const flags = 0x0808;
const zip64Version = 45;

export async function* zipStream(sources: AsyncIterable<ZipSource>): AsyncGenerator<Buffer> {
  const files: Written[] = [];
  let offset = 0;
  for await (const { name, modified, size, bytes } of sources) {
    const file: Written = { name: Buffer.from(name, 'utf8'), modified, checksum: 0, size: 0, offset, large: size >= max32 };
    const head = localHeader(file);
    yield head;
    for await (const part of bytes) {
      file.checksum = crc32(part, file.checksum);
      file.size += part.byteLength;
      yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    }
    const tail = descriptor(file);
    yield tail;
    offset += head.length + file.size + tail.length;
    files.push(file);
  }
  let directory = 0;
  for (const file of files) {
    const entry = centralHeader(file);
    yield entry;
    directory += entry.length;
  }
  yield endOfArchive(files.length, offset, directory);
}

function localHeader(file: Written): Buffer {
  const extra = Buffer.concat([file.large ? zip64Extra([0, 0]) : Buffer.alloc(0), timeExtra(file.modified)]);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(file.large ? zip64Version : 20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt32LE(dosTime(file.modified), 10);
  head.writeUInt32LE(file.large ? max32 : 0, 18);
  head.writeUInt32LE(file.large ? max32 : 0, 22);
  head.writeUInt16LE(file.name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, file.name, extra]);
}

function descriptor({ checksum, size, large }: Written): Buffer {
  const tail = Buffer.alloc(large ? 24 : 16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(checksum, 4);
  for (const at of [0, 1])
    if (large) tail.writeBigUInt64LE(BigInt(size), 8 + at * 8);
    else tail.writeUInt32LE(size, 8 + at * 4);
  return tail;
}

function centralHeader(file: Written): Buffer {
  const sizeIsLarge = file.large || file.size >= max32;
  const offsetIsLarge = file.offset >= max32;
  const large = [...(sizeIsLarge ? [file.size, file.size] : []), ...(offsetIsLarge ? [file.offset] : [])];
  const extra = Buffer.concat([large.length > 0 ? zip64Extra(large) : Buffer.alloc(0), timeExtra(file.modified)]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | zip64Version, 4);
  head.writeUInt16LE(large.length > 0 ? zip64Version : 20, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt32LE(dosTime(file.modified), 12);
  head.writeUInt32LE(file.checksum, 16);
  head.writeUInt32LE(sizeIsLarge ? max32 : file.size, 20);
  head.writeUInt32LE(sizeIsLarge ? max32 : file.size, 24);
  head.writeUInt16LE(file.name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  // A regular file that its owner may write and everyone may read.
  head.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  head.writeUInt32LE(offsetIsLarge ? max32 : file.offset, 42);
  return Buffer.concat([head, file.name, extra]);
}

function endOfArchive(count: number, offset: number, length: number): Buffer {
  const large = count >= max16 || offset >= max32 || length >= max32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, max16), 8);
  end.writeUInt16LE(Math.min(count, max16), 10);
  end.writeUInt32LE(Math.min(length, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (!large) return end;
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE((3 << 8) | zip64Version, 12);
  record.writeUInt16LE(zip64Version, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + length), 64);
  record.writeUInt32LE(1, 72);
  return Buffer.concat([record, end]);
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, n) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + n * 8);
  });
  return extra;
}

/** The time in UTC; the older field below has no time zone. */
function timeExtra(time: Date): Buffer {
  const extra = Buffer.alloc(9);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  extra.writeInt32LE(Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.floor(time.getTime() / 1000))), 5);
  return extra;
}

/** Years before 1980 and after 2107 cannot be written. */
function dosTime(time: Date): number {
  const year = Math.min(2107, Math.max(1980, time.getUTCFullYear()));
  const date = ((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}
