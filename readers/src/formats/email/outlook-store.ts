import type { BodyText } from '../../body-text.ts';
import { ExtractError, type Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { includeDate, type MailboxFacts } from './mbox.ts';

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

/** Walks the folders breadth first, with limits on folders and messages. Text is kept until the text limit is reached. */
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
 * The pst-extractor package compares stream positions as objects and never detects the end of a stream, so a damaged length causes an
 * endless loop. This replacement throws when no bytes are read.
 */
async function patchEndOfStream(): Promise<void> {
  const { PSTNodeInputStream } = (await import('pst-extractor/dist/PSTNodeInputStream.class.js')) as unknown as {
    PSTNodeInputStream: { prototype: NodeStream };
  };
  PSTNodeInputStream.prototype.readCompletely = function (this: NodeStream, target) {
    for (let filled = 0; filled < target.length; ) {
      const count = this.readFromOffset(target, filled, target.length - filled);
      if (!(count > 0)) throw new ExtractError('corrupt', 'The Outlook data file ends too early.');
      filled += count;
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
        includeDate(facts, toIsoDate(message.clientSubmitTime ?? message.messageDeliveryTime));
        if (body.full()) continue;
        if (read > 1) body.add('\f');
        for (const part of [message.subject, message.senderName, message.body]) {
          body.add(part ?? '');
          body.break();
        }
      }
    }
    if (folder.hasSubfolders) queue.push(...folder.getSubFolders());
  }
  if (facts.truncated) body.markTruncated();
  return facts;
}

function toIsoDate(date: Date | null | undefined): string | undefined {
  return date && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined;
}

/** The header of a pst or ost file. */
interface StoreHeader {
  format: 'pst-ansi' | 'pst-unicode' | 'ost-2013';
  /** How text is obfuscated. `compressible` is Outlook's default and `strong` an option; neither needs a password. */
  encoded?: 'compressible' | 'strong' | 'protected';
}

const encodings: Record<number, StoreHeader['encoded']> = { 1: 'compressible', 2: 'strong', 16: 'protected' };

export function readStoreHeader(file: FileBytes): StoreHeader {
  const head = file.need(0, 564);
  const client = head.toString('latin1', 8, 10);
  const version = head.readUInt16LE(10);
  if (head.toString('latin1', 0, 4) !== '!BDN' || (client !== 'SM' && client !== 'SO'))
    throw new ExtractError('corrupt', 'The file is not an Outlook data file.');
  const narrow = version === 14 || version === 15;
  if (!narrow && version < 23) throw new ExtractError('corrupt', 'The Outlook data file has an unknown version.');
  // The header states the file size, which detects a truncated file before anything else is read.
  const stated = narrow ? head.readUInt32LE(168) : Number(head.readBigUInt64LE(184));
  if (stated > file.size) throw new ExtractError('corrupt', 'The Outlook data file ends too early.');
  const encoded = encodings[head.readUInt8(narrow ? 461 : 513)];
  return { format: narrow ? 'pst-ansi' : version >= 36 ? 'ost-2013' : 'pst-unicode', ...(encoded && { encoded }) };
}

/**
 * Layout of a page in the node and block trees of a pst or ost file. Both trees are checked before pst-extractor reads the file, because a
 * circular tree would make it loop forever: page types must match, levels must fall by one, no page may occur twice, and every offset must
 * be inside the file.
 */
interface PageLayout {
  page: number;
  /** Offset of the entry count, followed by the entry size and the level. */
  countOffset: number;
  typeOffset: number;
  wide: boolean;
  wideCount: boolean;
}

const layouts: Record<StoreHeader['format'], PageLayout> = {
  'pst-ansi': { page: 512, countOffset: 496, typeOffset: 500, wide: false, wideCount: false },
  'pst-unicode': { page: 512, countOffset: 488, typeOffset: 496, wide: true, wideCount: false },
  'ost-2013': { page: 4096, countOffset: 4056, typeOffset: 4072, wide: true, wideCount: true },
};
const maxPages = 200_000;

const damaged = (): ExtractError => new ExtractError('corrupt', 'The Outlook data file is damaged.');

export function checkStoreTrees(file: FileBytes, format: StoreHeader['format']): void {
  const layout = layouts[format];
  const address = (at: number): number => (layout.wide ? Number(file.need(at, 8).readBigUInt64LE(0)) : file.need(at, 4).readUInt32LE(0));
  checkTree(file, layout, address(layout.wide ? 224 : 188), 0x81);
  checkTree(file, layout, address(layout.wide ? 240 : 196), 0x80);
}

function checkTree(file: FileBytes, layout: PageLayout, root: number, kind: number): void {
  const seen = new Set<number>();
  const pending: { at: number; level?: number }[] = [{ at: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { at, level } = next;
    if (seen.has(at) || seen.size >= maxPages || at + layout.page > file.size) throw damaged();
    seen.add(at);
    const page = file.need(at, layout.page);
    if (page[layout.typeOffset] !== kind || page[layout.typeOffset + 1] !== kind) throw damaged();
    const count = layout.wideCount ? page.readUInt16LE(layout.countOffset) : page.readUInt8(layout.countOffset);
    const sizeOffset = layout.countOffset + (layout.wideCount ? 4 : 2);
    const [size, pageLevel] = [page.readUInt8(sizeOffset), page.readUInt8(sizeOffset + 1)];
    if (pageLevel > 8 || (level !== undefined && pageLevel !== level) || count * size > layout.countOffset) throw damaged();
    if (pageLevel > 0) {
      const step = layout.wide ? 24 : 12;
      for (let n = 0; n < count; n++) {
        const childOffset = layout.wide ? Number(page.readBigUInt64LE(n * step + 16)) : page.readUInt32LE(n * step + 8);
        pending.push({ at: childOffset, level: pageLevel - 1 });
      }
    } else if (kind === 0x80) checkBlocks(file, layout, page, count);
  }
}

/** Leaves of the block tree hold the offset and length of all data. */
function checkBlocks(file: FileBytes, layout: PageLayout, page: Buffer, count: number): void {
  const step = layout.wide ? 24 : 12;
  for (let n = 0; n < count; n++) {
    const at = layout.wide ? Number(page.readBigUInt64LE(n * step + 8)) : page.readUInt32LE(n * step + 4);
    const length = page.readUInt16LE(n * step + (layout.wide ? 16 : 8));
    if (at + length > file.size) throw damaged();
  }
}
