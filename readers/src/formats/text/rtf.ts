import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readWholeFile } from '../../input/file-bytes.ts';
import { readRtf } from './rtf-text.ts';

const READ_MAX = 64 * 1024 * 1024;

/** Rich text: the information group and the visible text. */
export const richText: Extractor = {
  name: 'rtf',
  version: 3,
  text: true,
  extensions: ['rtf'],
  tools: [],
  keys: ['title', 'author', 'subject', 'keywords', 'company', 'created', 'modified', 'pages', 'word_count'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  return readRichText(readWholeFile(source, Math.min(READ_MAX, source.limits.documentMaxBytes)), source);
}

function readRichText(bytes: Buffer, source: Source): Extracted {
  if (!isRichText(bytes)) throw new ExtractError('corrupt', 'The file is not rich text.');
  const body: BodyText = createBodyText(source.limits.bodyTextMaxChars);
  const { info, complete } = readRtf(bytes, body);
  if (!complete && !body.full()) body.markTruncated();
  const title = info['title'] as string | undefined;
  const words = body.full() ? undefined : body.words();
  return { metadata: { ...info, word_count: info['word_count'] ?? words }, ...(title !== undefined && { title }), ...body.result() };
}

function isRichText(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === '{\\rtf';
}
