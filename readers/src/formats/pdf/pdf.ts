import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { findTool, runTool } from '../../input/external-tool.ts';
import { readWholeFile } from '../../input/file-bytes.ts';
import { eachPage } from './annotations.ts';
import { joinBrokenWords } from './hyphens.ts';
import { type PdfDocument, withPdf } from './pdfium.ts';

/** Separates pages, including blank ones, so that a match can be mapped to its page. */
const pageBreak = '\f';

/** For shorter documents, starting pdftotext takes longer than pdfium needs. */
const PAGES_FOR_PDFTOTEXT = 12;

/** PDF: pages, information dictionary and text. Long documents are read by pdftotext if it is installed. */
export const pdf: Extractor = {
  name: 'pdf',
  version: 4,
  text: true,
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
    'restricted',
    'pdf_version',
    'page_size',
    'word_count',
    'form_fields',
    'annotations',
  ],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const bytes = readWholeFile(source, source.limits.documentMaxBytes);
  if (bytes.length === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (bytes.subarray(0, 1024).indexOf('%PDF-') === -1) throw new ExtractError('corrupt', 'The file is not a PDF.');
  const fast = findTool('pdftotext');
  let drew = false;
  const noteDrawn = (): void => {
    drew = true;
  };
  const readPages = (drawn: (() => void) | null) =>
    withPdf(bytes, (document) => {
      const metadata = documentFacts(document);
      const long = fast !== null && document.pages >= PAGES_FOR_PDFTOTEXT && !document.encrypted;
      return { metadata, long, ...collectPages(document, source.limits.bodyTextMaxChars, metadata, { text: !long, drawn }) };
    });
  // Damaged signatures and stamps must not cost the rest.
  const result = await readPages(noteDrawn).catch((error: unknown) => {
    if (drew && error instanceof ExtractError && error.kind === 'corrupt') return readPages(null);
    throw error;
  });
  if (result === 'password') return { metadata: { encrypted: true } };
  const { metadata, long, notes } = result;
  let { body } = result;
  if (long) {
    const collected = await collectWithPdftotext(fast as string, source, notes);
    const repeated =
      collected ??
      (await withPdf(bytes, (document) => collectPages(document, source.limits.bodyTextMaxChars, {}, { text: true, drawn: null }).body));
    if (repeated !== 'password') body = repeated;
  }
  const title = metadata['title'] as string | undefined;
  const text = body.result(joinBrokenWords);
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
    encrypted: false,
    restricted: document.encrypted || undefined,
    pdf_version: document.version === undefined ? undefined : `${Math.floor(document.version / 10)}.${document.version % 10}`,
    page_size: size === null ? undefined : `${Math.round(size.width)}x${Math.round(size.height)}`,
  };
}

/** Text of form fields and annotations by page. */
type Notes = ReadonlyMap<number, string>;

/** Only damaged or malicious documents have more. */
const NOTES_MAX_CHARS = 4 * 1024 * 1024;

const PAGE_MAX_CHARS = 1_000_000;

/** Reads notes page by page, and text if wanted, also that of what is drawn upon the pages. */
function collectPages(
  document: PdfDocument,
  maxChars: number,
  metadata: Record<string, unknown>,
  /** `drawn` is called before the text of what is drawn upon a page is read; null leaves it out. */
  want: { text: boolean; drawn: (() => void) | null },
): { body: BodyText; notes: Notes } {
  const body = createBodyText(maxChars);
  const notes = new Map<number, string>();
  let [fields, annotations, noteChars, lastPage] = [0, 0, 0, 0];
  eachPage(document, (index, page) => {
    const found = page.notes();
    fields += found.fields;
    annotations += found.annotations;
    const note = found.texts.join('\n');
    noteChars += note.length;
    if (note !== '' && noteChars <= NOTES_MAX_CHARS) notes.set(index, note);
    if (!want.text) return noteChars <= NOTES_MAX_CHARS;
    if (body.full()) {
      body.markTruncated();
      return false;
    }
    // Skipped pages count too, so that page numbers stay right.
    for (; lastPage < index; lastPage++) body.add(pageBreak);
    const withDrawn = found.drawn && want.drawn !== null;
    if (withDrawn) want.drawn?.();
    addPage(body, withDrawn ? page.drawnText(PAGE_MAX_CHARS) : page.text(PAGE_MAX_CHARS), notes.get(index));
    return true;
  });
  if (fields > 0) metadata['form_fields'] = fields;
  if (annotations > 0) metadata['annotations'] = annotations;
  return { body, notes };
}

function addPage(body: BodyText, text: string, note: string | undefined): void {
  body.add(text);
  if (note === undefined) return;
  body.break();
  body.add(note);
}

/** Returns null if pdftotext could not read the document. */
async function collectWithPdftotext(tool: string, source: Source, notes: Notes): Promise<BodyText | null> {
  const body = createBodyText(source.limits.bodyTextMaxChars);
  // UTF-8 needs at most four bytes per character. The rest allows for layout white space.
  const maxOutputBytes = source.limits.bodyTextMaxChars * 4 + 65_536;
  const timeoutSeconds = Math.min(60, source.limits.timeoutSeconds / 2);
  try {
    // Without -raw, pdftotext removes every hyphen at the end of a line, also those of compound words.
    const { code, stdout, truncated } = await runTool(tool, ['-raw', '-enc', 'UTF-8', '-q', source.path, '-'], {
      timeoutSeconds,
      maxOutputBytes,
      keepTruncated: true,
    });
    if (!truncated && code !== 0) return null;
    for (const [page, text] of stdout.toString('utf8').split(pageBreak).entries()) {
      if (page > 0) body.add(pageBreak);
      addPage(body, text, notes.get(page));
    }
    if (truncated) body.markTruncated();
    return body;
  } catch (error) {
    if (error instanceof ExtractError) return null;
    throw error;
  }
}

/** Converts `D:20240501102030+02'00'` to ISO 8601. Invalid dates are ignored. */
function pdfDate(value: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(Z|[+-]\d\d'?\d?\d?)?/.exec(value ?? '');
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = found as unknown as string[];
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(/'/g, '').padEnd(2, '0')}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
