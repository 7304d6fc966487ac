/**
 * What containers say about a recording besides the fields that tag readers use. The description of a track in MP4 names two channels
 * whatever there are, and has no room for a sample rate above 65,535. Extensible WAV files name their codec elsewhere.
 */
import type { FileBytes } from '../input/file-bytes.ts';

export interface AudioConfiguration {
  samplerate?: number;
  channels?: number;
  bit_depth?: number;
}

const maxBoxes = 64;
const maxHeaderBytes = 1 << 20;

/** The configuration of the decoder of an MP4 recording; null if only decoding tells. */
export function readMp4Configuration(file: FileBytes): AudioConfiguration | null {
  const header = movieHeader(file);
  const descriptor = header.indexOf('esds', 0, 'latin1');
  if (descriptor !== -1) return readAac(header.subarray(descriptor + 8, descriptor + 8 + 256));
  // The first one is the description of the track, which contains the second.
  const track = header.indexOf('alac', 0, 'latin1');
  const cookie = track === -1 ? -1 : header.indexOf('alac', track + 4, 'latin1');
  if (cookie === -1 || cookie + 32 > header.length) return {};
  return {
    bit_depth: header.readUInt8(cookie + 13),
    channels: header.readUInt8(cookie + 17),
    samplerate: header.readUInt32BE(cookie + 28),
  };
}

function movieHeader(file: FileBytes): Buffer {
  for (let at = 0, n = 0; n < maxBoxes && at + 16 <= file.size; n++) {
    const head = file.read(at, 16);
    const size = head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    if (head.toString('latin1', 4, 8) === 'moov') return file.read(at, maxHeaderBytes);
    if (size < 8) break;
    at += size;
  }
  return Buffer.alloc(0);
}

const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
/** Below this, the stream may hold a second layer that doubles the rate and adds a channel. */
const lowestPlainRate = 32_000;

/** An object descriptor with the configuration of AAC inside. */
function readAac(bytes: Buffer): AudioConfiguration | null {
  let at = 0;
  /** Enters a descriptor: a tag, and a length of up to four groups of seven bits. */
  const enter = (tag: number): boolean => {
    if (bytes[at] !== tag) return false;
    at += 1;
    for (let n = 0; n < 4 && ((bytes[at++] ?? 0) & 0x80) !== 0; ) n += 1;
    return true;
  };
  if (enter(3)) at += 3;
  const isAac = enter(4) && bytes[at] === 0x40;
  at += 13;
  if (!isAac || !enter(5) || at + 2 > bytes.length) return {};
  const bits = bytes.readUInt16BE(at);
  const [kind, rate, layout] = [bits >> 11, rates[(bits >> 7) & 15], (bits >> 3) & 15];
  if (kind !== 2 || rate === undefined || rate < lowestPlainRate) return null;
  return { samplerate: rate, ...(layout >= 1 && layout <= 7 && { channels: layout === 7 ? 8 : layout }) };
}

/** Whether a WAV file with an extensible header holds samples, whole numbers or floating point. */
export function isExtensiblePcm(file: FileBytes): boolean {
  const head = file.read(0, 65_536);
  const format = head.indexOf('fmt ', 12, 'latin1');
  if (format === -1 || format + 34 > head.length) return false;
  return head.readUInt16LE(format + 8) === 0xfffe && [1, 3].includes(head.readUInt16LE(format + 32));
}
