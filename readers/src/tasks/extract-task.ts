import { statSync } from 'node:fs';
import { EncryptedError, ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { languageName } from '../formats/names.ts';
import { openFileBytes } from '../input/file-bytes.ts';
import { readProvenance } from '../input/provenance.ts';
import { findExtractor } from '../registry.ts';
import type { ExtractResult, ExtractTaskOptions } from '../sandbox/protocol.ts';
import { withEmbeddedText } from './embedded-text.ts';
import { detectType } from './sniff-task.ts';

/** The sandbox task that runs the extractor of a file's extension. */
export default async function extract(source: Source, options: ExtractTaskOptions): Promise<ExtractResult> {
  const provenance = options.provenance ? readProvenance(source.path) : {};
  const withProvenance = Object.keys(provenance).length > 0 ? { provenance } : {};
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) return { unsupported: true, ...withProvenance };
  const read = await readByContent(extractor, source);
  const named = withLanguageName(extractor, withOneEncryptedFact(await withEmbeddedText(read, source)));
  const extracted = toPlainExtracted(named, source.limits.bodyTextMaxChars);
  return { extracted, extractor: extractor.name, version: extractor.version, ...withProvenance };
}

/** Formats that are never text, so that text under their name is another type of file. */
const binaryFormats = new Set(['image', 'legacy-office', 'docx', 'xlsx', 'pptx', 'odf', 'certificate', 'data']);
/** A damaged document is still a zip file, so these types say nothing. XML under the name of an old document is one of Office 2003. */
const containerTypes = new Set(['zip', 'tar', 'gz', 'bz2', 'xz', '7z', 'cfb', 'xml']);

/** Readers of text accept almost any bytes, so what cannot be text is told by its signature before they read it. */
const textFormats = new Set([
  'text',
  'source-code',
  'csv',
  'html',
  'log',
  'subtitles',
  'calendar',
  'contacts',
  'rtf',
  'email',
  'playlist',
  'gcode',
]);
const binarySignatures: readonly [extension: string, start: RegExp][] = [
  ['pdf', /^%PDF-\d/],
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n/],
  ['gif', /^GIF8[79]a/],
  ['rtf', /^\{\\rtf1/],
];

/** The type that the first bytes of a file prove, if its name says that it is text. */
function contradictedBy(extractor: Extractor, source: Source): string | undefined {
  if (!textFormats.has(extractor.name)) return undefined;
  const file = openFileBytes(source.path);
  try {
    const start = file.read(0, 16).toString('latin1');
    const extension = binarySignatures.find(([, signature]) => signature.test(start))?.[0];
    return extension === undefined || findExtractor(extension) === extractor ? undefined : extension;
  } finally {
    file.close();
  }
}

/** Reads a file by its name. If its first bytes show another type, it is read as that type, which becomes a fact. */
async function readByContent(extractor: Extractor, source: Source): Promise<Extracted> {
  try {
    const shown = contradictedBy(extractor, source);
    // A text can begin like another format, for example to describe it.
    const read = shown === undefined ? null : await readAs(shown, source).catch(unlessUnreadable);
    return read ?? (await extractor.read(source));
  } catch (error) {
    if (error instanceof EncryptedError) return { metadata: { encrypted: true } };
    if (!(error instanceof ExtractError) || error.kind !== 'corrupt' || source.size === 0) throw error;
    // Opening a pipe or a device would wait for whoever writes to it.
    if (!statSync(source.path, { throwIfNoEntry: false })?.isFile()) throw error;
    const { extension } = await detectType(source, sniffBytes);
    const says = extension !== null && (!containerTypes.has(extension) || (extension === 'xml' && extractor.name === 'legacy-office'));
    const other = says ? findExtractor(extension) : undefined;
    if (extension === null || other === undefined || other === extractor) throw error;
    if (other.name === 'text' && !binaryFormats.has(extractor.name)) throw error;
    try {
      return await readAs(extension, source);
    } catch (second) {
      if (second instanceof ExtractError) throw error;
      throw second;
    }
  }
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof ExtractError && error.kind === 'corrupt') return null;
  throw error;
}

async function readAs(extension: string, source: Source): Promise<Extracted> {
  try {
    const read = await (findExtractor(extension) as Extractor).read({ ...source, extension });
    return { ...read, metadata: { ...read.metadata, read_as: extension } };
  } catch (error) {
    if (error instanceof EncryptedError) return { metadata: { encrypted: true, read_as: extension } };
    throw error;
  }
}

const sniffBytes = 65_536;

/** Families of formats state encryption in their own facts. `encrypted: true` is the one that all have in common. */
function withOneEncryptedFact(extracted: Extracted): Extracted {
  const { metadata } = extracted;
  const parts = ['archive', 'database', 'disk_image', 'data'].map((key) => metadata[key] as Record<string, unknown> | undefined);
  const encrypted = metadata['email_encrypted'] === true || parts.some((part) => part?.['encrypted'] === true);
  return encrypted ? { ...extracted, metadata: { ...metadata, encrypted: true } } : extracted;
}

/** Of source code and notebooks, the language is that of the program. */
const programFormats = new Set(['source-code', 'notebook']);

function withLanguageName({ name }: Extractor, extracted: Extracted): Extracted {
  const { language } = extracted.metadata;
  if (typeof language !== 'string' || programFormats.has(name)) return extracted;
  return { ...extracted, metadata: { ...extracted.metadata, language: languageName(language) } };
}

/**
 * Limits for values that leave the child, which must fit JSON and the database. Dates become ISO strings, NUL characters and lone
 * surrogates are removed, NaN and infinities are dropped, and long texts, long lists and deep nesting are cut.
 */
const maxTextChars = 8192;
const maxListItems = 2000;
const maxKeys = 500;
const maxDepth = 8;

export function toPlainExtracted(extracted: Extracted, maxBodyChars: number): Extracted {
  const plain: Extracted = { metadata: (toPlainValue(extracted.metadata, 0) as Record<string, unknown> | undefined) ?? {} };
  const title = extracted.title === undefined ? '' : toPlainText(extracted.title).replace(/\s+/g, ' ').trim().slice(0, 1000);
  if (title !== '') plain.title = title.toWellFormed();
  if (extracted.year !== undefined && Number.isInteger(extracted.year) && extracted.year > 0 && extracted.year < 10_000)
    plain.year = extracted.year;
  const body = extracted.bodyText === undefined ? '' : toPlainText(extracted.bodyText);
  if (body !== '') plain.bodyText = body.length > maxBodyChars ? body.slice(0, maxBodyChars).toWellFormed() : body;
  if (extracted.bodyTextTruncated || body.length > maxBodyChars) plain.bodyTextTruncated = true;
  const members = extracted.archiveMembers === undefined ? '' : toPlainText(extracted.archiveMembers);
  if (members !== '') plain.archiveMembers = members;
  return plain;
}

function toPlainText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

function toPlainValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = toPlainText(value).trim();
    return text === '' ? undefined : text.length > maxTextChars ? text.slice(0, maxTextChars).toWellFormed() : text;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint')
    return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || depth >= maxDepth || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    const list = value
      .slice(0, maxListItems)
      .map((entry) => toPlainValue(entry, depth + 1))
      .filter((entry) => entry !== undefined);
    return list;
  }
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, maxKeys)) {
    const inner = toPlainValue((value as Record<string, unknown>)[key], depth + 1);
    if (inner !== undefined) plain[toPlainText(key)] = inner;
  }
  return plain;
}
