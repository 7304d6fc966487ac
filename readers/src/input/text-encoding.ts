/**
 * Decodes text whose encoding is declared in it or unknown. An encoding is found in this order: byte-order mark, UTF-16 by its zero bytes,
 * valid UTF-8, a declaration in the file, and the statistics of the bytes.
 */
import { createRequire } from 'node:module';
import { type CharsetDecoder, charsetDecoder } from './charset.ts';

/** A name that charsetDecoder knows, `us-ascii` or, for bytes that are not text, `binary`. */
export type TextEncoding = string;

const marks: readonly [TextEncoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** `complete` is false for the beginning of a longer text, which may end inside a character. */
export function detectEncoding(bytes: Buffer, complete = true, declared?: string): { encoding: TextEncoding; bom: number } {
  for (const [encoding, mark] of marks) if (mark.every((byte, at) => bytes[at] === byte)) return { encoding, bom: mark.length };
  const sample = bytes.subarray(0, 65_536);
  let zeroEven = 0;
  let zeroOdd = 0;
  let control = 0;
  let escapes = 0;
  let high = false;
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] as number;
    if (byte === 0) i % 2 === 0 ? zeroEven++ : zeroOdd++;
    else if (byte === 27) escapes += 1;
    else if (byte < 9 || (byte > 13 && byte < 32)) control += 1;
    else if (byte > 127) high = true;
  }
  const pairs = sample.length / 2;
  if (pairs >= 2 && zeroOdd > pairs * 0.4 && zeroEven < pairs * 0.05) return { encoding: 'utf-16le', bom: 0 };
  if (pairs >= 2 && zeroEven > pairs * 0.4 && zeroOdd < pairs * 0.05) return { encoding: 'utf-16be', bom: 0 };
  if (zeroEven + zeroOdd > sample.length * 0.01 || control > sample.length * 0.1) return { encoding: 'binary', bom: 0 };
  if (escapes > 0 && /\x1b\$[@B]|\x1b\(J/.test(sample.toString('latin1'))) return { encoding: 'iso-2022-jp', bom: 0 };
  if (!high && sample.length === bytes.length) return { encoding: 'us-ascii', bom: 0 };
  if (isUtf8(bytes, complete)) return { encoding: 'utf-8', bom: 0 };
  return { encoding: usableDeclaration(declared) ?? detectLegacyEncoding(bytes), bom: 0 };
}

/** A text that can be read byte by byte is not UTF-16, and it was already found not to be UTF-8. */
function usableDeclaration(declared: string | undefined): string | undefined {
  const encoding = declared === undefined ? undefined : charsetDecoder(declared)?.encoding;
  return encoding === undefined || /^utf-/.test(encoding) ? undefined : encoding;
}

/** An incomplete sample may end inside a character. */
function isUtf8(bytes: Buffer, complete: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}

/** Decodes text in its declared or detected encoding; null when the bytes are binary. */
export function decodeText(bytes: Buffer, complete = true, declared?: string): { text: string; encoding: TextEncoding } | null {
  const { encoding, bom } = detectEncoding(bytes, complete, declared);
  if (encoding === 'binary') return null;
  return { text: decoderOf(encoding).decode(bytes.subarray(bom)), encoding };
}

export function decoderOf(encoding: TextEncoding): CharsetDecoder {
  return (encoding === 'us-ascii' ? null : charsetDecoder(encoding)) ?? new TextDecoder('utf-8');
}

interface Detector {
  detect(bytes: Buffer): { encoding: string | null; confidence: number };
}

let detector: Detector | undefined;

/** Guesses an encoding with one or two bytes per character from statistics. Windows-1252, which accepts any bytes, if nothing fits. */
export function detectLegacyEncoding(bytes: Buffer): TextEncoding {
  const sample = linesWithHighBytes(bytes);
  if (countHighBytes(sample) < minHighBytes) return 'windows-1252';
  // Loaded on first use, because processes that read no files import this module too.
  detector ??= createRequire(import.meta.url)('jschardet') as Detector;
  const { encoding } = detector.detect(sample);
  const known = encoding === null ? undefined : charsetDecoder(encoding)?.encoding;
  return known === undefined || /^utf-(16|32)/.test(known) ? 'windows-1252' : known;
}

const sampleBytes = 16_384;
const lineBytes = 2000;

/** Fewer say nothing: a single accented letter fits a dozen encodings. */
const minHighBytes = 6;

function countHighBytes(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte > 127) count += 1;
  return count;
}

/**
 * True if most letters are outside ASCII, as in Cyrillic or Japanese, or if those that are form whole words. In Western languages only some
 * are, too few to detect a code page.
 */
export function isMostlyHighBytes(bytes: Buffer): boolean {
  let high = 0;
  let letters = 0;
  let run = 0;
  let inWords = 0;
  let before = 0;
  for (const byte of bytes) {
    // Quotes and dashes are below, and lines consist of the same character.
    run = byte >= firstLetter && byte !== before ? run + 1 : 0;
    if (run >= wordRun) inWords += run === wordRun ? wordRun : 1;
    if (byte > 127) high += 1;
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) letters += 1;
    before = byte;
  }
  return high >= 4 && (high > letters || inWords * 2 > high);
}

/** The first letter of Windows code pages. */
const firstLetter = 0xc0;
/** No Western language has so many accented letters in a row. */
const wordRun = 4;

/** Plain ASCII says nothing about the encoding, so only lines with other bytes are examined. */
function linesWithHighBytes(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < sampleBytes; at++) {
    if ((bytes[at] as number) < 128) continue;
    const start = Math.max(bytes.lastIndexOf(10, at) + 1, at - lineBytes);
    const newline = bytes.indexOf(10, at);
    const end = Math.min(newline === -1 ? bytes.length : newline + 1, at + lineBytes);
    lines.push(bytes.subarray(start, end));
    length += end - start;
    at = end - 1;
  }
  return Buffer.concat(lines);
}

/** The encoding that the beginning of an HTML or XML document declares. */
export function declaredEncoding(head: Buffer): string | undefined {
  const text = head.subarray(0, 4096).toString('latin1');
  return (
    /^[^>]{0,200}<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/i.exec(text)?.[1] ??
    /<meta[^>]{1,400}charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(text)?.[1]
  );
}
