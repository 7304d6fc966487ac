import { readSync } from 'node:fs';

/** Strings of a segment that stay on disk: ids, names, values. Small tables are read whole on first use. */
export interface DiskStrings {
  size: number;
  get(index: number): string;
  /** Strings from … to − 1, read in one go. */
  slice(from: number, to: number): string[];
}

const smallTable = 1 << 18;
const stretch = 1 << 14;

export function openDiskStrings(fd: number, offsetsAt: number, size: number, stringsAt: number, stringsLength: number): DiskStrings {
  let whole: string[] | null = null;
  /** Bytes of every string where all are of one length, as ids often are; 0 where they are not. */
  let each: number | null = null;
  const pair = Buffer.alloc(8);

  const evenLength = (): number => {
    const length = stringsLength / size;
    if (!Number.isInteger(length)) return 0;
    const borders = new Uint32Array(stretch);
    for (let from = 0; from <= size; from += stretch) {
      const some = borders.subarray(0, Math.min(stretch, size + 1 - from));
      readFully(fd, new Uint8Array(borders.buffer, 0, some.byteLength), offsetsAt + from * 4);
      if (some.some((border, at) => border !== (from + at) * length)) return 0;
    }
    return length;
  };

  const slice = (from: number, to: number): string[] => {
    const borders = Buffer.alloc((to - from + 1) * 4);
    readFully(fd, borders, offsetsAt + from * 4);
    const start = borders.readUInt32LE(0);
    const bytes = Buffer.allocUnsafe(borders.readUInt32LE((to - from) * 4) - start);
    readFully(fd, bytes, stringsAt + start);
    const strings = new Array<string>(to - from);
    for (let at = 0; at < strings.length; at++) {
      strings[at] = bytes.toString('utf8', borders.readUInt32LE(at * 4) - start, borders.readUInt32LE(at * 4 + 4) - start);
    }
    return strings;
  };
  return {
    size,
    get(index) {
      if (whole) return whole[index]!;
      if (stringsLength + size * 4 <= smallTable) {
        whole = slice(0, size);
        return whole[index]!;
      }
      each ??= evenLength();
      if (each === 0) readFully(fd, pair, offsetsAt + index * 4);
      const start = each === 0 ? pair.readUInt32LE(0) : index * each;
      const bytes = Buffer.allocUnsafe(each === 0 ? pair.readUInt32LE(4) - start : each);
      readFully(fd, bytes, stringsAt + start);
      return bytes.toString('utf8');
    },
    slice,
  };
}

/** Reads until the buffer is full; the file was checked when it was opened, so it cannot be shorter. */
export function readFully(fd: number, into: Uint8Array, position: number): void {
  for (let got = 0; got < into.length; ) {
    const read = readSync(fd, into, got, Math.min(into.length - got, 1 << 30), position + got);
    if (read === 0) throw new Error('A segment file ended early.');
    got += read;
  }
}
