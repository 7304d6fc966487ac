/** Hangul documents of version 3 (Hangul 96 and 97), which are not compound files. */
import { inflateRawSync } from 'node:zlib';
import type { BodyText } from '../../body-text.ts';
import { EncryptedError, ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

const maxBytes = 64 * 1024 * 1024;
const maxNesting = 32;
const [infoAt, summaryAt, bodyAt] = [30, 158, 1166];

export function isHangul3(file: FileBytes): boolean {
  return file.read(0, 30).toString('latin1') === 'HWP Document File V3.00 \x1a\x01\x02\x03\x04\x05';
}

export function readHangul3(file: FileBytes, body: BodyText): Record<string, unknown> {
  const info = file.need(infoAt, 128);
  if (info.readUInt16LE(96) !== 0) throw new EncryptedError();
  const [title, subject, author, , keywords] = Array.from({ length: 5 }, (_, n) => summaryText(file.need(summaryAt + n * 112, 112)));
  const stored = file.read(bodyAt + info.readUInt16LE(126), maxBytes);
  const content = info[124] === 0 ? stored : unpack(stored);
  collectParagraphs(content, afterStyles(content), body, 0);
  const facts = { title, subject, author, keywords };
  return { format: 'Hangul 3', ...Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== '')), word_count: body.words() };
}

function unpack(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', `The document unpacks to more than ${maxBytes} bytes.`);
    throw new ExtractError('corrupt', 'The packed part of the document is damaged.');
  }
}

function summaryText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at + 2 <= bytes.length; at += 2) {
    const unit = bytes.readUInt16LE(at);
    if (unit === 0) break;
    text += hangulCharacter(unit);
  }
  return text.trim();
}

/** Seven lists of fonts and one of styles precede the paragraphs. */
function afterStyles(content: Buffer): number {
  let at = 0;
  for (let list = 0; list < 8; list++) {
    if (at + 2 > content.length) throw new ExtractError('corrupt', 'The document ends too early.');
    at += 2 + content.readUInt16LE(at) * (list < 7 ? 40 : 238);
  }
  return at;
}

/** Characters that further units belong to, without their own: the units, and the bytes that follow them. */
const controls: Readonly<Record<number, [units: number, bytes: number]>> = {
  6: [3, 34],
  9: [3, 0],
  18: [3, 0],
  19: [3, 0],
  20: [3, 0],
  21: [3, 0],
  23: [4, 0],
  24: [2, 0],
  25: [2, 0],
  28: [31, 0],
  30: [1, 0],
  31: [1, 0],
};
const [table, picture, paragraphEnd, hiddenComment, headerOrFooter, footnote] = [10, 11, 13, 15, 16, 17];
/** Bytes before the paragraphs that a character contains. */
const containers: Readonly<Record<number, number>> = { [hiddenComment]: 8, [headerOrFooter]: 10, [footnote]: 14 };

/** Reads paragraphs up to the empty one that ends their list. Returns the offset after it, or the end where the data is not understood. */
function collectParagraphs(data: Buffer, start: number, body: BodyText, nesting: number): number {
  let at = start;
  const end = data.length;
  while (at + 43 <= end && nesting <= maxNesting && !body.full()) {
    const ownShape = data[at] === 0;
    const [chars, lines] = [data.readUInt16LE(at + 1), data.readUInt16LE(at + 3)];
    const charShapes = data[at + 5] !== 0;
    at += 43;
    if (chars === 0) return at;
    at += (ownShape ? 187 : 0) + lines * 14;
    if (charShapes) for (let n = 0; n < chars && at < end; n++) at += data[at] === 1 ? 1 : 32;
    at = collectCharacters(data, at, chars, body, nesting);
    body.break();
  }
  return end;
}

function collectCharacters(data: Buffer, start: number, chars: number, body: BodyText, nesting: number): number {
  let at = start;
  let text = '';
  const flush = (): void => {
    body.add(text);
    text = '';
  };
  for (let read = 0; read < chars && at + 2 <= data.length; ) {
    const unit = data.readUInt16LE(at);
    at += 2;
    read += 1;
    if (unit >= 32) {
      text += hangulCharacter(unit);
      continue;
    }
    if (unit === paragraphEnd) continue;
    const control = controls[unit];
    if (control !== undefined) {
      at += control[0] * 2 + control[1];
      read += control[0];
      text += unit === 24 ? '-' : ' ';
      continue;
    }
    flush();
    body.break();
    at += 6;
    read += 3;
    let lists = 1;
    const head = containers[unit];
    if (head !== undefined) at += head;
    else if (unit === table && at + 84 <= data.length) {
      const cells = data.readUInt16LE(at + 80);
      at += 84 + cells * 27;
      // The caption follows the cells.
      lists += cells;
    } else if (unit === picture && at + 4 <= data.length) at += 348 + data.readUInt32LE(at);
    else return data.length;
    for (let n = 0; n < lists && at < data.length; n++) at = collectParagraphs(data, at, body, nesting + 1);
  }
  flush();
  return at;
}

const medials = [-1, -1, -1, 0, 1, 2, 3, 4, -1, -1, 5, 6, 7, 8, 9, 10, -1, -1, 11, 12, 13, 14, 15, 16, -1, -1, 17, 18, 19, 20, -1, -1];
const koreanDecoder = new TextDecoder('euc-kr');
const [hanjaFirst, hanjaCount] = [0x4000, 4888];

/** A syllable is composed of its letters in five bits each. Chinese characters are in the order of the Korean standard. */
function hangulCharacter(unit: number): string {
  if (unit < 0x80) return String.fromCharCode(unit);
  if (unit >= hanjaFirst && unit < hanjaFirst + hanjaCount) {
    const index = unit - hanjaFirst;
    return koreanDecoder.decode(Uint8Array.of(0xca + Math.floor(index / 94), 0xa1 + (index % 94)));
  }
  if (unit < 0x8000) return ' ';
  const [initial, medial, final] = [((unit >> 10) & 31) - 2, medials[(unit >> 5) & 31] as number, unit & 31];
  const last = final <= 17 ? final - 1 : final - 2;
  if (initial < 0 || initial > 18 || medial < 0 || last < 0 || last > 27) return ' ';
  return String.fromCharCode(0xac00 + (initial * 21 + medial) * 28 + last);
}
