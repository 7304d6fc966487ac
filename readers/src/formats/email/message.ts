/** Parses one message: headers, attachment names and body text. */
import type { Address, Email } from 'postal-mime';
import type { BodyText } from '../../body-text.ts';
import { ExtractError } from '../../contract.ts';
import { htmlToText } from '../text/html-text.ts';

const MAX_ATTACHMENTS = 500;
const MAX_NESTING = 64;

export async function parseMessage(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: MAX_NESTING, attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : '';
    if (/nesting|header size|maximum/i.test(message))
      throw new ExtractError('guard', 'The message is nested too deeply or its headers are too long.');
    throw new ExtractError('corrupt', 'The message is damaged.');
  }
}

export function messageFacts(email: Email): Record<string, unknown> {
  const attachments = email.attachments.filter((attachment) => attachment.disposition !== 'inline' || attachment.filename !== null);
  return {
    email_subject: email.subject,
    email_from: addresses(email.from === undefined ? [] : [email.from]),
    email_to: addresses(email.to),
    email_cc: addresses(email.cc),
    email_date: isoDate(email.date),
    email_message_id: email.messageId,
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
