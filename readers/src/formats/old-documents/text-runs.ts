import type { BodyText } from '../../body-text.ts';

const maxRuns = 200_000;

/**
 * Adds texts that a binary format stores with their length before them. `size` reads the length in bytes at an offset; `decode` returns
 * the text, or null when the bytes are none. Equal texts are added once, because such formats keep earlier versions.
 */
export function collectLengthPrefixed(
  bytes: Buffer,
  body: BodyText,
  { prefix, minBytes, maxBytes, decode }: { prefix: 2 | 4; minBytes: number; maxBytes: number; decode(data: Buffer): string | null },
): void {
  const seen = new Set<string>();
  for (let at = 0; at + prefix + minBytes <= bytes.length && seen.size < maxRuns; at++) {
    const size = prefix === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
    if (size < minBytes || size > maxBytes || at + prefix + size > bytes.length) continue;
    const text = decode(bytes.subarray(at + prefix, at + prefix + size))?.trim();
    if (!text) continue;
    at += prefix + size - 1;
    if (seen.has(text)) continue;
    seen.add(text);
    body.add(text);
    body.break();
    if (body.full()) return;
  }
}

/** Scripts that occur together in one text, beside Latin. */
const scripts = [
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
  ...['Latin', 'Hangul', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Devanagari', 'Armenian', 'Georgian'].map(
    (script) => new RegExp(`^\\p{Script=${script}}+$`, 'u'),
  ),
];

/** Printable ASCII, or UTF-16 in one script beside Latin; null for other bytes, such as identifiers. */
export function utf16Text(data: Buffer): string | null {
  const end = data.length > 2 && data[data.length - 1] === 0 ? (data[data.length - 2] === 0 ? 2 : 1) : 0;
  const text = data.subarray(0, data.length - end);
  if (text.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13)) return text.toString('latin1');
  if (data.length % 2 !== 0) return null;
  const wide = data.toString('utf16le').replace(/\0$/, '');
  if (/[\u0000-\u0008\u000e-\u001f\u3400-\u4dbf\ufffe\uffff]|\p{Cn}|\p{Co}|\p{Cs}/u.test(wide)) return null;
  const letters = wide.replace(/[^\p{L}\p{N}]/gu, '');
  const other = letters.replace(/[\p{N}\p{Script=Latin}\u30fc\u02b0-\u02ff]/gu, '');
  return letters !== '' && (other === '' || scripts.some((script) => script.test(other))) ? wide : null;
}
