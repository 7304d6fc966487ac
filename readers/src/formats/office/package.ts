import { EncryptedError, ExtractError, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge } from '../../input/file-bytes.ts';
import { readXml } from '../../input/xml.ts';
import { openZip, type Zip } from '../../input/zip.ts';
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
    readXml(
      zip
        .read(entry, PART_MAX)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
      {
        open(name, _attributes, depth) {
          current = depth === 2 ? propertyNames[name] : undefined;
        },
        close() {
          current = undefined;
        },
        text(text) {
          if (current !== undefined) setProperty(metadata, current, text.trim(), counts);
        },
      },
    );
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
