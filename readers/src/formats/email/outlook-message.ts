/** Outlook messages (msg): a compound file with one stream per property. Attached messages are folders of the same form. */

import { isUtf8 } from 'node:buffer';
import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError } from '../../contract.ts';
import { codePageDecoder } from '../../input/charset.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { decodeText } from '../../input/text-encoding.ts';
import { type CompoundFile, openCompoundFile } from '../office/compound-file.ts';
import { codePageOfLanguage } from '../office/legacy-text.ts';
import { htmlToText } from '../text/html-text.ts';
import { readRtf } from '../text/rtf-text.ts';
import { unpackRtf } from './rtf-compression.ts';

const TEXT_MAX = 16 * 1024 * 1024;
const MAX_ATTACHMENTS = 500;
const MAX_NESTING = 8;

/** Numbers of properties: https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxprops */
const fixed = { submitted: 0x00390040, delivered: 0x0e060040, internetCodePage: 0x3fde0003, codePage: 0x3ffd0003, language: 0x3ff10003 };

export interface OutlookAttachment {
  name?: string;
  type?: string;
  size?: number;
  /** At most the bytes that the caller asked for. */
  content(maxBytes: number): Buffer | undefined;
}

export interface OutlookMessage {
  facts: Record<string, unknown>;
  attachments: OutlookAttachment[];
}

export function readOutlookMessage(file: FileBytes, body: BodyText, maxChars: number): OutlookMessage {
  const ole = openCompoundFile(file);
  const names = ole.names();
  if (!names.some((name) => /^(__properties_version1\.0|__substg1\.0_)/i.test(name)))
    throw new ExtractError('corrupt', 'The file is not an Outlook message.');
  return readMessage({ ole, names, folder: '', maxChars, depth: 0 }, body);
}

interface Place {
  ole: CompoundFile;
  names: readonly string[];
  /** The folder of the message, '' for the outermost one. */
  folder: string;
  maxChars: number;
  depth: number;
}

function readMessage(place: Place, body: BodyText): OutlookMessage {
  const { ole, names, folder, depth } = place;
  const numbers = readFixedProperties(ole, folder, depth === 0 ? 32 : 24);
  const language = numbers.get(fixed.language);
  const usual = codePageDecoder(language === undefined ? 1252 : codePageOfLanguage(Number(language)));
  const stated = codePageDecoder(Number(numbers.get(fixed.codePage) ?? numbers.get(fixed.internetCodePage) ?? 1252));
  // Some programs state UTF-8 and write texts in the code page of their language.
  const decoder = (bytes: Buffer): string => (stated.encoding === 'utf-8' && !isUtf8(bytes) ? usual : stated).decode(bytes);
  const text = (property: string, at = folder): string | undefined => readText(ole, `${at}__substg1.0_${property}`, decoder);
  body.add(text('1000') ?? formattedBody(place, numbers, text('1013')));
  body.break();
  const pattern = new RegExp(`^${escapeRegExp(folder)}__attach_version1\\.0_#[0-9A-Fa-f]{8}/`, 'i');
  const folders = [...new Set(names.map((name) => pattern.exec(name)?.[0]).filter((found) => found !== undefined))].sort();
  const attachments = folders.slice(0, MAX_ATTACHMENTS).map((at): OutlookAttachment => {
    const name = text('3707', at) ?? text('3704', at) ?? text('3001', at);
    const type = text('370E', at);
    const size = ole.sizeOf(`${at}__substg1.0_37010102`);
    return {
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(size !== undefined && { size }),
      content: (maxBytes) => ole.stream(`${at}__substg1.0_37010102`, maxBytes),
    };
  });
  for (const [index, { name }] of attachments.entries()) {
    body.add(name ?? '');
    body.break();
    const inner = `${folders[index]}__substg1.0_3701000D/`;
    if (depth < MAX_NESTING && ole.has(`${inner}__properties_version1.0`))
      addAttachedMessage({ ...place, folder: inner, depth: depth + 1 }, body);
  }
  return { facts: messageFacts(text, numbers, attachments, folders.length), attachments };
}

function addAttachedMessage(place: Place, body: BodyText): void {
  const { facts } = readMessage(place, body);
  for (const key of ['email_subject', 'email_from']) {
    body.add(typeof facts[key] === 'string' ? facts[key] : '');
    body.break();
  }
}

function messageFacts(
  text: (property: string) => string | undefined,
  numbers: ReadonlyMap<number, string | number>,
  attachments: readonly OutlookAttachment[],
  count: number,
): Record<string, unknown> {
  const sender = text('0C1A') ?? text('0042');
  const address = text('5D01') ?? text('0C1F') ?? text('0065');
  const headers = text('007D');
  return {
    email_subject: text('0037'),
    email_from:
      sender !== undefined && address !== undefined && sender !== address && !address.startsWith('/')
        ? `${sender} <${address}>`
        : (sender ?? address),
    email_to: text('0E04'),
    email_cc: text('0E03'),
    email_date: numbers.get(fixed.submitted) ?? numbers.get(fixed.delivered),
    email_message_id: text('1035') ?? headerOf(headers, 'message-id'),
    email_in_reply_to: text('1042') ?? headerOf(headers, 'in-reply-to'),
    email_references: text('1039') ?? headerOf(headers, 'references'),
    ...(attachments.length > 0 && { attachments: attachments.map(({ name, type, size }) => ({ name, type, size })) }),
    attachment_count: count,
  };
}

function headerOf(headers: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*((?:[^\\r\\n]|\\r?\\n[ \\t]){1,4000})`, 'im')
    .exec(headers ?? '')?.[1]
    ?.replace(/\s+/g, ' ')
    .trim();
}

/** The body as HTML or compressed rich text, for messages without a plain one. */
function formattedBody({ ole, folder, maxChars }: Place, numbers: ReadonlyMap<number, string | number>, html: string | undefined): string {
  const bytes = ole.stream(`${folder}__substg1.0_10130102`, TEXT_MAX);
  const declared = numbers.get(fixed.internetCodePage);
  const page =
    bytes === undefined
      ? html
      : decodeText(bytes, true, declared === undefined ? undefined : codePageDecoder(Number(declared)).encoding)?.text;
  if (page !== undefined) return htmlToText(page, maxChars).text;
  const rtf = unpackRtf(ole.stream(`${folder}__substg1.0_10090102`, TEXT_MAX) ?? Buffer.alloc(0), TEXT_MAX);
  if (rtf === undefined) return '';
  const body = createBodyText(maxChars);
  readRtf(rtf, body);
  return body.result().bodyText ?? '';
}

/** Property type 001F is UTF-16, 001E is in the code page of the message. */
function readText(ole: CompoundFile, name: string, decode: (bytes: Buffer) => string): string | undefined {
  const narrow = (bytes: Buffer | undefined): string | undefined => (bytes === undefined ? undefined : decode(bytes));
  const text = ole.stream(`${name}001F`, TEXT_MAX)?.toString('utf16le') ?? narrow(ole.stream(`${name}001E`, TEXT_MAX));
  const trimmed = text?.replace(/\0+$/, '').trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Fixed-size properties are 16-byte rows after a header. Only the wanted numbers and times are kept. */
function readFixedProperties(ole: CompoundFile, folder: string, headerBytes: number): ReadonlyMap<number, string | number> {
  const found = new Map<number, string | number>();
  const bytes = ole.stream(`${folder}__properties_version1.0`, 1 << 16) ?? Buffer.alloc(0);
  const wanted = new Set(Object.values(fixed));
  for (let at = headerBytes; at + 16 <= bytes.length; at += 16) {
    const tag = bytes.readUInt32LE(at);
    if (!wanted.has(tag)) continue;
    if ((tag & 0xffff) === 3) {
      if (bytes.readUInt32LE(at + 8) > 0) found.set(tag, bytes.readUInt32LE(at + 8));
      continue;
    }
    const date = new Date(Number(bytes.readBigUInt64LE(at + 8) / 10_000n) - 11_644_473_600_000);
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() > 1970) found.set(tag, date.toISOString());
  }
  return found;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\#]/g, '\\$&');
}
