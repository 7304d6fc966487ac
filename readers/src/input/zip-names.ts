/**
 * Names of zip members. A name is UTF-8 if its flag says so or its bytes are valid UTF-8. Otherwise it is in the code page of the computer that
 * wrote it, which the archive does not state: it is detected from all such names together, because one name is too short.
 */
import { type CharsetDecoder, codePageDecoder } from './charset.ts';
import { decoderOf, detectLegacyEncoding, isMostlyHighBytes } from './text-encoding.ts';

export interface ZipName {
  bytes: Buffer;
  /** The UTF-8 name that some programs add, which replaces the other one. */
  unicode?: string;
  /** Written under DOS or Windows. */
  dos: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const unicodePath = 0x7075;

/** Reads the name of the directory entry at `at`. */
export function readZipName(directory: Buffer, at: number): ZipName {
  const nameLength = directory.readUInt16LE(at + 28);
  const extraEnd = at + 46 + nameLength + directory.readUInt16LE(at + 30);
  const host = directory[at + 5] as number;
  const name: ZipName = { bytes: directory.subarray(at + 46, at + 46 + nameLength), dos: host === 0 || host === 10 || host === 11 };
  for (let x = at + 46 + nameLength; x + 9 <= extraEnd; x += 4 + directory.readUInt16LE(x + 2)) {
    if (directory.readUInt16LE(x) !== unicodePath) continue;
    const text = decodeUtf8(directory.subarray(x + 9, Math.min(extraEnd, x + 4 + directory.readUInt16LE(x + 2))));
    if (text !== null && text !== '') name.unicode = text;
  }
  return name;
}

export function decodeZipNames(names: readonly ZipName[]): string[] {
  const decoded = names.map(({ bytes, unicode }) => unicode ?? decodeUtf8(bytes));
  if (!decoded.includes(null)) return decoded as string[];
  const undecoded = names.filter((_, index) => decoded[index] === null);
  const sample = Buffer.concat(undecoded.slice(0, 500).flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
  const decoder = chooseDecoder(sample, undecoded[0]?.dos === true);
  return decoded.map((text, index) => text ?? decoder.decode((names[index] as ZipName).bytes));
}

/** Fewer bytes outside ASCII say too little for statistics. */
const enoughBytes = 6;

function chooseDecoder(names: Buffer, dos: boolean): CharsetDecoder {
  const high = names.filter((byte) => byte > 127);
  if (isMostlyHighBytes(names) && high.length >= enoughBytes) return decoderOf(detectLegacyEncoding(names));
  const japanese = codePageDecoder(932);
  if (isJapanese(japanese.decode(names))) return japanese;
  // Letters of code page 866. A name in a Western code page does not consist of them.
  if (dos && isMostlyHighBytes(names) && high.every((byte) => byte < 0xb0 || (byte >= 0xe0 && byte <= 0xf1))) return codePageDecoder(866);
  return codePageDecoder(dos ? 437 : 1252);
}

/** Kana beside no Latin letter: accented letters of a Western word decode to kana, too, but stand among Latin letters. */
function isJapanese(text: string): boolean {
  return /[\u3041-\u30fa]/.test(text) && !/[\ufffd\uff61-\uff9f]|[a-z][^\0-\x7f]|[^\0-\x7f][a-z]/i.test(text);
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
