/**
 * Camcorders write when a recording was made into the video stream, where ffprobe does not look: a message with a fixed identifier, then
 * entries of a number and four bytes. Numbers 0x18 and 0x19 hold the zone, year, month, day, hour, minute and second in decimal digits.
 */
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifDate } from '../image/exif.ts';

const identifier = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex');
const searchedBytes = 4 << 20;

const messageBytes = 160;

export function camcorderDate(file: FileBytes): string | undefined {
  const start = file.read(0, searchedBytes);
  for (let at = start.indexOf(identifier); at !== -1; at = start.indexOf(identifier, at + 1)) {
    // A message that is split between packets of the stream has no valid date; the next one may.
    const date = dateOf(unescaped(start.subarray(at + identifier.length, at + identifier.length + messageBytes)));
    if (date !== undefined) return date;
  }
  return undefined;
}

/** The stream puts a 3 after two zeros, so that nothing looks like the start of a unit. */
function unescaped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\0\0\x03', '\0\0'), 'latin1');
}

function dateOf(message: Buffer): string | undefined {
  const entries = new Map<number, Buffer>();
  const count = message[0] ?? 0;
  for (let at = 1; at + 5 <= Math.min(message.length, 1 + count * 5); at += 5)
    entries.set(message.readUInt8(at), message.subarray(at + 1, at + 5));
  const [start, rest] = [entries.get(0x18), entries.get(0x19)];
  if (start === undefined || rest === undefined) return undefined;
  const zone = start.readUInt8(0);
  const offset = `${(zone & 0x20) !== 0 ? '-' : '+'}${String((zone >> 1) & 15).padStart(2, '0')}:${(zone & 1) !== 0 ? '30' : '00'}`;
  const digits = `${start.toString('hex', 1)}${rest.toString('hex')}`;
  const date = digits.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1:$2:$3 $4:$5:$6');
  // Cameras differ in whether the time zone already includes summer time, so the offset is used only while the flag for it is off.
  return exifDate(date, (zone & 0x40) === 0 && zone !== 0xff ? offset : undefined);
}
