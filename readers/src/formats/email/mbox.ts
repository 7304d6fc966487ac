/**
 * Reads mbox files as a stream; messages are separated by lines that begin with "From ". All messages are counted. Headers are parsed up to
 * the message limit, and text is kept until the text limit is reached. Only the start of one message is in memory at a time.
 */

import type { BodyText } from '../../body-text.ts';
import { ExtractError, type Limits } from '../../contract.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';
import { collectMessage, parseMessage } from './message.ts';

export interface MailboxFacts {
  message_count: number;
  first_date?: string;
  last_date?: string;
  truncated: boolean;
  folders?: string[];
}

/** Bytes parsed of each message. */
const HEAD_MAX = 128 * 1024;
const SEPARATOR = Buffer.from('\nFrom ');

export async function readMbox(file: FileBytes, limits: Limits, body: BodyText): Promise<MailboxFacts> {
  if (!/^\s*From /.test(file.read(0, 64).toString('latin1'))) throw new ExtractError('corrupt', 'The file is not a mailbox.');
  const facts: MailboxFacts = { message_count: 0, truncated: false };
  for (const { start, end } of messages(file)) {
    facts.message_count += 1;
    if (facts.message_count > limits.mboxMaxMessages) {
      facts.truncated = true;
      continue;
    }
    const head = file.read(start, Math.min(HEAD_MAX, end - start));
    const date = headerDate(head);
    includeDate(facts, date);
    if (body.full()) {
      body.markTruncated();
      continue;
    }
    // Messages are separated like pages, so that a passage can name its message.
    if (facts.message_count > 1) body.add('\f');
    await addText(head, body, limits.bodyTextMaxChars);
  }
  if (facts.truncated) body.markTruncated();
  return facts;
}

/** Extends the date range of a mailbox. */
export function includeDate(facts: MailboxFacts, date: string | undefined): void {
  if (date === undefined) return;
  if (facts.first_date === undefined || date < facts.first_date) facts.first_date = date;
  if (facts.last_date === undefined || date > facts.last_date) facts.last_date = date;
}

/** Byte ranges of the messages, found in one pass. */
function* messages(file: FileBytes): Generator<{ start: number; end: number }> {
  let start = 0;
  let base = 0;
  let tail: Buffer = Buffer.alloc(0);
  for (const chunk of fileChunks(file)) {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
    const from = base - tail.length;
    for (let at = bytes.indexOf(SEPARATOR); at !== -1; at = bytes.indexOf(SEPARATOR, at + 1)) {
      yield { start, end: from + at };
      start = from + at + 1;
    }
    base += chunk.length;
    tail = bytes.subarray(Math.max(0, bytes.length - SEPARATOR.length + 1));
  }
  yield { start, end: base };
}

function headerDate(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 32_768);
  const text = start.slice(0, /\r?\n\r?\n/.exec(start)?.index);
  const written = /^Date:[ \t]*([^\r\n]{1,100})/im.exec(text)?.[1] ?? /^From \S+ +([^\r\n]{1,60})/.exec(text)?.[1];
  const date = new Date((written ?? '').replace(/\([^)]*\)/g, '').trim());
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A message that cannot be parsed is counted but adds no text. */
async function addText(head: Buffer, body: BodyText, maxChars: number): Promise<void> {
  try {
    const line = head.indexOf(10);
    const email = await parseMessage(head.subarray(line + 1));
    body.add(email.subject ?? '');
    body.break();
    collectMessage(email, body, maxChars);
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
  }
}
