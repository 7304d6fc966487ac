/**
 * Canon's camera image file format (CRW), which old cameras also put into JPEG files: heaps with a directory at their end, in which an entry
 * can be another heap. All offsets and counts are untrusted.
 */
import { type Exif, exifDate } from './exif.ts';
import type { ImageFacts } from './image-facts.ts';

const maxEntries = 512;
const maxHeaps = 32;

export function readCiff(
  head: Buffer,
  size: number,
  read: (offset: number, length: number) => Buffer,
): Pick<ImageFacts, 'width' | 'height' | 'exif'> | null {
  if (head.length < 14) return null;
  const little = head.toString('latin1', 0, 2) === 'II';
  const u16 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const values = new Map<number, Buffer>();
  const heaps: [start: number, length: number][] = [[u32(head, 2), size - u32(head, 2)]];
  for (let n = 0; n < Math.min(heaps.length, maxHeaps); n++) {
    const [start, length] = heaps[n] as [number, number];
    const pointer = length < 6 ? Buffer.alloc(0) : read(start + length - 4, 4);
    if (pointer.length < 4) continue;
    const directory = start + u32(pointer, 0);
    const count = read(directory, 2);
    const entries = count.length < 2 ? count : read(directory + 2, Math.min(u16(count, 0), maxEntries) * 10);
    for (let at = 0; at + 10 <= entries.length; at += 10) {
      const type = u16(entries, at);
      const [bytes, offset] = [u32(entries, at + 2), u32(entries, at + 6)];
      if ((type & 0x4000) !== 0) values.set(type & 0x3fff, entries.subarray(at + 2, at + 10));
      else if ((type & 0x3800) === 0x2800 || (type & 0x3800) === 0x3000) heaps.push([start + offset, bytes]);
      else if (wantedTags.has(type & 0x3fff)) values.set(type & 0x3fff, read(start + offset, Math.min(bytes, 256)));
    }
  }
  const [names, time, image, exposure] = [0x080a, 0x180e, 0x1810, 0x1818].map((tag) => values.get(tag));
  const [make, model] = names?.toString('latin1').split('\0') ?? [];
  const f32 = (bytes: Buffer, at: number): number => (little ? bytes.readFloatLE(at) : bytes.readFloatBE(at));
  const exif: Exif = {
    ...(make && { camera_make: make.trim() }),
    ...(model && { camera_model: model.trim() }),
    ...(time !== undefined && time.length >= 4 && unixDate(u32(time, 0))),
    ...(image !== undefined && image.length >= 16 && orientationOf(u32(image, 12))),
    ...(exposure !== undefined && exposure.length >= 12 && apexExposure(f32(exposure, 4), f32(exposure, 8))),
  };
  if (Object.keys(exif).length === 0) return null;
  return { exif, ...(image !== undefined && image.length >= 8 && { width: u32(image, 0), height: u32(image, 4) }) };
}

const wantedTags = new Set([0x080a, 0x180e, 0x1810, 0x1818]);

/** Cameras count the seconds in their local time. */
export function unixDate(seconds: number): Pick<Exif, 'taken_at'> {
  const taken = seconds === 0 ? undefined : exifDate(new Date(seconds * 1000).toISOString());
  return taken === undefined ? {} : { taken_at: taken };
}

export function orientationOf(degrees: number): Pick<Exif, 'orientation'> {
  const found = ({ 0: 1, 90: 6, 180: 3, 270: 8 } as Record<number, number>)[degrees];
  return found === undefined ? {} : { orientation: found };
}

function apexExposure(time: number, aperture: number): Pick<Exif, 'exposure_time' | 'f_number'> {
  const [seconds, number] = [2 ** -time, 2 ** (aperture / 2)];
  return {
    ...(time !== 0 && seconds > 1e-6 && seconds < 1e4 && { exposure_time: Number(seconds.toPrecision(3)) }),
    ...(aperture !== 0 && number >= 0.5 && number < 100 && { f_number: Number(number.toPrecision(2)) }),
  };
}
