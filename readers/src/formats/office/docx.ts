/** Word documents (docx, docm, dotx, dotm): properties, counts and text. */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXmlChunks } from '../../input/xml.ts';
import { officeKeys, openOfficePackage, readOfficeProperties } from './package.ts';

export const wordDocument: Extractor = {
  name: 'docx',
  version: 1,
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  tools: [],
  keys: [...officeKeys, 'pages', 'word_count', 'paragraphs', 'tables', 'images', 'comments'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: ReturnType<typeof openOfficePackage>, source: Source): Promise<Extracted> {
  const main = zip.find('word/document.xml') ?? zip.entries.find((entry) => /^word\/document\d*\.xml$/.test(entry.name));
  if (main === undefined) throw new ExtractError('corrupt', 'The document has no text part.');
  const { metadata, title } = readOfficeProperties(zip);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  let paragraphs = 0;
  let tables = 0;
  let images = 0;
  let inText = false;
  await readXmlChunks(zip.stream(main), {
    open(name) {
      if (name === 't') inText = true;
      else if (name === 'p') paragraphs += 1;
      else if (name === 'tbl') tables += 1;
      else if (name === 'drawing' || name === 'pict') images += 1;
      else if (name === 'tab') body.add(' ');
      else if (name === 'br' || name === 'cr') body.break();
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'p') body.break();
    },
    text(text) {
      if (inText) body.add(text);
    },
  });
  for (const name of ['word/footnotes.xml', 'word/endnotes.xml', 'word/comments.xml']) {
    const part = zip.find(name);
    if (part === undefined || body.full()) continue;
    let inside = false;
    let comments = 0;
    await readXmlChunks(zip.stream(part), {
      open(tag) {
        inside = tag === 't';
        if (tag === 'comment') comments += 1;
      },
      close(tag) {
        inside = false;
        if (tag === 'p') body.break();
      },
      text(text) {
        if (inside) body.add(text);
      },
    });
    if (comments > 0) metadata['comments'] = comments;
  }
  const text = body.result();
  if (!text.bodyTextTruncated) metadata['word_count'] ??= body.words();
  Object.assign(metadata, { paragraphs, tables: tables || undefined, images: images || undefined });
  return { metadata, ...(title !== undefined && { title }), ...text };
}
