/** Word documents (docx, docm, dotx, dotm): properties, counts and text. */

import { type BodyText, createBodyText } from '../../body-text.ts';
import { type EmbeddedFile, ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXml } from '../../input/xml.ts';
import type { Zip, ZipEntry } from '../../input/zip.ts';
import { keepReadable, officeKeys, openOfficePackage, readOfficePart, readOfficeProperties, unlessDamaged } from './package.ts';

export const wordDocument: Extractor = {
  name: 'docx',
  version: 7,
  text: true,
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  tools: [],
  keys: [...officeKeys, 'pages', 'word_count', 'paragraphs', 'tables', 'images', 'comments'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: Zip, source: Source): Promise<Extracted> {
  const main = zip.find('word/document.xml') ?? zip.entries.find((entry) => /^word\/document\d*\.xml$/i.test(entry.name));
  if (main === undefined) throw new ExtractError('corrupt', 'The document has no text part.');
  const { metadata, title } = readOfficeProperties(zip);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  let paragraphs = 0;
  let tables = 0;
  let images = 0;
  let inText = false;
  let fallbacks = 0;
  const damage = await readOfficePart(zip, main, {
    open(name) {
      if (name === fallback) fallbacks += 1;
      if (fallbacks > 0) return;
      if (name === 't') inText = true;
      else if (name === 'p') paragraphs += 1;
      else if (name === 'tbl') tables += 1;
      else if (name === 'drawing' || name === 'pict') images += 1;
      else if (name === 'tab') body.add(' ');
      else if (name === 'br' || name === 'cr') body.break();
    },
    close(name) {
      if (name === fallback) fallbacks -= 1;
      else if (name === 't') inText = false;
      else if (name === 'p') body.break();
    },
    text(text) {
      if (inText) body.add(text);
    },
  });
  const others = zip.entries.filter(({ name }) => textParts.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const part of others) {
    if (body.full()) break;
    const comments = await readPart(zip, part, body);
    if (comments > 0) metadata['comments'] = comments;
  }
  keepReadable(damage, body, metadata);
  const text = body.result();
  if (!text.bodyTextTruncated) metadata['word_count'] ??= body.words();
  Object.assign(metadata, { paragraphs, tables: tables || undefined, images: images || undefined });
  return { metadata, ...(title !== undefined && { title }), ...text, embedded: insertedDocuments(zip, main) };
}

/** Word writes each text box twice, the second time for versions before 2010. The same holds for text boxes inside it, in both copies. */
const fallback = 'Fallback';

/** Parts beside the main text: notes, comments, headers, footers, charts and diagrams. */
const textParts = /^word\/(?:(?:footnotes|endnotes|comments|header\d*|footer\d*)|(?:charts\/chart|diagrams\/data)\d*)\.xml$/;

/** Reads one part that may be damaged without affecting the others. Returns the number of comments. */
async function readPart(zip: Zip, part: ZipEntry, body: BodyText): Promise<number> {
  let inside = false;
  let fallbacks = 0;
  let comments = 0;
  const handlers = {
    open(tag: string) {
      if (tag === fallback) fallbacks += 1;
      if (fallbacks > 0) return;
      // Charts store numbers and labels as values.
      inside = tag === 't' || (tag === 'v' && part.name.includes('/charts/'));
      if (tag === 'comment') comments += 1;
    },
    close(tag: string) {
      inside = false;
      if (tag === fallback) fallbacks -= 1;
      if (tag === 'p' || tag === 'v') body.break();
    },
    text(text: string) {
      if (inside) body.add(text);
    },
  };
  await readOfficePart(zip, part, handlers);
  body.break();
  return comments;
}

const INSERTED_MAX = 16 * 1024 * 1024;

/** Documents in other formats that Word inserts as chunks when it opens the file. The main part's relationships name them. */
function insertedDocuments(zip: Zip, main: ZipEntry): EmbeddedFile[] {
  const relations = zip.find(main.name.replace(/([^/]+)$/, '_rels/$1.rels'));
  if (relations === undefined) return [];
  const targets: string[] = [];
  unlessDamaged(() => {
    const xml = zip.read(relations, INSERTED_MAX).toString('utf8');
    readXml(xml.replace(/^\uFEFF/, ''), {
      open(_name, { Type = '', Target = '' }) {
        if (/\/aFChunk$/i.test(Type)) targets.push(Target.startsWith('/') ? Target.slice(1) : `word/${Target}`);
      },
    });
  });
  return targets
    .map((target) => zip.find(target.replace('word/../', '')))
    .filter((entry) => entry !== undefined && entry.size <= INSERTED_MAX)
    .slice(0, 20)
    .map((entry) => ({ filename: (entry as ZipEntry).name.replace(/^.*\//, ''), content: zip.read(entry as ZipEntry, INSERTED_MAX) }));
}
