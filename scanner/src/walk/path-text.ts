// biome-ignore-all lint/style/noNonNullAssertion: every index is checked against the length of the bytes first.
/**
 * Path text: file names are bytes, but the catalog stores text. Each byte that is not part of valid UTF-8 becomes one character of a
 * private range (U+10FE80 to U+10FEFF), so text and bytes convert into each other without loss. A name that really contains such a
 * character has its bytes escaped the same way, which keeps the mapping one to one. Everything else, including newlines, is unchanged.
 */
const base = 0x10fe00;
/** The private range in UTF-16. */
const escaped = /\uDBFF[\uDE80-\uDEFF]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function pathText(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (!escaped.test(text)) return text;
  } catch {
    // Not UTF-8: the invalid bytes are escaped below.
  }
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const character = length > 0 ? Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8') : '';
    if (length === 0 || escaped.test(character)) {
      for (let end = at + Math.max(length, 1); at < end; at += 1) text += String.fromCodePoint(base + bytes[at]!);
    } else {
      text += character;
      at += length;
    }
  }
  return text;
}

export function pathBytes(text: string): Buffer {
  if (!escaped.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  for (const char of text) {
    const code = char.codePointAt(0)!;
    parts.push(code >= base + 0x80 && code <= base + 0xff ? Buffer.from([code - base]) : Buffer.from(char, 'utf8'));
  }
  return Buffer.concat(parts);
}

/** The path to pass to file system calls: text where possible, bytes for names that are not UTF-8. */
export function diskPath(text: string): string | Buffer {
  return escaped.test(text) ? pathBytes(text) : text;
}

/** Whether names decoded as UTF-8 may have lost bytes and must be read again as bytes. May be true when nothing was lost. */
export function mayHaveLostBytes(names: string): boolean {
  return names.includes('\uFFFD') || names.includes('\uDBFF');
}

/** Compares texts in the order of their UTF-8 bytes, which is also the database's order. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    let x = a.charCodeAt(at);
    let y = b.charCodeAt(at);
    if (x === y) continue;
    // Surrogate pairs encode characters above U+FFFF, so they sort last.
    if (x >= 0xd800 && y >= 0xd800) {
      if (x <= 0xdfff) x += 0x10000;
      if (y <= 0xdfff) y += 0x10000;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** The length of the valid UTF-8 sequence at this index; 0 when it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = 2; next < length; next += 1) if ((bytes[at + next]! & 0xc0) !== 0x80) return 0;
  return length;
}
