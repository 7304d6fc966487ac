import { type BodyText, createBodyText } from '../../body-text.ts';
import { type EmbeddedFile, ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { isCompoundFile } from '../office/compound-file.ts';
import { openCms } from './cms.ts';
import { collectMessage, embeddedFiles, messageFacts, messageIds, messageKeys, parseMessage, threadFacts } from './message.ts';
import { readOutlookMessage } from './outlook-message.ts';
import { isTnef, readTnef } from './tnef.ts';

/** Parsing decodes all attachments in memory, so the message is truncated at this size. */
const PARSE_MAX = 48 * 1024 * 1024;

/** Single e-mail messages: eml and related formats, Outlook msg, winmail.dat, and signed messages. */
export const email: Extractor = {
  name: 'email',
  version: 5,
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

/** Reports that the message is signed or encrypted. Signed content is parsed if it is a message, and read as a file if it is not. */
async function readSigned(file: FileBytes, source: Source, body: BodyText): Promise<Extracted> {
  const cms = openCms(file.read(0, PARSE_MAX), source.limits.decompressedMaxBytes);
  if (cms.kind === 'encrypted') return { metadata: { email_encrypted: true, encrypted: true } };
  const signed = cms.kind === 'signed' ? { email_signed: true } : {};
  if (cms.content.length === 0) return { metadata: signed };
  if (!looksLikeMessage(cms.content))
    return { metadata: signed, embedded: [{ filename: signedFileName(source, cms.content), content: cms.content }] };
  const parsed = await parseMessage(cms.content);
  collectMessage(parsed, body, source.limits.bodyTextMaxChars);
  return { ...toExtracted({ ...messageFacts(parsed), ...signed }, body.result()), embedded: embeddedFiles(parsed) };
}

/** A signed file keeps its name before the extension p7m, such as `invoice.xml.p7m`. */
function signedFileName(source: Source, content: Buffer): string {
  const name = source.filename.replace(/\.p7m$/i, '');
  if (/\.[^.]{1,16}$/.test(name)) return name;
  const start = content.toString('latin1', 0, 64).trimStart();
  return `${name}.${start.startsWith('%PDF-') ? 'pdf' : start.startsWith('<?xml') ? 'xml' : 'txt'}`;
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
