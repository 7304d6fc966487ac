import { type FileBytes, fileChunks } from '../input/file-bytes.ts';

export interface JpegLocation {
  offset: number;
  length: number;
}

/** Whether a JPEG is a viewable picture; lossless JPEGs (marker C3) hold sensor data. */
export function isViewableJpeg(file: FileBytes, location: JpegLocation): boolean {
  return location.length >= 100 && location.offset + location.length <= file.size && frameOf(file, location.offset) !== 'other';
}

/** Walks the segments up to the frame header. `unknown` when it is not among the first 64 KiB. */
function frameOf(file: FileBytes, offset: number): 'viewable' | 'other' | 'unknown' {
  const bytes = file.read(offset, 65_536);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 'other';
  for (let at = 2; at + 4 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return 'other';
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return marker <= 0xc2 ? 'viewable' : 'other';
    if (marker === 0xda) return 'viewable';
    // Markers below C0 are no segments of a picture's head, so this is a coincidence.
    if (marker < 0xc0 || marker === 0xff || bytes.readUInt16BE(at + 2) < 2) return 'other';
  }
  return 'unknown';
}

const searchedBytes = 64 * 1024 * 1024;
const maxFound = 16;
const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);

/** Searches the start of a file for viewable JPEGs. Each is taken to reach to the next one; a decoder stops at its end marker. */
export function findJpegs(file: FileBytes): JpegLocation[] {
  const end = Math.min(file.size, searchedBytes);
  const starts: number[] = [];
  let from = 0;
  let tail = Buffer.alloc(0);
  for (const chunk of fileChunks(file, 1 << 20, 0, end)) {
    const bytes = Buffer.concat([tail, chunk]);
    for (let at = bytes.indexOf(startOfImage); at !== -1 && starts.length < maxFound; at = bytes.indexOf(startOfImage, at + 3)) {
      const offset = from - tail.length + at;
      if (frameOf(file, offset) === 'viewable') starts.push(offset);
    }
    from += chunk.length;
    // Keeps the last two bytes, because a marker can span two chunks.
    tail = bytes.subarray(-2);
  }
  return starts.map((offset, i) => ({ offset, length: (starts[i + 1] ?? file.size) - offset }));
}
