/** Outlook data files: folders are walked breadth first with a ceiling on folders and messages; text until the stored limit is full. */
import { ExtractError, type Source } from '../../contract.ts';
import type { BodyText } from '../../body-text.ts';
import type { MailboxFacts } from './mbox.ts';

const MAX_FOLDERS = 2000;

interface StoreMessage {
  subject?: string;
  senderName?: string;
  body?: string;
  clientSubmitTime?: Date | null;
  messageDeliveryTime?: Date | null;
}

interface StoreFolder {
  displayName: string;
  contentCount: number;
  hasSubfolders: boolean;
  getSubFolders(): StoreFolder[];
  getNextChild(): StoreMessage | null;
}

export async function readOutlookStore(source: Source, body: BodyText): Promise<MailboxFacts> {
  const { PSTFile } = (await import('pst-extractor')) as unknown as {
    PSTFile: new (path: string) => { getRootFolder(): StoreFolder; close(): void };
  };
  await patchEndOfStream();
  let store: InstanceType<typeof PSTFile>;
  try {
    store = new PSTFile(source.path);
  } catch {
    throw new ExtractError('corrupt', 'The Outlook data file is damaged.');
  }
  try {
    return readFolders(store.getRootFolder(), source.limits.mboxMaxMessages, body);
  } catch (error) {
    if (error instanceof ExtractError || error instanceof RangeError) throw error;
    throw new ExtractError('corrupt', 'The Outlook data file is damaged.');
  } finally {
    store.close();
  }
}

interface NodeStream {
  readCompletely(target: Buffer): void;
  readFromOffset(target: Buffer, offset: number, length: number): number;
}

/**
 * The package compares positions as objects and so never notices the end of a stream: a damaged length would have it read nothing for ever.
 * Reading nothing is an error here.
 */
async function patchEndOfStream(): Promise<void> {
  const { PSTNodeInputStream } = (await import('pst-extractor/dist/PSTNodeInputStream.class.js')) as unknown as {
    PSTNodeInputStream: { prototype: NodeStream };
  };
  PSTNodeInputStream.prototype.readCompletely = function (this: NodeStream, target) {
    for (let filled = 0; filled < target.length; ) {
      const got = this.readFromOffset(target, filled, target.length - filled);
      if (!(got > 0)) throw new ExtractError('corrupt', 'The Outlook data file ends too early.');
      filled += got;
    }
  };
}

function readFolders(root: StoreFolder, maxMessages: number, body: BodyText): MailboxFacts {
  const facts: MailboxFacts = { message_count: 0, truncated: false, folders: [] };
  const queue = [root];
  let visited = 0;
  let read = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    visited += 1;
    if (visited > MAX_FOLDERS) {
      facts.truncated = true;
      break;
    }
    if (folder.displayName !== '') facts.folders?.push(folder.displayName);
    facts.message_count += Math.max(0, folder.contentCount);
    if (folder.contentCount > 0) {
      for (let message = folder.getNextChild(); message !== null; message = folder.getNextChild()) {
        read += 1;
        if (read > maxMessages) {
          facts.truncated = true;
          break;
        }
        includeDate(facts, message.clientSubmitTime ?? message.messageDeliveryTime);
        if (body.full()) continue;
        for (const part of [message.subject, message.senderName, message.body]) {
          body.add(part ?? '');
          body.break();
        }
      }
    }
    if (folder.hasSubfolders) queue.push(...folder.getSubFolders());
  }
  if (facts.truncated) body.leaveOut();
  return facts;
}

function includeDate(facts: MailboxFacts, value: Date | null | undefined): void {
  if (value === null || value === undefined || Number.isNaN(value.getTime())) return;
  const date = value.toISOString();
  if (facts.first_date === undefined || date < facts.first_date) facts.first_date = date;
  if (facts.last_date === undefined || date > facts.last_date) facts.last_date = date;
}
