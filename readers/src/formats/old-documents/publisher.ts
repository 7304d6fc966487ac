import { createBodyText } from '../../body-text.ts';
import type { Extracted, Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { openCompoundFile } from '../office/compound-file.ts';
import { legacyOffice } from '../office/legacy-office.ts';
import { collectChunkedText } from './chunked-text.ts';

const streamMax = 64 * 1024 * 1024;

/** Publisher documents: the properties of all office documents, and the text of all frames. */
export async function readPublisher(file: FileBytes, source: Source): Promise<Extracted> {
  const { metadata, title } = await legacyOffice.read(source);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const stream = openCompoundFile(file).stream('Quill/QuillSub/CONTENTS', streamMax);
  if (stream !== undefined) collectChunkedText(stream, body);
  return { metadata: { ...metadata, format: 'Publisher' }, ...(title !== undefined && { title }), ...body.result() };
}
