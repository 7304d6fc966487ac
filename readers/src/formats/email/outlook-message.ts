/** Outlook messages (msg): a compound file with one stream per property. */

import type { BodyText } from '../../body-text.ts';
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { type CompoundFile, openCompoundFile } from '../office/compound-file.ts';
import { htmlToText } from '../text/html-text.ts';

const TEXT_MAX = 4 * 1024 * 1024;
const MAX_ATTACHMENTS = 500;

export function readOutlookMessage(file: FileBytes, body: BodyText, maxChars: number): Record<string, unknown> {
  const ole = openCompoundFile(file);
  const names = ole.names();
  if (!names.some((name) => name.startsWith('__properties_version1.0') || name.startsWith('__substg1.0_'))) {
    throw new ExtractError('corrupt', 'The file is not an Outlook message.');
  }
  const text = (property: string, folder = ''): string | undefined => readText(ole, `${folder}__substg1.0_${property}`);
  const html = ole.stream('__substg1.0_10130102', TEXT_MAX)?.toString('utf8') ?? text('1013');
  body.add(text('1000') ?? (html === undefined ? '' : htmlToText(html, maxChars).text));
  body.break();
  const folders = [
    ...new Set(names.map((name) => /^__attach_version1\.0_#[0-9A-Fa-f]{8}\//.exec(name)?.[0]).filter((folder) => folder !== undefined)),
  ].sort();
  const attachments = folders.slice(0, MAX_ATTACHMENTS).map((folder) => ({
    name: text('3707', folder) ?? text('3704', folder),
    type: text('370E', folder),
    size: ole.stream(`${folder}__substg1.0_37010102`, file.size)?.length,
  }));
  for (const { name } of attachments) {
    body.add(name ?? '');
    body.break();
  }
  const sender = text('0C1A') ?? text('0042');
  const address = text('5D01') ?? text('0C1F') ?? text('0065');
  return {
    email_subject: text('0037'),
    email_from:
      sender !== undefined && address !== undefined && sender !== address && !address.startsWith('/')
        ? `${sender} <${address}>`
        : (sender ?? address),
    email_to: text('0E04'),
    email_cc: text('0E03'),
    email_date: readDate(ole),
    email_message_id: text('1035'),
    ...(attachments.length > 0 && { attachments }),
    attachment_count: folders.length,
  };
}

/** Property type 001F is UTF-16, 001E is a single-byte encoding. */
function readText(ole: CompoundFile, name: string): string | undefined {
  const wide = ole.stream(`${name}001F`, TEXT_MAX);
  const text = wide?.toString('utf16le') ?? decodeNarrow(ole.stream(`${name}001E`, TEXT_MAX));
  const trimmed = text?.replace(/\0+$/, '').trim();
  return trimmed === '' ? undefined : trimmed;
}

function decodeNarrow(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder('windows-1252').decode(bytes);
}

/** Fixed-size properties are 16-byte rows after a header. The submit time is preferred over the delivery time. */
function readDate(ole: CompoundFile): string | undefined {
  const bytes = ole.stream('__properties_version1.0', 1 << 16);
  if (bytes === undefined) return undefined;
  const found = new Map<number, string>();
  for (let at = 32; at + 16 <= bytes.length; at += 16) {
    const tag = bytes.readUInt32LE(at);
    if (tag !== 0x00390040 && tag !== 0x0e060040) continue;
    const date = new Date(Number(bytes.readBigUInt64LE(at + 8) / 10_000n) - 11_644_473_600_000);
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() > 1970) found.set(tag, date.toISOString());
  }
  return found.get(0x00390040) ?? found.get(0x0e060040);
}
