/**
 * File names are bytes; the catalog stores text. A name that is not UTF-8 keeps each stray byte as one character of a private range
 * (U+10FE80 to U+10FEFF), so that text and bytes turn into each other without loss. A name that truly holds such a character has its
 * bytes kept the same way, which makes the mapping one to one. Everything else, newlines included, is stored as it is.
 */
const base = 0x10fe00;
/** The range as UTF-16: high surrogate DBFF, low surrogate DE80 to DEFF. */
const escaped = /\uDBFF[\uDE80-\uDEFF]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function pathText(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (!escaped.test(text)) return text;
  } catch {
    // Not UTF-8: kept byte by byte below.
  }
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const piece = length > 0 ? Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8') : '';
    if (length === 0 || escaped.test(piece)) {
      for (let end = at + Math.max(length, 1); at < end; at += 1) text += String.fromCodePoint(base + bytes[at]!);
    } else {
      text += piece;
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

/** What to hand to the file system: text where that is enough, else bytes. */
export function diskPath(text: string): string | Buffer {
  return escaped.test(text) ? pathBytes(text) : text;
}

/** For people: stray bytes are shown as the replacement character. */
export function displayPath(text: string): string {
  return escaped.test(text) ? text.replace(/\uDBFF[\uDE80-\uDEFF]/g, '\uFFFD') : text;
}

/** Names read as UTF-8 may have lost something: they hold a replacement character, or a character of the private range. */
export function mayHaveLostBytes(names: string): boolean {
  return names.includes('\uFFFD') || names.includes('\uDBFF');
}

/** Orders text as its bytes are ordered, which is also the database's order. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    let x = a.charCodeAt(at);
    let y = b.charCodeAt(at);
    if (x === y) continue;
    // Surrogates stand for characters above all others.
    if (x >= 0xd800 && y >= 0xd800) {
      if (x <= 0xdfff) x += 0x10000;
      if (y <= 0xdfff) y += 0x10000;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** Length of the well-formed sequence at this place, 0 when there is none. */
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
