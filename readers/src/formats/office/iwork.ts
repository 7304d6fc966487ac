import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { bytesAsFile, withFileBytes } from '../../input/file-bytes.ts';
import { readXmlChunks } from '../../input/xml.ts';
import { openZip, type Zip, type ZipEntry } from '../../input/zip.ts';
import { bytesOf, fieldsOf, type IworkMessage, messagesIn, unpackArchive } from './iwork-archive.ts';
import { createTableCollector, dateText } from './iwork-tables.ts';
import { openOfficePackage } from './package.ts';

const partMax = 64 * 1024 * 1024;

export const iworkKeys = [
  'application',
  'format',
  'has_preview',
  'encrypted',
  'sheets',
  'sheet_count',
  'table_count',
  'slides',
  'word_count',
] as const;

/** Apple Pages, Numbers and Keynote: text, tables, application, preview, and the number of tables and slides. */
export const iwork: Extractor = {
  name: 'iwork',
  version: 2,
  text: true,
  extensions: ['pages', 'numbers'],
  tools: [],
  keys: iworkKeys,
  read: readIwork,
};

/** Also called for files with the extension .key, which Keynote shares with cryptographic keys. */
export function readIwork(source: Source): Promise<Extracted> {
  return withFileBytes(source, (file) => read(openOfficePackage(file, source), source));
}

interface Counts {
  sheets: string[];
  tables: number;
  slides: number;
}

async function read(outer: Zip, source: Source): Promise<Extracted> {
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const names = outer.entries.map(({ name }) => name);
  const xmlEntry = outer.entries.find(({ name }) => /^([^/]+\/)?index\.(xml|apxl)$/.test(name));
  const encrypted = names.some((name) => /(^|\/)\.iwph$/.test(name)) || outer.entries.some(isEncryptedPart);
  const inner = xmlEntry === undefined && !encrypted ? openArchives(outer, source) : outer;
  const parts = inner.entries.filter(({ name }) => /(^|\/)Index\/.*\.iwa$/.test(name));
  if (parts.length === 0 && xmlEntry === undefined)
    throw new ExtractError('corrupt', 'The file is not a Pages, Numbers or Keynote document.');
  const { sheets, tables, slides } = encrypted
    ? { sheets: [], tables: 0, slides: 0 }
    : xmlEntry === undefined
      ? readArchives(inner, parts, source, body)
      : await readXmlDocument(outer, xmlEntry, body);
  const text = body.result((whole) => whole.replaceAll('\ufffc', '').trim());
  return {
    metadata: {
      application: { numbers: 'Numbers', key: 'Keynote' }[source.extension] ?? 'Pages',
      format: xmlEntry === undefined ? 'iwork-13' : 'iwork-09',
      has_preview: names.some((name) => /(^|\/)(preview\.jpg|preview-web\.jpg|QuickLook\/(Thumbnail|Preview)\.(jpg|png|pdf))$/.test(name)),
      ...(encrypted && { encrypted }),
      ...(sheets.length > 0 && { sheets, sheet_count: sheets.length }),
      ...(tables > 0 && { table_count: tables }),
      ...(slides > 0 && { slides }),
      ...(text.bodyText !== undefined && { word_count: body.words() }),
    },
    ...text,
  };
}

/** Documents of before 2013 with a password have their own compression methods. */
function isEncryptedPart({ method }: ZipEntry): boolean {
  return method === 0x636b || method === 0x636c;
}

/** A document that was saved as a folder and packed by another program has its archives in a zip file of their own. */
function openArchives(outer: Zip, source: Source): Zip {
  const index = outer.entries.find(({ name }) => /(^|\/)Index\.zip$/.test(name));
  return index === undefined ? outer : openZip(bytesAsFile(outer.read(index, partMax)), source.limits);
}

const textStorage = 2001;
const comment = 3056;
const sheet = 2;
const maxSheets = 1000;

function readArchives(zip: Zip, parts: readonly ZipEntry[], source: Source, body: BodyText): Counts {
  const tables = createTableCollector();
  const sheets: string[] = [];
  const masterTexts = new Set<string>();
  const add = (text: string): void => {
    body.add(text);
    body.break();
  };
  const readMessage = ({ type, data, ...rest }: IworkMessage, isMaster: boolean): void => {
    tables.add({ type, data, ...rest });
    if (type === sheet && source.extension === 'numbers' && sheets.length < maxSheets)
      sheets.push(bytesOf(data, 1)?.toString('utf8') ?? '');
    if (type === comment) add(bytesOf(data, 1)?.toString('utf8') ?? '');
    if (type !== textStorage) return;
    for (const { field, bytes } of fieldsOf(data)) {
      if (field !== 3 || bytes === undefined) continue;
      const text = bytes.toString('utf8');
      // The layouts of a theme repeat the same placeholders.
      if (isMaster && masterTexts.has(text)) continue;
      if (isMaster) masterTexts.add(text);
      add(text);
    }
  };
  for (const part of inReadingOrder(parts)) {
    if (body.full()) {
      body.markTruncated();
      break;
    }
    try {
      for (const message of messagesIn(unpackArchive(zip.read(part, partMax), partMax))) readMessage(message, isLayout(part));
    } catch (error) {
      // A damaged part must not cost the text of the others.
      if (!(error instanceof ExtractError) || error.kind !== 'corrupt' || parts.length === 1) throw error;
      body.markTruncated();
    }
  }
  for (const name of sheets) add(name);
  tables.write(body);
  const slides = parts.filter(({ name }) => /(^|\/)Slide(-\d+)*\.iwa$/.test(name)).length;
  return { sheets, tables: tables.count(), slides };
}

const isLayout = ({ name }: ZipEntry): boolean => /(^|\/)(Master|Template)Slide/.test(name);

/** The main document first, because its text matters most, and the layouts of slides last. */
function inReadingOrder(parts: readonly ZipEntry[]): ZipEntry[] {
  const rank = (part: ZipEntry): number => (part.name.endsWith('/Document.iwa') ? 0 : isLayout(part) ? 2 : 1);
  return [...parts].sort((a, b) => rank(a) - rank(b));
}

/** Before 2013 the document was one XML file: text in `p` elements, cells of tables in attributes. */
async function readXmlDocument(zip: Zip, entry: ZipEntry, body: BodyText): Promise<Counts> {
  const counts: Counts = { sheets: [], tables: 0, slides: 0 };
  let inText = 0;
  let inPrototypes = 0;
  const add = (text: string | undefined, separator?: string): void => {
    if (text === undefined || inPrototypes > 0) return;
    body.add(text);
    body.break(separator);
  };
  await readXmlChunks(zip.stream(entry), {
    open(tag, attributes) {
      if (tag === 'p') inText += 1;
      else if (tag === 'tabular-prototypes') inPrototypes += 1;
      else if (tag === 'slide') counts.slides += 1;
      else if (tag === 'workspace' && attributes['workspace-name'] !== undefined && counts.sheets.length < maxSheets) {
        counts.sheets.push(attributes['workspace-name']);
        add(attributes['workspace-name']);
      } else if (tag === 'tabular-model' && inPrototypes === 0) {
        counts.tables += 1;
        if (attributes['name'] !== 'Unnamed Table') add(attributes['name']);
      } else add(xmlCell(tag, attributes), ' ');
    },
    close(tag) {
      if (tag === 'tabular-prototypes') inPrototypes -= 1;
      if (tag === 'tabular-model') body.break();
      if (tag !== 'p') return;
      inText -= 1;
      body.break();
    },
    text(text) {
      if (inText > 0) body.add(text);
    },
  });
  return counts;
}

/** The text of a cell: `ct` holds texts, `n` and `rn` numbers and results, `d` and `rd` dates. */
function xmlCell(tag: string, attributes: Record<string, string>): string | undefined {
  if (tag === 'ct') return attributes['s'];
  if (tag === 'rt') return attributes['s'] ?? attributes['v'];
  if (tag !== 'n' && tag !== 'rn' && tag !== 'd' && tag !== 'rd') return undefined;
  const value = Number(attributes['v'] ?? attributes['cell-date'] ?? Number.NaN);
  if (!Number.isFinite(value)) return undefined;
  return tag.endsWith('n') ? String(Number(value.toPrecision(15))) : dateText(value);
}
