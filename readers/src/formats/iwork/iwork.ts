/** Apple Pages, Numbers and Keynote: text, the program that wrote them, whether they carry a preview; tables and slides by their parts. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type BodyText, createBodyText } from '../../body-text.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXmlPieces } from '../../input/xml.ts';
import type { Zip } from '../../input/zip.ts';
import { openOfficePackage } from '../office/package.ts';
import { textsIn, unpackPart } from './archive-text.ts';

const partMax = 64 * 1024 * 1024;

export const iworkKeys = ['application', 'format', 'has_preview', 'encrypted', 'table_count', 'slides', 'word_count'] as const;

export const iwork: Extractor = {
  name: 'iwork',
  version: 1,
  extensions: ['pages', 'numbers'],
  tools: [],
  keys: iworkKeys,
  read: readIwork,
};

/** Keynote shares its ending with keys: whoever finds a zip under that name asks here. */
export function readIwork(source: Source): Promise<Extracted> {
  return withFileBytes(source, (file) => read(openOfficePackage(file, source), source));
}

async function read(outer: Zip, source: Source): Promise<Extracted> {
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const names = outer.entries.map(({ name }) => name);
  const parts = outer.entries.filter(({ name }) => /(^|\/)Index\/.*\.iwa$/.test(name));
  const older = outer.find('index.xml') ?? outer.find('index.apxl');
  if (parts.length === 0 && older === undefined && !names.some((name) => /(^|\/)Index\.zip$/.test(name)))
    throw new ExtractError('corrupt', 'The file is no Pages, Numbers or Keynote document.');
  const encrypted = names.some((name) => name.endsWith('.iwph'));
  if (older !== undefined) await readXmlDocument(outer, older.name, body);
  else if (!encrypted) readParts(outer, parts, body);
  const text = body.result();
  const application = { numbers: 'Numbers', key: 'Keynote' }[source.extension] ?? 'Pages';
  const slides = parts.filter(({ name }) => /(^|\/)Slide(-\d+)*\.iwa$/.test(name)).length;
  const tables = parts.filter(({ name }) => /Tables\/DataList/.test(name)).length;
  return {
    metadata: {
      application,
      format: older === undefined ? 'iwork-13' : 'iwork-09',
      has_preview: names.some((name) => /^(preview\.jpg|preview-web\.jpg|QuickLook\/(Thumbnail|Preview)\.(jpg|png|pdf))$/.test(name)),
      ...(encrypted && { encrypted: true }),
      ...(tables > 0 && { table_count: tables }),
      ...(slides > 0 && { slides }),
      ...(text.bodyText !== undefined && { word_count: body.words() }),
    },
    ...text,
  };
}

function readParts(zip: Zip, parts: Zip['entries'], body: BodyText): void {
  // The document itself first: its text is what people look for.
  const order = [...parts].sort((a, b) => Number(b.name.endsWith('Document.iwa')) - Number(a.name.endsWith('Document.iwa')));
  for (const part of order) {
    if (body.full()) {
      body.leaveOut();
      return;
    }
    for (const text of textsIn(unpackPart(zip.read(part, partMax), partMax))) {
      body.add(text);
      body.break();
    }
  }
}

/** Before 2013 the document is one XML file; text stands in the paragraphs of the word-processing namespace. */
async function readXmlDocument(zip: Zip, name: string, body: BodyText): Promise<void> {
  const entry = zip.find(name)!;
  let inText = 0;
  const isText = (tag: string): boolean => tag === 'p';
  await readXmlPieces(zip.stream(entry), {
    open(tag) {
      if (isText(tag)) inText += 1;
    },
    close(tag) {
      if (!isText(tag)) return;
      inText -= 1;
      body.break();
    },
    text(text) {
      if (inText > 0) body.add(text);
    },
  });
}
