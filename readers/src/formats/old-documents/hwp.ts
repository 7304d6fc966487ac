import { inflateRawSync } from 'node:zlib';
import type { BodyText } from '../../body-text.ts';
import { EncryptedError, ExtractError } from '../../contract.ts';
import type { CompoundFile } from '../office/compound-file.ts';

const maxStream = 64 * 1024 * 1024;
const paragraphText = 67;

/** Collects the text of a Hangul document of version 5. Distributed documents are encrypted; only their preview text can be read. */
export function collectHangulText(ole: CompoundFile, body: BodyText): void {
  const header = ole.stream('FileHeader', 256);
  if (header === undefined || header.length < 40 || !header.toString('latin1', 0, 17).startsWith('HWP Document File'))
    throw new ExtractError('corrupt', 'The file is not a Hangul document.');
  const flags = header.readUInt32LE(36);
  if ((flags & 2) !== 0) throw new EncryptedError();
  const preview = ole.stream('PrvText', 1 << 20)?.toString('utf16le') ?? '';
  const sections = ole
    .names()
    .filter((name) => /^BodyText\/Section\d+$/i.test(name))
    .sort((a, b) => Number(/\d+$/.exec(a)?.[0]) - Number(/\d+$/.exec(b)?.[0]));
  if ((flags & 4) !== 0 || sections.length === 0) {
    body.add(preview);
    if (preview !== '') body.markTruncated();
    return;
  }
  for (const name of sections) {
    const packed = ole.stream(name, maxStream) ?? Buffer.alloc(0);
    collectSection((flags & 1) === 0 ? packed : unpack(packed), body);
    body.break('\n\n');
    if (body.full()) return;
  }
}

function unpack(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxStream });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', `A part of the document unpacks to more than ${maxStream} bytes.`);
    throw new ExtractError('corrupt', 'A packed part of the document is damaged.');
  }
}

/** A record has its type in 10 bits and its size in the upper 12 bits; a larger size follows in four bytes. */
function collectSection(bytes: Buffer, body: BodyText): void {
  for (let at = 0; at + 4 <= bytes.length && !body.full(); ) {
    const head = bytes.readUInt32LE(at);
    let size = head >>> 20;
    at += 4;
    if (size === 0xfff) {
      if (at + 4 > bytes.length) return;
      size = bytes.readUInt32LE(at);
      at += 4;
    }
    if ((head & 0x3ff) === paragraphText) {
      body.add(paragraph(bytes.subarray(at, at + size)));
      body.break();
    }
    at += size;
  }
}

/** Control characters take one unit, except those of objects and fields, which take eight. */
function paragraph(data: Buffer): string {
  let text = '';
  for (let at = 0; at + 2 <= data.length; ) {
    const unit = data.readUInt16LE(at);
    if (unit >= 32) text += String.fromCharCode(unit);
    else if (unit === 10 || unit === 13) text += '\n';
    else if (unit === 9 || unit >= 24) text += ' ';
    at += unit < 32 && ![0, 10, 13].includes(unit) && unit < 24 ? 16 : 2;
  }
  return text;
}
