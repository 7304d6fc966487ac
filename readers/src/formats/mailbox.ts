/** Mailboxes: mbox files read as a stream, Outlook's pst and ost by their folders, Outlook Express by its pieces. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../body-text.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { readMbox } from './email/mbox.ts';
import { isOutlookExpress, readOutlookExpress } from './email/outlook-express.ts';
import { readOutlookStore } from './email/outlook-store.ts';
import { readStoreHeader } from './email/outlook-store-header.ts';
import { checkStoreTrees } from './email/outlook-store-trees.ts';

export const mailbox: Extractor = {
  name: 'mailbox',
  version: 2,
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
