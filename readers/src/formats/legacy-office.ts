/** Word, Excel and PowerPoint files from before 2007: properties, and the text where its place in the old formats is well known. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../body-text.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { collectExcelText, type ExcelFacts } from './ole/excel-text.ts';
import { type CompoundFile, openCompoundFile } from './ole/compound-file.ts';
import { collectPowerPointText } from './ole/powerpoint-text.ts';
import { readPropertySet } from './ole/property-set.ts';
import { collectWordText } from './ole/word-text.ts';

const STREAM_MAX = 64 * 1024 * 1024;

export const legacyOffice: Extractor = {
  name: 'legacy-office',
  version: 1,
  extensions: ['doc', 'dot', 'xls', 'xlw', 'xlt', 'xla', 'ppt', 'pps', 'pot', 'vsd', 'mpp', 'msi', 'wps'],
  tools: [],
  keys: [
    'title',
    'author',
    'subject',
    'keywords',
    'description',
    'template',
    'last_modified_by',
    'revision',
    'application',
    'created',
    'modified',
    'pages',
    'word_count',
    'paragraphs',
    'slides',
    'notes',
    'company',
    'manager',
    'category',
    'sheets',
    'sheet_count',
    'encrypted',
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const ole = openCompoundFile(file);
  const metadata = readProperties(ole);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const stream = (name: string) => ole.stream(name, STREAM_MAX);
  const word = stream('WordDocument');
  const workbook = stream('Workbook') ?? stream('Book');
  const slides = stream('PowerPoint Document');
  if (ole.names().includes('EncryptedPackage')) metadata['encrypted'] = true;
  else if (word !== undefined) {
    if (!collectWordText(word, stream, body)) metadata['encrypted'] = true;
  } else if (workbook !== undefined) {
    const facts: ExcelFacts = collectExcelText(workbook, body);
    Object.assign(metadata, { sheets: facts.sheets, sheet_count: facts.sheets.length, encrypted: facts.encrypted || undefined });
  } else if (slides !== undefined) collectPowerPointText(slides, body);
  const title = metadata['title'] as string | undefined;
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

const summary: Record<number, string> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'description',
  7: 'template',
  8: 'last_modified_by',
  9: 'revision',
  12: 'created',
  13: 'modified',
  14: 'pages',
  15: 'word_count',
  18: 'application',
};
const documentSummary: Record<number, string> = { 2: 'category', 6: 'paragraphs', 7: 'slides', 8: 'notes', 14: 'manager', 15: 'company' };
const counts = new Set(['pages', 'word_count', 'paragraphs', 'slides', 'notes']);

function readProperties(ole: CompoundFile): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const [name, keys] of [
    ['\u0005SummaryInformation', summary],
    ['\u0005DocumentSummaryInformation', documentSummary],
  ] as const) {
    const bytes = ole.stream(name, 1 << 20);
    if (bytes === undefined) continue;
    for (const [id, value] of readPropertySet(bytes)) {
      const key = keys[id];
      if (key === undefined) continue;
      if (key === 'revision') metadata[key] = Number(value) || undefined;
      else if (!counts.has(key) || (typeof value === 'number' && value > 0)) metadata[key] = value;
    }
  }
  return metadata;
}
