/** Mailboxes: mbox files read as a stream, and Outlook's pst and ost by their folders. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../reading/body-text.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../reading/file-bytes.ts';
import { readMbox } from './email/mbox.ts';
import { readOutlookStore } from './email/outlook-store.ts';

export const mailbox: Extractor = {
  name: 'mailbox',
  version: 1,
  extensions: ['mbox', 'mbx', 'mboxrd', 'pst', 'ost'],
  tools: [],
  keys: ['mailbox', ...['message_count', 'first_date', 'last_date', 'truncated', 'folders'].map((key) => `mailbox.${key}`)],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.emailMaxBytes) throw tooLarge(file.size, source.limits.emailMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  if (file.read(0, 4).toString('latin1') === '!BDN')
    return { metadata: { mailbox: await readOutlookStore(source, body) }, ...body.result() };
  if (source.extension === 'pst' || source.extension === 'ost') throw new ExtractError('corrupt', 'The file is not an Outlook data file.');
  return { metadata: { mailbox: await readMbox(file, source.limits, body) }, ...body.result() };
}
