import type { BodyText } from '../../body-text.ts';
import { type CharsetDecoder, codePageDecoder } from '../../input/charset.ts';
import { decoderOf, detectLegacyEncoding, isMostlyHighBytes } from '../../input/text-encoding.ts';

const MAX_PIECES = 100_000;

/** The first bytes of a document of Word 2, which is not a compound file. */
export const word2Magic = 0xa5db;

/**
 * Collects the text of a Word document of versions 2 to 2003. The piece table states the position of each run and whether it uses one or
 * two bytes per character. Returns false if the document is encrypted.
 */
export function collectWordText(word: Buffer, stream: (name: string) => Buffer | undefined, body: BodyText): boolean {
  if (word.length < 0x80) return true;
  const flags = word.readUInt16LE(10);
  if ((flags & 0x0100) !== 0) return false;
  // Word 6 and 95 keep the piece table in the same stream. Editions of Word 95 for Asia have other first bytes.
  if (word.readUInt16LE(0) === 0xa5dc || word6Versions.has(word.readUInt16LE(2))) {
    collectWord6Text(word, flags, body);
    return true;
  }
  if (word.readUInt16LE(0) === word2Magic) {
    collectPlainRange(word, body, codePageOfLanguage(word.readUInt16LE(6)));
    return true;
  }
  if (word.length < 0x1aa) return true;
  const table = stream((flags & 0x0200) !== 0 ? '1Table' : '0Table') ?? stream((flags & 0x0200) !== 0 ? '0Table' : '1Table');
  const at = word.readUInt32LE(0x01a2);
  const length = word.readUInt32LE(0x01a6);
  const pieces =
    table === undefined || length === 0 || at + length > table.length ? undefined : findPieces(table.subarray(at, at + length));
  // Since Word 97, single bytes are in this code page on every system.
  if (pieces === undefined) collectPlainRange(word, body, 1252);
  else collectPieces(word, pieces, 1252, false, body);
  return true;
}

const macRoman = 10_000;

/** Word 6 for Macintosh writes in the charset of its system, which the header states. */
function isMacintosh(word: Buffer): boolean {
  return ((word[0x13] as number) & 1) === 1 || word.readUInt16LE(0x14) === 0x100;
}

/** Versions of the file format of Word 6 and 95. */
const word6Versions = new Set([101, 102, 103, 104, 105]);

function collectWord6Text(word: Buffer, flags: number, body: BodyText): void {
  const page = isMacintosh(word) ? macRoman : codePageOfLanguage(word.readUInt16LE(6));
  const [at, length] = word.length >= 0x168 ? [word.readUInt32LE(0x160), word.readUInt32LE(0x164)] : [0, 0];
  // Some files have pieces although their header does not say so.
  const pieces = length > 0 && at + length <= word.length ? findPieces(word.subarray(at, at + length)) : undefined;
  const wide = (flags & 0x1000) !== 0;
  if (wide) collectWidePieces(word, pieces, codePageDecoder(page), body);
  else if (pieces === undefined) collectPlainRange(word, body, page);
  else collectPieces(word, pieces, page, true, body);
}

/** Word 95 for Asia writes two bytes per character: a byte of the code page and zero, or both bytes of a character, the first one last. */
function collectWidePieces(word: Buffer, pieces: Buffer | undefined, decoder: CharsetDecoder, body: BodyText): void {
  const count = pieces === undefined ? 0 : Math.min(Math.floor((pieces.length - 4) / 12), MAX_PIECES);
  const ranges = Array.from({ length: count }, (_, i) => {
    const [chars, from] = pieceAt(pieces as Buffer, count, i);
    return word.subarray(from, from + Math.max(0, chars) * 2);
  });
  let text = '';
  for (const range of count === 0 ? [textRange(word)] : ranges) {
    const bytes: number[] = [];
    for (let i = 0; i + 1 < range.length; i += 2) {
      const [low, high] = [range[i] as number, range[i + 1] as number];
      if (high === 0) bytes.push(low);
      else bytes.push(high, low);
    }
    text += decoder.decode(Buffer.from(bytes));
    if (text.length > word.length * 2) break;
  }
  body.add(cleanWordText(text));
}

function pieceAt(pieces: Buffer, count: number, i: number): [chars: number, position: number] {
  return [pieces.readUInt32LE((i + 1) * 4) - pieces.readUInt32LE(i * 4), pieces.readUInt32LE((count + 1) * 4 + i * 8 + 2)];
}

/** The text of a document without a piece table is one run. */
function collectPlainRange(word: Buffer, body: BodyText, page = 1252): void {
  body.add(cleanWordText(singleByteDecoder(word, page).decode(textRange(word))));
}

/** The header states where text begins and ends. */
function textRange(word: Buffer): Buffer {
  const [from, to] = [word.readUInt32LE(0x18), word.readUInt32LE(0x1c)];
  return word.subarray(from, Math.max(from, Math.min(to, word.length)));
}

/** Documents in another script can state a western language, so text that is mostly other letters shows its own charset. */
function singleByteDecoder(word: Buffer, page: number): CharsetDecoder {
  const bytes = textRange(word);
  if (page !== 1252 || !isMostlyHighBytes(bytes)) return codePageDecoder(page);
  // The marks of paragraphs and cells would confuse the detection.
  return decoderOf(detectLegacyEncoding(Buffer.from(bytes.map((byte) => (byte < 32 ? 10 : byte)))));
}

function collectPieces(word: Buffer, pieces: Buffer, page: number, alwaysSingle: boolean, body: BodyText): void {
  const count = Math.min(Math.floor((pieces.length - 4) / 12), MAX_PIECES);
  const decoder = alwaysSingle ? singleByteDecoder(word, page) : codePageDecoder(page);
  // Fields can cross pieces, so their codes are removed from the joined text.
  let text = '';
  let full = false;
  for (let i = 0; i < count && !full; i++) {
    const [chars, position] = pieceAt(pieces, count, i);
    if (chars <= 0 || chars > word.length) continue;
    const singleByte = alwaysSingle || (position & 0x40000000) !== 0;
    const from = alwaysSingle ? position : singleByte ? (position & 0x3fffffff) >> 1 : position;
    const bytes = word.subarray(from, from + (singleByte ? chars : chars * 2));
    text += singleByte ? decoder.decode(bytes) : bytes.toString('utf16le');
    if (text.length > 1 << 20 || i + 1 === count) {
      full = !body.add(cleanWordText(text)) && i + 1 < count;
      text = '';
    }
  }
  if (text !== '') body.add(cleanWordText(text));
  if (full) body.markTruncated();
}

/** Skips the property blocks before the piece table. */
function findPieces(clx: Buffer): Buffer | undefined {
  for (let at = 0; at + 5 <= clx.length; ) {
    if (clx[at] === 2) {
      const length = clx.readUInt32LE(at + 1);
      const table = clx.subarray(at + 5, at + 5 + length);
      return table.length >= 16 ? table : undefined;
    }
    if (clx[at] !== 1) return undefined;
    at += 3 + clx.readUInt16LE(at + 1);
  }
  return undefined;
}

/** Removes field codes, which are between characters 19 and 20. The field's result, between 20 and 21, is kept. */
function cleanWordText(text: string): string {
  return text
    .replace(/\u0013[^\u0013\u0014\u0015]*\u0014/g, ' ')
    .replace(/\u0013[^\u0013\u0014\u0015]*\u0015/g, ' ')
    .replace(/[\r\u000b\u000c\u000e\u0007]/g, '\n')
    .replace(/\u001e/g, '-')
    .replace(/\u0001/g, ' ')
    .replace(/[\u0000-\u0008\u000f-\u001f]/g, '');
}

/** Windows code pages by primary language, for documents that state only their language. */
const languagePages: Record<number, number> = {
  1: 1256,
  2: 1251,
  4: 936,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  17: 932,
  18: 949,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  30: 874,
  31: 1254,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  41: 1256,
  42: 1258,
};

export function codePageOfLanguage(language: number): number {
  // Traditional Chinese is a variant of the same primary language.
  if (language === 0x404 || language === 0xc04) return 950;
  if (language === 0xc1a || language === 0x1c1a) return 1251;
  return languagePages[language & 0x3ff] ?? 1252;
}

const TEXT_CHARS = 4000;
const TEXT_BYTES = 4008;
const STRING = 4026;

/** Collects the text atoms of a PowerPoint 97-2003 presentation. Containers are entered, other records skipped. */
export function collectPowerPointText(document: Buffer, body: BodyText): void {
  for (let at = 0; at + 8 <= document.length; ) {
    const container = ((document[at] as number) & 0x0f) === 0x0f;
    const type = document.readUInt16LE(at + 2);
    const length = document.readUInt32LE(at + 4);
    at += 8;
    if (container) continue;
    if (type === TEXT_CHARS || type === STRING) body.add(clean(document.toString('utf16le', at, Math.min(at + length, document.length))));
    else if (type === TEXT_BYTES) body.add(clean(document.toString('latin1', at, Math.min(at + length, document.length))));
    if (type === TEXT_CHARS || type === TEXT_BYTES || type === STRING) body.break();
    if (body.full()) {
      body.markTruncated();
      return;
    }
    at += length;
  }
}

function clean(text: string): string {
  return text.replace(/[\r\u000b]/g, '\n').replace(/[\u0000-\u0008\u000e-\u001f]/g, '');
}
