/** The text of a Word 97-2003 document: the piece table says where each run lies and whether it is one or two bytes a character. */
import type { BodyText } from '../../body-text.ts';

const MAX_PIECES = 100_000;

/** False when the document is encrypted. */
export function collectWordText(word: Buffer, stream: (name: string) => Buffer | undefined, body: BodyText): boolean {
  if (word.length < 0x1aa) return true;
  const flags = word.readUInt16LE(10);
  if ((flags & 0x0100) !== 0) return false;
  const table = stream((flags & 0x0200) !== 0 ? '1Table' : '0Table');
  const at = word.readUInt32LE(0x01a2);
  const length = word.readUInt32LE(0x01a6);
  if (table === undefined || length === 0 || at + length > table.length) return true;
  const pieces = findPieces(table.subarray(at, at + length));
  if (pieces === undefined) return true;
  const count = Math.min(Math.floor((pieces.length - 4) / 12), MAX_PIECES);
  for (let i = 0; i < count; i++) {
    const chars = pieces.readUInt32LE((i + 1) * 4) - pieces.readUInt32LE(i * 4);
    const place = pieces.readUInt32LE((count + 1) * 4 + i * 8 + 2);
    if (chars <= 0 || chars > word.length) break;
    const packed = (place & 0x40000000) !== 0;
    const from = packed ? (place & 0x3fffffff) >> 1 : place;
    const bytes = word.subarray(from, from + (packed ? chars : chars * 2));
    const text = packed ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le');
    if (!body.add(readable(text))) {
      if (i + 1 < count) body.leaveOut();
      break;
    }
  }
  return true;
}

/** Skips the property blocks in front of the piece table. */
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

/** Fields keep their instruction between marks 19 and 20 and their shown text between 20 and 21. */
function readable(text: string): string {
  return text
    .replace(/\u0013[^\u0014\u0015]*\u0014/g, '')
    .replace(/\u0013[^\u0015]*\u0015/g, '')
    .replace(/[\r\u000b\u000c\u0007]/g, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f]/g, '');
}
