import type { BodyText } from '../../body-text.ts';
import { EncryptedError, ExtractError } from '../../contract.ts';

/** The multinational characters from number 23 on. */
const multinational = 'ß\u0138j\u00c1áÂâÄäÀàÅåÆæÇçÉéÊêËëÈèÍíÎîÏïÌìÑñÓóÔôÖöÒòÚúÛûÜüÙùŸÿÃãĐđØøÕõÝýÐðÞþ';
/** The letters that version 6 stores as the bytes 1 to 32. */
const international = 'åÅæÆäÄáàâãÃçÇëéÉèêíñÑøØõÕöÖüÜúùß';

function extended(character: number, set: number): string {
  if (set === 0) return String.fromCharCode(character);
  if (set === 1) return multinational[character - 23] ?? ' ';
  if (set === 4) return character >= 27 && character <= 29 ? '’' : character >= 30 && character <= 32 ? '"' : character === 34 ? '—' : ' ';
  return ' ';
}

/** Collects the text of a WordPerfect document of versions 5 and 6 to X. Deleted text that is kept for undo is left out. */
export function collectWordPerfectText(bytes: Buffer, body: BodyText): number {
  if (bytes.length < 16 || bytes.toString('latin1', 0, 4) !== '\xffWPC')
    throw new ExtractError('corrupt', 'The file is not a WordPerfect document.');
  if (bytes.readUInt16LE(12) !== 0) throw new EncryptedError();
  const start = Math.max(16, bytes.readUInt32LE(4));
  const version = bytes[10] === 2 ? 6 : 5;
  const text = version === 6 ? textOf6(bytes.subarray(start)) : textOf5(bytes.subarray(start));
  for (const line of text) {
    if (!body.add(line)) break;
    body.break();
  }
  return version;
}

function* linesOf(characters: Iterable<string>): Generator<string> {
  let line = '';
  for (const character of characters) {
    if (character !== '\n') line += character;
    if (character === '\n' || line.length > 10_000) {
      yield line;
      line = '';
    }
  }
  yield line;
}

const textOf5 = (bytes: Buffer): Iterable<string> => linesOf(characters5(bytes));
const textOf6 = (bytes: Buffer): Iterable<string> => linesOf(characters6(bytes));

const fixedSizes5 = [4, 9, 11, 3, 3, 5, 6, 7, 4, 5, 6, 6, 8, 8, 10, 10];

/** Codes from C0 on are functions of fixed size, those from D0 on state their own. */
function* characters5(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const code = bytes.readUInt8(at);
    if (code >= 0xd0) {
      if (at + 4 > bytes.length) return;
      at += 4 + bytes.readUInt16LE(at + 2);
      continue;
    }
    if (code === 0xc0 && at + 3 < bytes.length) yield extended(bytes.readUInt8(at + 1), bytes.readUInt8(at + 2));
    if (code >= 0xc0) {
      at += fixedSizes5[code - 0xc0] ?? 1;
      continue;
    }
    if (code >= 0x20 && code < 0x7f) yield String.fromCharCode(code);
    else if (code === 0x0a || code === 0x0c || code === 0x8c) yield '\n';
    else if (code === 0x0d || code === 0x0b || code === 0xa0 || code === 0x09) yield ' ';
    else if (code === 0xa9) yield '-';
    at += 1;
  }
}

const fixedSizes6 = [4, 5, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 8, 8, 1];

/** Codes from D0 on state their size, those from F0 on have a fixed one. F1 encloses text that was deleted. */
function* characters6(bytes: Buffer): Generator<string> {
  let deleted = false;
  for (let at = 0; at < bytes.length; ) {
    const code = bytes.readUInt8(at);
    let character = '';
    let size = 1;
    if (code >= 0xf0) {
      size = fixedSizes6[code - 0xf0] ?? 1;
      if (code === 0xf0 && at + 3 < bytes.length) character = extended(bytes.readUInt8(at + 1), bytes.readUInt8(at + 2));
      else if (code === 0xf1) deleted = bytes[at + 1] === 0;
    } else if (code >= 0xd0) {
      if (at + 4 > bytes.length) return;
      size = Math.max(4, bytes.readUInt16LE(at + 2));
      const kind = bytes[at + 1] ?? 0;
      if (code === 0xd0) character = kind <= 3 ? ' ' : '\n';
      // Tabs separate words.
      else if (code === 0xe0) character = ' ';
    } else if (code > 0x20 && code < 0x7f) character = String.fromCharCode(code);
    else if (code >= 1 && code <= 0x20) character = international[code - 1] ?? ' ';
    else if (code === 0x80 || code === 0x81 || code >= 0xcd) character = ' ';
    else if (code === 0x84) character = '-';
    else if (code === 0x87 || code >= 0xb7) character = '\n';
    if (!deleted && character !== '') yield character;
    at += size;
  }
}
