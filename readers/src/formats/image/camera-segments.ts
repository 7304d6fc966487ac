/** Dates that cameras store in JPEG segments of their own instead of EXIF. */
import { exifDate } from './exif.ts';

/** Olympus, Agfa and others wrote lines of text before EXIF existed. */
export function pictureInfoDate(segment: Buffer): string | undefined {
  const seconds = /^TimeDate=(\d{8,10})\s*$/m.exec(segment.toString('latin1'))?.[1];
  return seconds === undefined ? undefined : secondsDate(Number(seconds));
}

export const thermalMark = 'FLIR\0';
/** Before the data: the mark, a version, the number of the part and that of the last one. */
const thermalHeadBytes = 8;
const maxRecords = 64;
const cameraRecord = 0x20;

interface Part {
  offset: number;
  length: number;
}

/** The segments of a thermal camera form one file: a list of records, of which one is about the camera. */
export function thermalDate(segments: readonly Part[], read: (offset: number, length: number) => Buffer): string | undefined {
  const parts = segments.map(({ offset, length }) => ({ offset: offset + thermalHeadBytes, length: length - thermalHeadBytes }));
  const bytes = (from: number, length: number): Buffer => {
    let start = from;
    for (const part of parts) {
      // Values that are split between two segments are not read.
      if (start < part.length) return read(part.offset + start, Math.min(length, part.length - start));
      start -= part.length;
    }
    return Buffer.alloc(0);
  };
  const head = bytes(0, 32);
  if (head.length < 32 || head.toString('latin1', 0, 4) !== 'FFF\0' || head.readUInt32BE(20) < 100 || head.readUInt32BE(20) > 200)
    return undefined;
  const records = bytes(head.readUInt32BE(24), Math.min(head.readUInt32BE(28), maxRecords) * 32);
  for (let at = 0; at + 32 <= records.length; at += 32) {
    const time = records.readUInt16BE(at) === cameraRecord ? bytes(records.readUInt32BE(at + 12) + 900, 10) : Buffer.alloc(0);
    if (time.length === 10) return zonedDate(time.readUInt32LE(0), -time.readInt16LE(8));
  }
  return undefined;
}

function zonedDate(seconds: number, minutes: number): string | undefined {
  const local = secondsDate(seconds + minutes * 60);
  if (local === undefined || Math.abs(minutes) > 14 * 60) return undefined;
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}

/** Zero means that the clock was not set. */
const secondsDate = (seconds: number): string | undefined =>
  seconds <= 86_400 ? undefined : exifDate(new Date(seconds * 1000).toISOString());
