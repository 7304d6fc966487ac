/** IPTC fields of a photo, which agencies and older programs write: date, caption, keywords and author. */
import { charsetDecoder } from '../../input/charset.ts';
import { decodeText } from '../../input/text-encoding.ts';
import { exifDate } from './exif.ts';

export interface Iptc {
  title?: string;
  description?: string;
  creator?: string;
  keywords?: string[];
  taken_at?: string;
}

const maxFields = 2000;
export function readIptc(data: Buffer): Iptc | null {
  const fields = new Map<number, Buffer[]>();
  let utf8 = false;
  for (let at = 0, n = 0; at + 5 <= data.length && data[at] === 0x1c && n < maxFields; n++) {
    const [record, field, length] = [data[at + 1], data[at + 2] as number, data.readUInt16BE(at + 3)];
    // The upper bit marks fields of more than 32 KB, which none of these is.
    if (length >= 0x8000) break;
    const value = data.subarray(at + 5, at + 5 + length);
    if (record === 1 && field === 90) utf8 = value.toString('latin1') === '\x1b%G';
    else if (record === 2) fields.set(field, [...(fields.get(field) ?? []), value]);
    at += 5 + length;
  }
  if (fields.size === 0) return null;
  const decode = (bytes: Buffer): string =>
    (utf8 ? charsetDecoder('utf-8')?.decode(bytes) : decodeText(bytes)?.text)?.replace(/\0+$/, '').trim() ?? '';
  const first = (field: number): string | undefined => decode(fields.get(field)?.[0] ?? Buffer.alloc(0)) || undefined;
  const keywords = (fields.get(25) ?? []).map(decode).filter(Boolean);
  const found: Iptc = {};
  const [title, description, creator, taken] = [first(5), first(120), first(80), iptcDate(first(55), first(60))];
  if (title !== undefined) found.title = title;
  if (description !== undefined) found.description = description;
  if (creator !== undefined) found.creator = creator;
  if (keywords.length > 0) found.keywords = [...new Set(keywords)];
  if (taken !== undefined) found.taken_at = taken;
  return found;
}

/** `20040506` and `101112+0200`. */
function iptcDate(date: string | undefined, time: string | undefined): string | undefined {
  const day = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(date ?? '');
  if (day === null) return undefined;
  const clock = /^(\d\d):?(\d\d):?(\d\d)(?:([+-]\d\d):?(\d\d))?/.exec(time ?? '');
  const [hour, minute, second] = clock === null ? ['00', '00', '00'] : clock.slice(1, 4);
  const zone = clock?.[4] === undefined ? undefined : `${clock[4]}:${clock[5]}`;
  return exifDate(`${day[1]}:${day[2]}:${day[3]} ${hour}:${minute}:${second}`, zone);
}
