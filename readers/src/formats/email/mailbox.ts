import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Limits, type Source } from '../../contract.ts';
import { type FileBytes, fileChunks, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { includeDate, type MailboxFacts, readMbox } from './mbox.ts';
import { collectMessage, isoDate, parseMessage } from './message.ts';
import { checkStoreTrees, readOutlookStore, readStoreHeader } from './outlook-store.ts';

/** Mailboxes: mbox, Outlook pst and ost, Outlook Express dbx. */
export const mailbox: Extractor = {
  name: 'mailbox',
  version: 6,
  text: true,
  extensions: ['mbox', 'mbx', 'mboxrd', 'mbs', 'pst', 'ost', 'dbx'],
  tools: [],
  keys: [
    'mailbox',
    ...['message_count', 'first_date', 'last_date', 'truncated', 'folders', 'format', 'encoded'].map((key) => `mailbox.${key}`),
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.emailMaxBytes) throw tooLarge(file.size, source.limits.emailMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  if (file.read(0, 4).toString('latin1') === '!BDN') {
    const header = readStoreHeader(file);
    checkStoreTrees(file, header.format);
    return { metadata: { mailbox: { ...(await readOutlookStore(source, body)), ...header } }, ...body.result() };
  }
  if (isOutlookExpress(file.read(0, 4)))
    return { metadata: { mailbox: { ...(await readOutlookExpress(file, source.limits, body)), format: 'dbx' } }, ...body.result() };
  if (source.extension === 'dbx') throw new ExtractError('corrupt', 'The file is not an Outlook Express mailbox.');
  if (source.extension === 'pst' || source.extension === 'ost') throw new ExtractError('corrupt', 'The file is not an Outlook data file.');
  return { metadata: { mailbox: await readMbox(file, source.limits, body) }, ...body.result() };
}

/**
 * Outlook Express (dbx) stores a message as a chain of 512-byte fragments. Each fragment begins with its own offset, the number of used
 * bytes and the offset of the next fragment. Fragments are found by that header, so damaged index trees do not matter.
 */
const dbxSignature = Buffer.from([0xcf, 0xad, 0x12, 0xfe]);
const fragmentBytes = 512;
const maxMessageBytes = 256 * 1024;
const chunkBytes = 1 << 20;

interface Fragment {
  used: number;
  next: number;
}

function isOutlookExpress(head: Buffer): boolean {
  return head.length >= 4 && head.subarray(0, 4).equals(dbxSignature);
}

async function readOutlookExpress(file: FileBytes, limits: Limits, body: BodyText): Promise<MailboxFacts> {
  const head = file.need(0, 0xc8);
  if (!isOutlookExpress(head)) throw new ExtractError('corrupt', 'The file is not an Outlook Express mailbox.');
  const fragments = findFragments(file);
  const followers = new Set([...fragments.values()].map(({ next }) => next));
  const starts = [...fragments.keys()].filter((at) => !followers.has(at));
  const facts: MailboxFacts = { message_count: head.readUInt32LE(0xc4), truncated: false };
  if (facts.message_count > 10_000_000) throw new ExtractError('corrupt', 'The mailbox declares an impossible number of messages.');
  for (const [n, start] of starts.entries()) {
    if (n >= limits.mboxMaxMessages) {
      facts.truncated = true;
      break;
    }
    const email = await parseMessage(joinFragments(file, fragments, start));
    includeDate(facts, isoDate(email.date));
    if (body.full()) continue;
    if (n > 0) body.add('\f');
    body.add(email.subject ?? '');
    body.break();
    collectMessage(email, body, limits.bodyTextMaxChars);
  }
  if (facts.truncated || (body.full() && starts.length > 1)) body.markTruncated();
  return facts;
}

function findFragments(file: FileBytes): Map<number, Fragment> {
  const found = new Map<number, Fragment>();
  let base = 0;
  for (const chunk of fileChunks(file, chunkBytes)) {
    for (let at = 0; at + 16 <= chunk.length; at += 4) {
      if (chunk.readUInt32LE(at) !== base + at || chunk.readUInt32LE(at + 4) !== fragmentBytes || base + at === 0) continue;
      const used = chunk.readUInt32LE(at + 8);
      if (used > 0 && used <= fragmentBytes) found.set(base + at, { used, next: chunk.readUInt32LE(at + 12) });
    }
    base += chunk.length;
  }
  return found;
}

function joinFragments(file: FileBytes, fragments: ReadonlyMap<number, Fragment>, start: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  const seen = new Set<number>();
  for (let at = start; at !== 0 && size < maxMessageBytes && !seen.has(at); ) {
    const fragment = fragments.get(at);
    if (fragment === undefined) break;
    seen.add(at);
    parts.push(file.read(at + 16, fragment.used));
    size += fragment.used;
    at = fragment.next;
  }
  return Buffer.concat(parts);
}
