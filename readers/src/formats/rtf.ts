/** Rich text: the information group and the visible words. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../body-text.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { readRtf } from './text/rtf-reader.ts';

const READ_MAX = 64 * 1024 * 1024;

export const richText: Extractor = {
  name: 'rtf',
  version: 1,
  extensions: ['rtf'],
  tools: [],
  keys: ['title', 'author', 'subject', 'keywords', 'company', 'created', 'modified', 'pages', 'word_count'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const bytes = readWholeFile(source, Math.min(READ_MAX, source.limits.documentMaxBytes));
  if (bytes.toString('latin1', 0, 5) !== '{\\rtf') throw new ExtractError('corrupt', 'The file is not rich text.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const { info, complete } = readRtf(bytes, body);
  if (!complete && !body.full()) body.leaveOut();
  const title = info['title'] as string | undefined;
  const words = body.full() ? undefined : body.words();
  return { metadata: { ...info, word_count: info['word_count'] ?? words }, ...(title !== undefined && { title }), ...body.result() };
}
