import type { BodyText } from '../../body-text.ts';
import { EncryptedError, ExtractError, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge } from '../../input/file-bytes.ts';
import { readXml, readXmlChunks, type XmlHandlers } from '../../input/xml.ts';
import { openZip, type Zip, type ZipEntry } from '../../input/zip.ts';
import { isCompoundFile, openCompoundFile } from './compound-file.ts';

/** Opens the zip package of an office document. Password protection wraps the package in an OLE container. */
export function openOfficePackage(file: FileBytes, source: Source): Zip {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  if (isCompoundFile(file.read(0, 8)) && openCompoundFile(file).has('EncryptedPackage')) throw new EncryptedError();
  const zip = openZip(file, source.limits);
  if (zip.truncated)
    throw new ExtractError('guard', `The document has ${zip.declaredCount} parts; the limit is ${source.limits.archiveMaxMembers}.`);
  return zip;
}

/** Metadata keys from docProps/core.xml and docProps/app.xml. */
export const officeKeys = [
  'title',
  'author',
  'last_modified_by',
  'subject',
  'keywords',
  'description',
  'category',
  'language',
  'created',
  'modified',
  'revision',
  'company',
  'manager',
  'application',
  'template',
] as const;

const propertyNames: Record<string, string> = {
  title: 'title',
  creator: 'author',
  lastModifiedBy: 'last_modified_by',
  subject: 'subject',
  keywords: 'keywords',
  description: 'description',
  category: 'category',
  language: 'language',
  created: 'created',
  modified: 'modified',
  revision: 'revision',
  Company: 'company',
  Manager: 'manager',
  Application: 'application',
  Template: 'template',
  Pages: 'pages',
  Words: 'word_count',
  Slides: 'slides',
};
const numbers = new Set(['revision', 'pages', 'word_count', 'slides']);
const dates = new Set(['created', 'modified']);
const PART_MAX = 4 * 1024 * 1024;

/** Runs a reader of one part. Returns false if the part is damaged, which must not cost the rest of the document. */
export function unlessDamaged(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof ExtractError) || error.kind === 'guard') throw error;
    return false;
  }
}

/** Reads a part in chunks. Returns the error if it is damaged; what comes before the damage has reached the handlers. */
export async function readOfficePart(
  zip: Zip,
  part: ZipEntry,
  handlers: XmlHandlers,
  options?: { shouldStop?: () => boolean },
): Promise<ExtractError | null> {
  try {
    await readXmlChunks(zip.stream(part), handlers, options);
    return null;
  } catch (error) {
    if (!(error instanceof ExtractError) || error.kind === 'guard') throw error;
    return error;
  }
}

/** A damaged document is kept with what can be read of it, and counts as unreadable only if that is nothing. */
export function keepReadable(damage: ExtractError | null, body: BodyText, metadata: Record<string, unknown>): void {
  if (damage === null) return;
  if (body.words() === 0 && Object.keys(metadata).length === 0) throw damage;
  body.markTruncated();
}

/**
 * Reads docProps/core.xml and docProps/app.xml. `counts` names the counts to keep, because others are meaningless for the document type.
 */
export function readOfficeProperties(
  zip: Zip,
  counts: readonly string[] = ['pages', 'word_count'],
): { metadata: Record<string, unknown>; title?: string } {
  const metadata: Record<string, unknown> = {};
  for (const part of ['docProps/core.xml', 'docProps/app.xml']) {
    const entry = zip.find(part);
    if (entry === undefined) continue;
    let current: string | undefined;
    const handlers: XmlHandlers = {
      open(name, _attributes, depth) {
        current = depth === 2 ? propertyNames[name] : undefined;
      },
      close() {
        current = undefined;
      },
      text(text) {
        if (current !== undefined) setProperty(metadata, current, text.trim(), counts);
      },
    };
    unlessDamaged(() => {
      const xml = zip.read(entry, PART_MAX).toString('utf8');
      readXml(xml.replace(/^\uFEFF/, ''), handlers);
    });
  }
  const title = metadata['title'];
  return typeof title === 'string' ? { metadata, title } : { metadata };
}

function setProperty(metadata: Record<string, unknown>, key: string, value: string, counts: readonly string[]): void {
  if (value === '') return;
  if (numbers.has(key)) {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 0 && (key === 'revision' || counts.includes(key))) metadata[key] = number;
  } else if (dates.has(key)) {
    const date = new Date(value);
    if (!Number.isNaN(date.getTime())) metadata[key] = date.toISOString();
  } else metadata[key] = value;
}
