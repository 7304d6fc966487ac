/** JPEG: reads the segments up to the first scan. Pixels are not decoded, so a photo needs only a few small reads. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { pictureInfoDate, thermalDate, thermalMark } from './camera-segments.ts';
import { readCiff } from './ciff.ts';
import { type Exif, exifFromBlock } from './exif.ts';
import { readPhotoshopResources } from './headers.ts';
import { type ImageFacts, profileName, readXmp } from './image-facts.ts';

const MAX_SEGMENTS = 2000;
const RESOURCES_MARK = 'Photoshop 3.0\0';
const XMP_MARK = 'http://ns.adobe.com/xap/1.0/\0';

export function readJpeg(file: FileBytes, start = 0): ImageFacts {
  const window = slidingWindow(file);
  const facts: ImageFacts = { format: 'JPEG' };
  const notes: Exif = {};
  const thermal: { offset: number; length: number }[] = [];
  let at = start + 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const head = window(at, 4);
    if (head.length < 4) break;
    // What was read before the damage is kept.
    if (head[0] !== 0xff) break;
    const marker = head[1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) break;
    const length = head.readUInt16BE(2);
    if (length < 2) break;
    if (marker === 0xe1 && window(at + 4, thermalMark.length).toString('latin1') === thermalMark)
      thermal.push({ offset: at + 4, length: length - 2 });
    else readSegmentSafely(facts, notes, marker, () => window(at + 4, length - 2));
    at += 2 + length;
  }
  const taken = thermal.length > 0 ? thermalDate(thermal, window) : undefined;
  if (taken !== undefined) notes.taken_at = taken;
  // EXIF counts more than what the camera notes elsewhere.
  if (Object.keys(notes).length > 0) facts.exif = { ...notes, ...facts.exif };
  if (facts.width === undefined && facts.exif === undefined && facts.xmp === undefined)
    throw new ExtractError('corrupt', 'The JPEG has no frame header.');
  return facts;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** A damaged segment must not cost the facts of the others. */
function readSegmentSafely(facts: ImageFacts, notes: Exif, marker: number, body: () => Buffer): void {
  try {
    readSegment(facts, notes, marker, body);
  } catch (error) {
    if (!(error instanceof ExtractError) && !(error instanceof RangeError)) throw error;
  }
}

function readSegment(facts: ImageFacts, notes: Exif, marker: number, body: () => Buffer): void {
  if (isFrame(marker) && facts.width === undefined) {
    const frame = body();
    if (frame.length < 6) return;
    facts.bit_depth = frame[0] as number;
    facts.height = frame.readUInt16BE(1);
    facts.width = frame.readUInt16BE(3);
    const channels = frame[5] as number;
    facts.mode = channels === 1 ? 'L' : channels === 4 ? 'CMYK' : 'RGB';
    facts.color_space = channels === 1 ? 'gray' : channels === 4 ? 'cmyk' : 'srgb';
    facts.progressive = marker === 0xc2 || marker === 0xc6 || marker === 0xca || marker === 0xce;
  } else if (marker === 0xe0) {
    readApp0(facts, notes, body());
  } else if (marker === 0xe1) {
    const app1 = body();
    if (facts.exif === undefined && app1.toString('latin1', 0, 6) === 'Exif\0\0') {
      const exif = exifFromBlock(app1);
      if (exif !== null) facts.exif = exif;
    } else if (facts.xmp === undefined && app1.toString('latin1', 0, XMP_MARK.length) === XMP_MARK) {
      facts.xmp = readXmp(app1.subarray(XMP_MARK.length));
    }
  } else if (marker === 0xec) {
    const taken = pictureInfoDate(body());
    if (taken !== undefined) notes.taken_at ??= taken;
  } else if (marker === 0xed && facts.iptc === undefined) {
    const app13 = body();
    if (app13.toString('latin1', 0, RESOURCES_MARK.length) !== RESOURCES_MARK) return;
    readPhotoshopResources(app13.subarray(RESOURCES_MARK.length), facts);
  } else if (marker === 0xe2 && facts.color_profile === undefined) {
    const icc = body();
    if (icc.toString('latin1', 0, 11) === 'ICC_PROFILE') {
      const name = profileName(icc.subarray(14));
      if (name !== undefined) facts.color_profile = name;
    }
  }
}

function readApp0(facts: ImageFacts, notes: Exif, app0: Buffer): void {
  if (facts.dpi === undefined && app0.length >= 12 && app0.toString('latin1', 0, 4) === 'JFIF') {
    const density = app0.readUInt16BE(8);
    if (app0[7] === 1 && density > 1) facts.dpi = density;
    else if (app0[7] === 2 && density > 1) facts.dpi = Math.round(density * 2.54);
  }
  // Cameras of before 2000 store tags in Canon's own structure.
  if (app0.toString('latin1', 6, 14) === 'HEAPJPGM')
    Object.assign(notes, readCiff(app0, app0.length, (offset, length) => app0.subarray(offset, offset + length))?.exif);
}

/** Most photos keep all headers in the first 64 KiB, so one read serves many segments. */
function slidingWindow(file: FileBytes): (offset: number, length: number) => Buffer {
  let base = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return (offset, length) => {
    if (offset < base || offset + length > base + bytes.length) {
      base = offset;
      bytes = file.read(offset, Math.max(length, 65_536));
    }
    return bytes.subarray(offset - base, offset - base + length);
  };
}
