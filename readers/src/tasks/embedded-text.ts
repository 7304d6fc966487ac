/** Adds the text of embedded files, such as attachments of a message, to the text of the file that contains them. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBodyText } from '../body-text.ts';
import { type EmbeddedFile, ExtractError, type Extracted, type Source } from '../contract.ts';
import { findExtractor } from '../registry.ts';

const maxFiles = 100;
const maxFileBytes = 32 * 1024 * 1024;
const maxNesting = 3;

export async function withEmbeddedText(extracted: Extracted, source: Source, nesting = 0): Promise<Extracted> {
  const { embedded, ...own } = extracted;
  if (embedded === undefined || embedded.length === 0) return own;
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(own.bodyText ?? '');
  if (own.bodyTextTruncated) body.markTruncated();
  // The attachments of a message are its parts, numbered like pages; those of other documents belong to the page they are on.
  // A signed file that is not a message has no attachments: the file is its only content.
  const isMessage = findExtractor(source.extension)?.name === 'email' && own.metadata['attachment_count'] !== undefined;
  for (const file of embedded.slice(0, maxFiles)) {
    if (body.full()) break;
    const { bodyText = '', bodyTextTruncated } = await readEmbedded(file, source, nesting);
    if (isMessage) body.add('\f');
    else body.break('\n\n');
    body.add(isMessage ? bodyText.replaceAll('\f', '\n\n') : bodyText);
    if (bodyTextTruncated) body.markTruncated();
  }
  if (embedded.length > maxFiles) body.markTruncated();
  return { ...own, ...body.result() };
}

/** A file that cannot be read adds nothing: it must not cost the text of the others. */
async function readEmbedded(file: EmbeddedFile, source: Source, nesting: number): Promise<Partial<Extracted>> {
  const extension = /\.([^.]{1,16})$/.exec(file.filename)?.[1]?.toLowerCase() ?? '';
  const extractor = findExtractor(extension);
  if (extractor === undefined || file.content.length === 0 || file.content.length > maxFileBytes || nesting >= maxNesting) return {};
  // Extractors read from files. The name is our own, because the one in the message is untrusted.
  const path = join(tmpdir(), `embedded-${randomUUID()}`);
  try {
    writeFileSync(path, file.content, { flag: 'wx', mode: 0o600 });
    const inner: Source = { ...source, path, filename: file.filename, extension, size: file.content.length };
    return await withEmbeddedText(await extractor.read(inner), inner, nesting + 1);
  } catch (error) {
    if (error instanceof ExtractError) return {};
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}
