/** PDF: pages, information dictionary, text page by page until the stored limit. Long documents go to pdftotext when it is installed. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type BodyText, createBodyText } from '../body-text.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { type PdfDocument, withPdf } from './pdf/pdfium.ts';

/** Between the text of two pages, also where one is blank: whoever shows a match can tell its page. */
const pageBreak = '\f';

/** From here on starting another process costs less than it saves. */
const PAGES_FOR_PDFTOTEXT = 12;

export const pdf: Extractor = {
  name: 'pdf',
  version: 2,
  extensions: ['pdf', 'fdf', 'pdfa'],
  tools: [{ name: 'pdftotext', lost: 'speed on long PDF documents' }],
  keys: [
    'pages',
    'title',
    'author',
    'subject',
    'keywords',
    'creator',
    'producer',
    'created',
    'modified',
    'encrypted',
    'pdf_version',
    'page_size',
    'word_count',
  ],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const bytes = readWholeFile(source, source.limits.documentMaxBytes);
  if (bytes.length === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (bytes.subarray(0, 1024).indexOf('%PDF-') === -1) throw new ExtractError('corrupt', 'The file is not a PDF.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const fast = findTool('pdftotext');
  const result = await withPdf(bytes, (document) => {
    const metadata = documentFacts(document);
    const long = fast !== null && document.pages >= PAGES_FOR_PDFTOTEXT && !document.encrypted;
    if (!long) collectText(document, body);
    return { metadata, long };
  });
  if (result === 'password') return { metadata: { encrypted: true } };
  if (result.long && !(await collectWithPdftotext(fast as string, source, body)))
    await withPdf(bytes, (document) => collectText(document, body));
  const { metadata } = result;
  const title = metadata['title'] as string | undefined;
  const text = body.result();
  if (text.bodyText !== undefined && !text.bodyTextTruncated) metadata['word_count'] = body.words();
  return { metadata, ...(title !== undefined && { title }), ...text };
}

function documentFacts(document: PdfDocument): Record<string, unknown> {
  const size = document.pageSize(0);
  return {
    pages: document.pages,
    title: document.info('Title'),
    author: document.info('Author'),
    subject: document.info('Subject'),
    keywords: document.info('Keywords'),
    creator: document.info('Creator'),
    producer: document.info('Producer'),
    created: pdfDate(document.info('CreationDate')),
    modified: pdfDate(document.info('ModDate')),
    encrypted: document.encrypted,
    pdf_version: document.version === undefined ? undefined : `${Math.floor(document.version / 10)}.${document.version % 10}`,
    page_size: size === null ? undefined : `${Math.round(size.width)}x${Math.round(size.height)}`,
  };
}

function collectText(document: PdfDocument, body: BodyText): void {
  for (let page = 0; page < document.pages; page++) {
    if (body.full()) {
      body.leaveOut();
      return;
    }
    if (page > 0) body.add(pageBreak);
    body.add(document.pageText(page, 1_000_000) ?? '');
  }
}

/** False when the tool could not read the document; pdfium then does. */
async function collectWithPdftotext(tool: string, source: Source, body: BodyText): Promise<boolean> {
  // Four bytes a character at most, and a margin for layout.
  const maxOutputBytes = source.limits.bodyTextMaxChars * 4 + 65_536;
  const options = { timeoutSeconds: Math.min(60, source.limits.timeoutSeconds / 2), maxOutputBytes, keepCut: true };
  try {
    const { code, stdout, cut } = await runTool(tool, ['-enc', 'UTF-8', '-q', source.path, '-'], options);
    if (!cut && code !== 0) return false;
    body.add(stdout.toString('utf8'));
    if (cut) body.leaveOut();
    return true;
  } catch (error) {
    if (error instanceof ExtractError) return false;
    throw error;
  }
}

/** `D:20240501102030+02'00'` as ISO; a date that is none gives nothing. */
export function pdfDate(value: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(Z|[+-]\d\d'?\d?\d?)?/.exec(value ?? '');
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = found as unknown as string[];
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(/'/g, '').padEnd(2, '0')}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
