/**
 * Character sets of messages. Headers may contain raw bytes that no header declares, encoded words and parts may declare a character set
 * that does not exist or is not the one in use. postal-mime reads the former as UTF-8 and the latter as Windows-1252.
 */
import { isUtf8 } from 'node:buffer';
import { type CharsetDecoder, charsetDecoder } from '../../input/charset.ts';
import { decoderOf, decodeText, detectLegacyEncoding, isMostlyHighBytes } from '../../input/text-encoding.ts';

/** Internals of postal-mime, which its types declare private. */
interface MimePart {
  state: string;
  headerLines: string[];
  postalMime: object;
  content?: ArrayBuffer | Uint8Array;
  contentType: { parsed: { params: Record<string, string> } };
  feed(line: Uint8Array): void;
  processHeaders(): void;
  getTextContent(): string;
  decodeFlowedText(text: string, deleteSpace: boolean): string;
}

const patched = new WeakSet<object>();
/** The beginning of the message that a parser reads, which shows the character set of bytes without a declaration. */
const heads = new WeakMap<object, Buffer>();
const headBytes = 65_536;

/** Makes a parser decode headers and parts of this message like any other text. */
export function decodeEveryCharset(parser: object, message: Buffer): void {
  heads.set(parser, message.subarray(0, headBytes));
  const prototype = Object.getPrototypeOf((parser as { root: MimePart }).root) as MimePart;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { feed, processHeaders } = prototype;
  prototype.feed = function (this: MimePart, line: Uint8Array): void {
    const raw = this.state === 'header' && !isUtf8(line);
    feed.call(this, raw ? Buffer.from(undeclaredDecoder(this.postalMime).decode(line)) : line);
  };
  prototype.processHeaders = function (this: MimePart): void {
    this.headerLines = decodeWords(this.headerLines.join('\n'), this.postalMime).split('\n');
    processHeaders.call(this);
  };
  prototype.getTextContent = function (this: MimePart): string {
    if (!this.content) return '';
    const { charset, format, delsp } = this.contentType.parsed.params;
    const text = decodeDeclared(Buffer.from(this.content as ArrayBuffer), charset);
    return /^flowed$/i.test(format ?? '') ? this.decodeFlowedText(text, /^yes$/i.test(delsp ?? '')) : text;
  };
}

/** A header is too short to detect its character set, but usually shares that of the text below. */
function undeclaredDecoder(parser: object): CharsetDecoder {
  const head = heads.get(parser) ?? Buffer.alloc(0);
  for (const [, label] of head.toString('latin1').matchAll(/charset\s*=\s*"?([\w.:-]{2,40})/gi)) {
    const declared = charsetDecoder(label as string);
    if (declared !== null && !/^(utf-|iso-2022|windows-1252)/.test(declared.encoding)) return declared;
  }
  return decoderOf(detectLegacyEncoding(head));
}

const wordRun = /=\?([^?\s]{1,60})\?[bq]\?[^?\n]*\?=(?:\s*=\?\1\?[bq]\?[^?\n]*\?=)*/gi;
const oneWord = /=\?[^?]+\?([bq])\?([^?]*)\?=/gi;

/** Writes encoded words as UTF-8. Adjacent words are decoded together, because a character may be split between them. */
function decodeWords(headers: string, parser: object): string {
  return headers.replace(wordRun, (run, label: string) => {
    const bytes = Buffer.concat([...run.matchAll(oneWord)].map(([, kind, text]) => wordBytes(kind as string, text as string)));
    if (bytes.every((byte) => byte < 128)) return run;
    const charset = label.replace(/\*.*$/, '');
    const known = charsetDecoder(charset) !== null || isUtf8(bytes);
    const text = known ? decodeDeclared(bytes, charset) : undeclaredDecoder(parser).decode(bytes);
    return `=?utf-8?B?${Buffer.from(text.replace(/[\r\n]+/g, ' ')).toString('base64')}?=`;
  });
}

function wordBytes(kind: string, text: string): Buffer {
  if (/b/i.test(kind)) return Buffer.from(text, 'base64');
  return Buffer.from(
    text.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Many programs declare ASCII, Latin-1 or UTF-8 whatever they write, so a declaration counts only if the bytes fit it. */
function decodeDeclared(bytes: Buffer, charset: string | undefined): string {
  const declared = charset === undefined ? null : charsetDecoder(charset);
  const detected = (): string => decodeText(bytes)?.text ?? bytes.toString('latin1');
  if (declared === null || (declared.encoding === 'windows-1252' && isMostlyHighBytes(bytes))) return detected();
  if (/^(iso-2022|utf-(16|32))/.test(declared.encoding)) return declared.decode(bytes);
  if (/^(shift_jis|euc-|gb|big5)/.test(declared.encoding)) {
    const text = declared.decode(bytes);
    return isDamaged(text) || isLongUtf8(bytes) ? detected() : text;
  }
  return decodeText(bytes, true, declared.encoding)?.text ?? bytes.toString('latin1');
}

/** A few characters of a double-byte encoding can be valid UTF-8 by chance, a sentence cannot. */
function isLongUtf8(bytes: Buffer): boolean {
  return bytes.filter((byte) => byte > 127).length >= 16 && isUtf8(bytes);
}

/** More than one in twenty characters outside ASCII could not be decoded. */
function isDamaged(text: string): boolean {
  let [failed, other] = [0, 0];
  for (const character of text) {
    if (character === '\ufffd') failed += 1;
    else if (character > '\u007f') other += 1;
  }
  return failed * 20 > failed + other;
}
