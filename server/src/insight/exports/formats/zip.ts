import type { Writable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** Sizes above this need another variant of the format, which some spreadsheet programs do not read. */
const maxZipBytes = 4_000_000_000;

interface Entry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** A zip archive written from start to end: the size of an entry follows its data. The caller consumes every entry before the next one. */
export function createZip() {
  const entries: Entry[] = [];
  let offset = 0;
  return {
    async *entry(name: string, parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
      const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
      const head = localHeader(entry);
      yield head;
      const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 });
      const feeding = (async () => {
        try {
          for await (const part of parts) {
            // Nobody reads any more. Returning closes what the parts come from.
            if (deflate.destroyed) return;
            const bytes = Buffer.from(part);
            entry.crc = crc32(bytes, entry.crc);
            entry.size += bytes.length;
            if (entry.size > maxZipBytes) throw new Error('A sheet is larger than a spreadsheet can be. Export as CSV instead.');
            if (!deflate.write(bytes)) await drained(deflate);
          }
          deflate.end();
        } catch (error) {
          deflate.destroy(error as Error);
        }
      })();
      try {
        for await (const chunk of deflate as AsyncIterable<Buffer>) {
          entry.packed += chunk.length;
          yield chunk;
        }
      } finally {
        deflate.destroy();
        await feeding;
      }
      const tail = descriptor(entry);
      yield tail;
      offset += head.length + entry.packed + tail.length;
      if (offset > maxZipBytes) throw new Error('The spreadsheet is larger than 4 GB. Export as CSV instead.');
      entries.push(entry);
    },
    end(): Buffer {
      const directory = Buffer.concat(entries.map(directoryEntry));
      const tail = Buffer.alloc(22);
      tail.writeUInt32LE(0x06054b50, 0);
      tail.writeUInt16LE(entries.length, 8);
      tail.writeUInt16LE(entries.length, 10);
      tail.writeUInt32LE(directory.length, 12);
      tail.writeUInt32LE(offset, 16);
      return Buffer.concat([directory, tail]);
    },
  };
}

/** Resolves when more can be written, or when the stream is closed, which happens without it if nobody reads to the end. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** Bit 3: sizes follow the data. Bit 11: the name is UTF-8. Method 8: deflated. The date is the first one the format knows. */
const flags = 0x0808;
const dosDate = 0x21;

function localHeader({ name }: Entry): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(dosDate, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryEntry({ name, crc, packed, size, offset }: Entry): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(8, 10);
  head.writeUInt16LE(dosDate, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(packed, 20);
  head.writeUInt32LE(size, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name]);
}
