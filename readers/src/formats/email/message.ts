/** Parses one message: headers, thread, attachments and body text. */
import type { Address, Email } from 'postal-mime';
import type { BodyText } from '../../body-text.ts';
import { type EmbeddedFile, ExtractError } from '../../contract.ts';
import { htmlToText } from '../text/html-text.ts';
import { decodeEveryCharset } from './message-charsets.ts';

const MAX_ATTACHMENTS = 500;
const MAX_NESTING = 64;
const MAX_REFERENCES = 100;

/** Metadata keys of a message. */
export const messageKeys = [
  'email_subject',
  'email_from',
  'email_to',
  'email_cc',
  'email_date',
  'email_message_id',
  'email_in_reply_to',
  'email_references',
  'email_thread',
  'attachments',
  'attachment_count',
] as const;

export async function parseMessage(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    const parser = new PostalMime({ maxNestingDepth: MAX_NESTING, attachmentEncoding: 'arraybuffer' });
    decodeEveryCharset(parser, bytes);
    return await parser.parse(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : '';
    if (/nesting|header size|maximum/i.test(message))
      throw new ExtractError('guard', 'The message is nested too deeply or its headers are too long.');
    throw new ExtractError('corrupt', 'The message is damaged.');
  }
}

export function messageFacts(email: Email): Record<string, unknown> {
  const attachments = attachmentsOf(email);
  const references = messageIds(email.references ?? '');
  const inReplyTo = messageIds(email.inReplyTo ?? '')[0];
  return {
    email_subject: email.subject,
    email_from: addresses(email.from === undefined ? [] : [email.from]),
    email_to: addresses(email.to),
    email_cc: addresses(email.cc),
    email_date: isoDate(email.date),
    email_message_id: email.messageId,
    ...threadFacts(email.messageId, inReplyTo, references),
    ...(attachments.length > 0 && {
      attachments: attachments.slice(0, MAX_ATTACHMENTS).map((attachment) => ({
        name: attachment.filename ?? undefined,
        type: attachment.mimeType,
        size: typeof attachment.content === 'string' ? attachment.content.length : attachment.content.byteLength,
      })),
    }),
    attachment_count: attachments.length,
  };
}

/** A thread is named by its first message, which all replies refer to. */
export function threadFacts(
  messageId: string | undefined,
  inReplyTo: string | undefined,
  references: readonly string[],
): Record<string, unknown> {
  return {
    email_in_reply_to: inReplyTo,
    ...(references.length > 0 && { email_references: references.slice(0, MAX_REFERENCES) }),
    email_thread: references[0] ?? inReplyTo ?? messageIds(messageId ?? '')[0],
  };
}

export function messageIds(header: string): string[] {
  return [...header.matchAll(/<[^<>\s]{1,400}>/g)].map(([id]) => id);
}

export function collectMessage(email: Email, body: BodyText, maxChars: number): void {
  const page = email.text === undefined && email.html !== undefined ? htmlToText(email.html, maxChars) : undefined;
  body.add(page?.text ?? email.text ?? '');
  if (page?.truncated) body.markTruncated();
  body.break();
  for (const attachment of email.attachments.slice(0, MAX_ATTACHMENTS)) {
    if (attachment.filename === null) continue;
    body.add(attachment.filename);
    body.break();
  }
}

/** The attachments with their content, for the extract task. */
export function embeddedFiles(email: Email): EmbeddedFile[] {
  return attachmentsOf(email)
    .slice(0, MAX_ATTACHMENTS)
    .map(({ filename, mimeType, content }) => ({
      filename: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : ''),
      content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
    }));
}

function attachmentsOf(email: Email): Email['attachments'] {
  return email.attachments.filter((attachment) => attachment.disposition !== 'inline' || attachment.filename !== null);
}

/** Formats addresses as one line: `Ann <ann@example.org>, a@b`. */
function addresses(list: readonly Address[] | undefined): string | undefined {
  if (list === undefined || list.length === 0) return undefined;
  const shown = list.slice(0, 100).flatMap((entry) => entry.group ?? [entry]);
  return shown.map(({ name, address }) => (name && address ? `${name} <${address}>` : address || name)).join(', ');
}

export function isoDate(value: string | undefined): string | undefined {
  const date = new Date(value ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
