/** Single e-mail messages: eml and its kin, Outlook's msg and winmail.dat, and signed ones. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type BodyText, createBodyText } from '../body-text.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { collectMessage, messageFacts, parseMessage } from './email/message.ts';
import { readOutlookMessage } from './email/outlook-message.ts';
import { openCms } from './email/signed-message.ts';
import { isTnef, readTnef } from './email/tnef.ts';
import { isCompoundFile } from './ole/compound-file.ts';

/** Parsing decodes every attachment in memory; past this the rest of the message is left out and that is said. */
const PARSE_MAX = 48 * 1024 * 1024;

export const email: Extractor = {
  name: 'email',
  version: 2,
  extensions: ['eml', 'emlx', 'mht', 'mhtml', 'mim', 'mime', 'nws', 'msg', 'oft', 'tnef', 'dat', 'p7m'],
  tools: [],
  keys: [
    'email_subject',
    'email_from',
    'email_to',
    'email_cc',
    'email_date',
    'email_message_id',
    'attachments',
    'attachment_count',
    'email_truncated',
    'email_signed',
    'email_encrypted',
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  // Of all the files called .dat only Outlook's winmail.dat is mail; the others are none of our business.
  if (source.extension === 'dat' && !isTnef(file.read(0, 6))) return { metadata: {} };
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.emailMaxBytes) throw tooLarge(file.size, source.limits.emailMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  if (isCompoundFile(file.read(0, 8))) return toExtracted(readOutlookMessage(file, body, source.limits.bodyTextMaxChars), body.result());
  if (isTnef(file.read(0, 6))) return toExtracted(readTnef(file, body, source.limits.bodyTextMaxChars), body.result());
  if (source.extension === 'tnef') throw new ExtractError('corrupt', 'The file is not a TNEF message.');
  if (source.extension === 'p7m') return readSigned(file, source, body);
  if (source.extension === 'msg' || source.extension === 'oft') throw new ExtractError('corrupt', 'The file is not an Outlook message.');
  const bytes = file.read(0, PARSE_MAX);
  // Apple Mail writes the length of the message on a line of its own in front of it.
  const start = source.extension === 'emlx' ? bytes.indexOf(10) + 1 : 0;
  const message = bytes.subarray(start);
  if (!looksLikeMessage(message)) throw new ExtractError('corrupt', 'The file is not an e-mail message.');
  const parsed = await parseMessage(message);
  collectMessage(parsed, body, source.limits.bodyTextMaxChars);
  const cut = file.size > PARSE_MAX;
  if (cut) body.leaveOut();
  return toExtracted({ ...messageFacts(parsed), ...(cut && { email_truncated: true }) }, body.result());
}

/** The cover is a fact; what it covers is read as a message where it is one. */
async function readSigned(file: FileBytes, source: Source, body: BodyText): Promise<Extracted> {
  const cover = openCms(file.read(0, PARSE_MAX));
  if (cover.kind === 'encrypted') return { metadata: { email_encrypted: true } };
  const signed = { email_signed: true };
  if (!looksLikeMessage(cover.content)) return { metadata: signed };
  const parsed = await parseMessage(cover.content);
  collectMessage(parsed, body, source.limits.bodyTextMaxChars);
  return toExtracted({ ...messageFacts(parsed), ...signed }, body.result());
}

function toExtracted(metadata: Record<string, unknown>, text: { bodyText?: string; bodyTextTruncated?: boolean }): Extracted {
  const subject = metadata['email_subject'];
  return { metadata, ...(typeof subject === 'string' && { title: subject }), ...text };
}

/** The first lines of a message are header fields. */
function looksLikeMessage(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 4096).toString('latin1').trimStart();
  return /^(?:From [^\n]*\n)?[!-9;-~]{1,76}:[ \t]?[^\n]*(?:\n|$)/.test(head);
}
