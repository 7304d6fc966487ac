/** InDesign documents: the XMP description after the document's pages. The text is in a format without a public description. */
import { ExtractError, type Extractor } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { readXml } from '../input/xml.ts';
import { readXmp } from './image/image-facts.ts';

const signature = '0606edf5d81d46e5bd31efe7fe74b71d';
const objectHeader = 'de39397951884b6c8e63eef8aee0dd38';
const pageBytes = 4096;
const maxObjects = 1000;
const maxDescription = 64 * 1024 * 1024;

export const inDesign: Extractor = {
  name: 'indesign',
  version: 1,
  text: false,
  extensions: ['indd', 'indt'],
  tools: [],
  keys: ['title', 'description', 'author', 'keywords', 'application', 'format', 'created', 'modified', 'has_preview'],
  read: (source) =>
    withFileBytes(source, (file) => {
      const description = inDesignDescription(file);
      if (description === undefined) return { metadata: { format: 'InDesign' } };
      const { title, description: subject, creator, keywords } = readXmp(description);
      const facts = readDocumentFacts(description);
      const author = creator;
      const metadata = { format: 'InDesign', title, description: subject, author, keywords, ...facts };
      return { metadata, ...(title !== undefined && { title }) };
    }),
};

/** The XMP description. The first two pages of the file are its header, of which the one with the higher number is current. */
export function inDesignDescription(file: FileBytes): Buffer | undefined {
  const [first, second] = [file.need(0, pageBytes), file.need(pageBytes, pageBytes)];
  if (first.toString('hex', 0, 16) !== signature) throw new ExtractError('corrupt', 'The file is not an InDesign document.');
  const head = second.toString('hex', 0, 16) === signature && second.readBigUInt64LE(264) > first.readBigUInt64LE(264) ? second : first;
  // Objects follow the pages, each with a header and a trailer of 32 bytes.
  let at = head.readUInt32LE(280) * pageBytes;
  for (let count = 0; count < maxObjects; count++) {
    const header = file.read(at, 32);
    if (header.length < 32 || header.toString('hex', 0, 16) !== objectHeader) return undefined;
    const length = header.readUInt32LE(24);
    const start = file.read(at + 36, 16).toString('latin1');
    if (start.startsWith('<?xpacket begin=')) return file.read(at + 36, Math.min(length - 4, maxDescription));
    at += 64 + length;
  }
  return undefined;
}

const textKeys: Readonly<Record<string, string>> = { CreateDate: 'created', ModifyDate: 'modified', CreatorTool: 'application' };

function readDocumentFacts(description: Buffer): Record<string, unknown> {
  const facts: Record<string, unknown> = { has_preview: false };
  const set = (name: string, value: string): void => {
    const key = textKeys[name];
    if (key === undefined || facts[key] !== undefined || value.trim() === '') return;
    if (key === 'application') facts[key] = value.trim();
    else if (!Number.isNaN(new Date(value).getTime())) facts[key] = new Date(value);
  };
  let element = '';
  try {
    readXml(
      description
        .toString('utf8')
        .replace(/<\?xpacket[^>]*\?>/g, '')
        .trim(),
      {
        open(name, attributes) {
          element = name;
          if (name === 'Description') for (const [key, value] of Object.entries(attributes)) set(key, value);
        },
        text(text) {
          set(element, text);
          if (element === 'image') facts['has_preview'] = true;
        },
      },
    );
  } catch (error) {
    // What precedes the damage is kept.
    if (!(error instanceof ExtractError)) throw error;
  }
  return facts;
}
