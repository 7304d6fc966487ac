/** OpenDocument text, spreadsheets, presentations and drawings, zipped or as a flat XML file. */

import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, fileChunks, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { readXmlChunks, type XmlHandlers } from '../../input/xml.ts';
import { openZip, type Zip, type ZipEntry } from '../../input/zip.ts';

const flat = ['fodt', 'fods', 'fodp', 'fodg'];

export const openDocument: Extractor = {
  name: 'odf',
  version: 4,
  text: true,
  extensions: [...'odt ott ods ots odp otp odg otg odf odm sxw stw sxc stc sxi sti sxd'.split(' '), ...flat],
  tools: [],
  keys: [
    'title',
    'author',
    'subject',
    'description',
    'keywords',
    'language',
    'created',
    'modified',
    'application',
    'revision',
    'pages',
    'word_count',
    'paragraphs',
    'tables',
    'images',
    'sheets',
    'sheet_count',
    'slides',
    'encrypted',
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

interface OdfContent {
  metadata: Record<string, unknown>;
  body: BodyText;
  sheets: string[];
  slides: number;
}

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const state: OdfContent = { metadata: {}, body: createBodyText(source.limits.bodyTextMaxChars), sheets: [], slides: 0 };
  if (flat.includes(source.extension)) await readXmlChunks(fileChunks(file), combineHandlers(state));
  else await readZipped(openZip(file, source.limits), state);
  const { metadata, body, sheets, slides } = state;
  if (sheets.length > 0 && /s$|^s[xt]c$/.test(source.extension))
    Object.assign(metadata, { sheets: sheets.slice(0, 1000), sheet_count: sheets.length });
  if (slides > 0) Object.assign(metadata, { slides, pages: slides });
  const title = metadata['title'] as string | undefined;
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

async function readZipped(zip: Zip, state: OdfContent): Promise<void> {
  const content = zip.find('content.xml');
  if (content === undefined) throw new ExtractError('corrupt', 'The document has no content part.');
  const manifest = zip.find('META-INF/manifest.xml');
  if (manifest !== undefined && zip.read(manifest, 4 << 20).includes('encryption-data')) {
    state.metadata['encrypted'] = true;
    return;
  }
  const meta = zip.find('meta.xml');
  if (meta !== undefined) await readXmlChunks(zip.stream(meta), propertyHandlers(state));
  await readXmlChunks(zip.stream(content), textHandlers(state), { shouldStop: () => state.body.full() });
  const styles = zip.find('styles.xml');
  if (styles !== undefined && !state.body.full()) await readHeadersAndFooters(zip, styles, state.body);
  if (state.body.full()) state.body.markTruncated();
}

/** Page headers and footers, and what a master slide shows on every slide, are part of the styles. Damage there affects nothing else. */
async function readHeadersAndFooters(zip: Zip, styles: ZipEntry, body: BodyText): Promise<void> {
  try {
    await readXmlChunks(zip.stream(styles), masterHandlers(body));
  } catch (error) {
    if (!(error instanceof ExtractError) || error.kind === 'guard') throw error;
  }
}

/** Elements of a master page whose text is replaced on each page. */
const fields = new Set(['page-number', 'page-count', 'date', 'time', 'date-time', 'sheet-name', 'page-name']);

function masterHandlers(body: BodyText): Required<XmlHandlers> {
  let inside = 0;
  let field = 0;
  return {
    open(name) {
      if (name === 'master-page') inside += 1;
      if (inside > 0 && fields.has(name)) field += 1;
    },
    close(name) {
      if (name === 'master-page') inside -= 1;
      if (inside > 0 && fields.has(name)) field -= 1;
      if (inside > 0 && name === 'p') body.break();
    },
    text(text) {
      if (inside > 0 && field === 0) body.add(text);
    },
  };
}

const propertyNames: Record<string, string> = {
  title: 'title',
  creator: 'author',
  'initial-creator': 'author',
  subject: 'subject',
  description: 'description',
  keyword: 'keywords',
  language: 'language',
  'creation-date': 'created',
  date: 'modified',
  generator: 'application',
  'editing-cycles': 'revision',
};

function propertyHandlers(state: OdfContent): Required<XmlHandlers> {
  const { metadata } = state;
  let current: string | undefined;
  let inside = false;
  return {
    open(name, attributes) {
      if (name === 'meta') inside = true;
      if (name === 'document-statistic') {
        const count = (key: string) => Number(attributes[key] ?? Number.NaN);
        const counts = {
          pages: count('page-count'),
          word_count: count('word-count'),
          paragraphs: count('paragraph-count'),
          tables: count('table-count'),
          images: count('image-count'),
        };
        for (const [key, value] of Object.entries(counts)) if (Number.isInteger(value) && value >= 0) metadata[key] = value;
      }
      current = inside ? propertyNames[name] : undefined;
    },
    close(name) {
      current = undefined;
      if (name === 'meta') inside = false;
    },
    text(text) {
      const value = text.trim();
      if (current === undefined || value === '') return;
      if (current === 'keywords') metadata['keywords'] = metadata['keywords'] === undefined ? value : `${metadata['keywords']}, ${value}`;
      else if (current === 'revision') metadata['revision'] = Number(value) || undefined;
      else if (current === 'created' || current === 'modified') metadata[current] = isoDate(value);
      else metadata[current] ??= value;
    },
  };
}

function textHandlers(state: OdfContent): Required<XmlHandlers> {
  const { body, sheets } = state;
  let inBody = 0;
  return {
    open(name, attributes) {
      // A formula has no body; its source is an annotation.
      if (name === 'body' || name === 'annotation') inBody += 1;
      if (inBody === 0) return;
      if (name === 'table' && attributes['name'] !== undefined) {
        sheets.push(attributes['name']);
        body.add(attributes['name']);
        body.break();
      } else if (name === 'page') {
        // A form feed begins each slide after the first, even an empty one, so that they can be counted.
        if (state.slides > 0) body.add('\f');
        state.slides += 1;
      } else if (name === 's' || name === 'tab') body.add(' ');
      else if (name === 'line-break') body.break();
    },
    close(name) {
      if (name === 'body' || name === 'annotation') inBody -= 1;
      else if (name === 'p' || name === 'h' || name === 'table-row') body.break();
      else if (name === 'table-cell') body.break(' ');
    },
    text(text) {
      if (inBody > 0) body.add(text);
    },
  };
}

/** A flat XML file contains properties, master pages and content. */
function combineHandlers(state: OdfContent): XmlHandlers {
  const all = [propertyHandlers(state), textHandlers(state), masterHandlers(state.body)];
  return {
    open(name, attributes, depth) {
      for (const handlers of all) handlers.open(name, attributes, depth);
    },
    close(name, depth) {
      for (const handlers of all) handlers.close(name, depth);
    },
    text(text) {
      for (const handlers of all) handlers.text(text);
    },
  };
}

function isoDate(value: string): string | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
