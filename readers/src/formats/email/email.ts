import { type BodyText, createBodyText } from '../../body-text.ts';
import { type EmbeddedFile, ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { objectIdentifier } from '../certificate/der.ts';
import { isCompoundFile } from '../office/compound-file.ts';
import { collectMessage, embeddedFiles, messageFacts, messageIds, messageKeys, parseMessage, threadFacts } from './message.ts';
import { readOutlookMessage } from './outlook-message.ts';
import { isTnef, readTnef } from './tnef.ts';

/** Parsing decodes all attachments in memory, so the message is truncated at this size. */
const PARSE_MAX = 48 * 1024 * 1024;

/** Single e-mail messages: eml and related formats, Outlook msg, winmail.dat, and signed messages. */
export const email: Extractor = {
  name: 'email',
  version: 4,
  text: true,
  extensions: ['eml', 'emlx', 'mht', 'mhtml', 'mim', 'mime', 'nws', 'msg', 'oft', 'tnef', 'dat', 'p7m'],
  tools: [],
  keys: [...messageKeys, 'email_truncated', 'email_signed', 'email_encrypted', 'encrypted'],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  // Only winmail.dat is mail. Other files with the extension .dat are ignored.
  if (source.extension === 'dat' && !isTnef(file.read(0, 6))) return { metadata: {} };
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.emailMaxBytes) throw tooLarge(file.size, source.limits.emailMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  if (isCompoundFile(file.read(0, 8))) return readOutlook(file, source, body);
  if (isTnef(file.read(0, 6))) return toExtracted(readTnef(file, body, source.limits.bodyTextMaxChars), body.result());
  if (source.extension === 'tnef') throw new ExtractError('corrupt', 'The file is not a TNEF message.');
  if (source.extension === 'p7m') return readSigned(file, source, body);
  if (source.extension === 'msg' || source.extension === 'oft') throw new ExtractError('corrupt', 'The file is not an Outlook message.');
  const bytes = file.read(0, PARSE_MAX);
  // Apple Mail stores the message length on the first line.
  const start = source.extension === 'emlx' ? bytes.indexOf(10) + 1 : 0;
  const message = bytes.subarray(start);
  if (!looksLikeMessage(message)) throw new ExtractError('corrupt', 'The file is not an e-mail message.');
  const parsed = await parseMessage(message);
  collectMessage(parsed, body, source.limits.bodyTextMaxChars);
  const truncated = file.size > PARSE_MAX;
  if (truncated) body.markTruncated();
  return {
    ...toExtracted({ ...messageFacts(parsed), ...(truncated && { email_truncated: true }) }, body.result()),
    embedded: embeddedFiles(parsed),
  };
}

/** Attachments above this size, or above this sum, are listed but not read. */
const ATTACHMENT_MAX = 32 * 1024 * 1024;
const ATTACHMENTS_MAX = 128 * 1024 * 1024;

function readOutlook(file: FileBytes, source: Source, body: BodyText): Extracted {
  const { facts, attachments } = readOutlookMessage(file, body, source.limits.bodyTextMaxChars);
  const [inReplyTo] = messageIds(String(facts['email_in_reply_to'] ?? ''));
  const thread = threadFacts(
    facts['email_message_id'] as string | undefined,
    inReplyTo,
    messageIds(String(facts['email_references'] ?? '')),
  );
  const embedded: EmbeddedFile[] = [];
  let bytes = 0;
  for (const { name, size = 0, content } of attachments) {
    if (name === undefined || size === 0 || size > ATTACHMENT_MAX || bytes + size > ATTACHMENTS_MAX) continue;
    bytes += size;
    embedded.push({ filename: name, content: content(size) ?? Buffer.alloc(0) });
  }
  return { ...toExtracted({ ...facts, email_references: undefined, ...thread }, body.result()), embedded };
}

/** Reports that the message is signed or encrypted. Signed content is parsed if it is a message. */
async function readSigned(file: FileBytes, source: Source, body: BodyText): Promise<Extracted> {
  const cms = openCms(file.read(0, PARSE_MAX));
  if (cms.kind === 'encrypted') return { metadata: { email_encrypted: true, encrypted: true } };
  const signed = { email_signed: true };
  if (!looksLikeMessage(cms.content)) return { metadata: signed };
  const parsed = await parseMessage(cms.content);
  collectMessage(parsed, body, source.limits.bodyTextMaxChars);
  return { ...toExtracted({ ...messageFacts(parsed), ...signed }, body.result()), embedded: embeddedFiles(parsed) };
}

function toExtracted(metadata: Record<string, unknown>, text: { bodyText?: string; bodyTextTruncated?: boolean }): Extracted {
  const subject = metadata['email_subject'];
  return { metadata, ...(typeof subject === 'string' && { title: subject }), ...text };
}

/** A message begins with header fields. */
function looksLikeMessage(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 4096).toString('latin1').trimStart();
  return /^(?:From [^\n]*\n)?[!-9;-~]{1,76}:[ \t]?[^\n]*(?:\n|$)/.test(head);
}

/**
 * The payload of a signed or encrypted message (p7m), a CMS structure. Encoders use definite or indefinite lengths, split the content into
 * pieces, and write binary or base64.
 */
type CmsContent = { kind: 'signed'; content: Buffer } | { kind: 'encrypted' };

const signedDataOid = '1.2.840.113549.1.7.2';
const encryptedOids = new Set(['1.2.840.113549.1.7.3', '1.2.840.113549.1.9.16.1.23']);
const maxCmsDepth = 32;

interface CmsValue {
  tag: number;
  start: number;
  end: number;
  /** Offset of the next value, past the end marker of an indefinite length. */
  next: number;
}

function openCms(bytes: Buffer): CmsContent {
  const data = toBinary(bytes);
  const root = readCmsValue(data, 0, data.length, 0);
  const [type, wrapped] = root.tag === 0x30 ? cmsChildren(data, root, 1) : [];
  if (type?.tag !== 0x06 || wrapped === undefined) throw damagedCms();
  const kind = objectIdentifier(data.subarray(type.start, type.end));
  if (encryptedOids.has(kind)) return { kind: 'encrypted' };
  if (kind !== signedDataOid) throw damagedCms();
  const [sequence] = cmsChildren(data, wrapped, 2);
  const inner = sequence === undefined ? undefined : cmsChildren(data, sequence, 3).find(({ tag }) => tag === 0x30);
  const [, wrapper] = inner === undefined ? [] : cmsChildren(data, inner, 4);
  const content = wrapper === undefined ? [] : cmsChildren(data, wrapper, 5).flatMap((part) => octetStrings(data, part, 6));
  return { kind: 'signed', content: Buffer.concat(content) };
}

function toBinary(bytes: Buffer): Buffer {
  if (bytes[0] === 0x30) return bytes;
  const text = bytes.toString('latin1').replace(/-----[^-\n]*-----/g, '');
  // In a message file, headers precede the base64 body.
  const blank = /\r?\n\r?\n/.exec(text);
  const body = blank && /^[\w-]+:/.test(text) ? text.slice(blank.index) : text;
  const data = Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
  if (data[0] !== 0x30) throw new ExtractError('corrupt', 'The file is not a signed message.');
  return data;
}

/** The primitive octet strings in order. A constructed string contains further strings. */
function octetStrings(data: Buffer, part: CmsValue, depth: number): Buffer[] {
  if (part.tag === 0x04) return [data.subarray(part.start, part.end)];
  return part.tag === 0x24 ? cmsChildren(data, part, depth).flatMap((child) => octetStrings(data, child, depth + 1)) : [];
}

function cmsChildren(data: Buffer, outer: CmsValue, depth: number): CmsValue[] {
  const found: CmsValue[] = [];
  for (let at = outer.start; at < outer.end; ) {
    const part = readCmsValue(data, at, outer.end, depth);
    found.push(part);
    at = part.next;
  }
  return found;
}

function readCmsValue(data: Buffer, at: number, limit: number, depth: number): CmsValue {
  const tag = data[at];
  const first = data[at + 1];
  if (tag === undefined || first === undefined || depth > maxCmsDepth) throw damagedCms();
  if (first === 0x80) {
    let inner = at + 2;
    while (!(data[inner] === 0 && data[inner + 1] === 0)) {
      if (inner >= limit) throw damagedCms();
      inner = readCmsValue(data, inner, limit, depth + 1).next;
    }
    return { tag, start: at + 2, end: inner, next: inner + 2 };
  }
  const count = first & 0x80 ? first & 0x7f : 0;
  if (count > 4 || at + 2 + count > limit) throw damagedCms();
  const length = count === 0 ? first : data.readUIntBE(at + 2, count);
  const start = at + 2 + count;
  if (start + length > limit) throw damagedCms();
  return { tag, start, end: start + length, next: start + length };
}

function damagedCms(): ExtractError {
  return new ExtractError('corrupt', 'The signed message is damaged.');
}
