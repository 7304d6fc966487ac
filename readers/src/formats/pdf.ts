import { type BodyText, createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { readWholeFile } from '../input/file-bytes.ts';

/** Separates pages, including blank ones, so that a match can be mapped to its page. */
const pageBreak = '\f';

/** For shorter documents, starting pdftotext takes longer than pdfium needs. */
const PAGES_FOR_PDFTOTEXT = 12;

/** PDF: pages, information dictionary and text. Long documents are read by pdftotext if it is installed. */
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
      body.markTruncated();
      return;
    }
    if (page > 0) body.add(pageBreak);
    body.add(document.pageText(page, 1_000_000) ?? '');
  }
}

/** Returns false if pdftotext could not read the document. */
async function collectWithPdftotext(tool: string, source: Source, body: BodyText): Promise<boolean> {
  // UTF-8 needs at most four bytes per character. The rest allows for layout white space.
  const maxOutputBytes = source.limits.bodyTextMaxChars * 4 + 65_536;
  const options = { timeoutSeconds: Math.min(60, source.limits.timeoutSeconds / 2), maxOutputBytes, keepCut: true };
  try {
    const { code, stdout, truncated } = await runTool(tool, ['-enc', 'UTF-8', '-q', source.path, '-'], options);
    if (!truncated && code !== 0) return false;
    body.add(stdout.toString('utf8'));
    if (truncated) body.markTruncated();
    return true;
  } catch (error) {
    if (error instanceof ExtractError) return false;
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

/**
 * The pdfium functions used here. The package's own wrapper does not expose the information dictionary. One instance serves many files and
 * is discarded when it aborts, because its memory may be corrupted.
 */
interface Pdfium {
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _PDFium_Init(): void;
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetFileVersion(document: number, version: number): number;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, length: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageSizeByIndex(document: number, index: number, width: number, height: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetText(text: number, start: number, count: number, buffer: number): number;
}

interface PdfDocument {
  pages: number;
  /** 14 for PDF 1.4. */
  version?: number;
  encrypted: boolean;
  info(tag: string): string | undefined;
  pageSize(index: number): { width: number; height: number } | null;
  /** Returns at most `maxChars`, or null if the page is damaged. */
  pageText(index: number, maxChars: number): string | null;
}

let instance: Promise<Pdfium> | undefined;

async function loadPdfium(): Promise<Pdfium> {
  const { PDFiumModule } = (await import('@hyzyla/pdfium')) as unknown as { PDFiumModule: (options: object) => Promise<Pdfium> };
  const pdfium = await PDFiumModule({});
  pdfium._FPDF_InitLibrary();
  return pdfium;
}

/** Opens the document and calls `use`. Returns 'password' if a password is required. */
async function withPdf<T>(bytes: Buffer, use: (document: PdfDocument) => T): Promise<T | 'password'> {
  instance ??= loadPdfium();
  const pdfium = await instance;
  try {
    return openDocument(pdfium, bytes, use);
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    instance = undefined;
    // pdfium aborts on some malformed documents, for example a form that draws itself.
    if (/abort|unreachable|stack/i.test(String(error)) && !/memory/i.test(String(error)))
      throw new ExtractError('corrupt', 'The PDF is malformed and cannot be read.');
    throw error;
  }
}

function openDocument<T>(pdfium: Pdfium, bytes: Buffer, use: (document: PdfDocument) => T): T | 'password' {
  const data = copyToHeap(pdfium, bytes);
  let handle = 0;
  try {
    handle = pdfium._FPDF_LoadMemDocument(data, bytes.length, 0);
    if (handle === 0) {
      if (pdfium._FPDF_GetLastError() === 4) return 'password';
      throw new ExtractError('corrupt', 'The PDF is damaged.');
    }
    return use(createDocument(pdfium, handle));
  } finally {
    if (handle !== 0) pdfium._FPDF_CloseDocument(handle);
    pdfium._free(data);
  }
}

function copyToHeap(pdfium: Pdfium, bytes: Uint8Array): number {
  const pointer = pdfium._malloc(Math.max(1, bytes.length));
  if (pointer === 0) throw new ExtractError('guard', 'Reading the file needs more memory than a reader may use.');
  pdfium.HEAPU8.set(bytes, pointer);
  return pointer;
}

function createDocument(pdfium: Pdfium, handle: number): PdfDocument {
  const version = withMemory(pdfium, 4, (pointer) =>
    pdfium._FPDF_GetFileVersion(handle, pointer) ? heapView(pdfium, pointer, 4).readInt32LE(0) : 0,
  );
  return {
    pages: pdfium._FPDF_GetPageCount(handle),
    ...(version > 0 && { version }),
    encrypted: pdfium._FPDF_GetSecurityHandlerRevision(handle) !== -1,
    info: (tag) => {
      const name = copyToHeap(pdfium, Buffer.from(`${tag}\0`, 'latin1'));
      try {
        const length = Math.min(pdfium._FPDF_GetMetaText(handle, name, 0, 0), 65_536);
        if (length <= 2) return undefined;
        const text = withMemory(pdfium, length, (pointer) => {
          pdfium._FPDF_GetMetaText(handle, name, pointer, length);
          return heapView(pdfium, pointer, length - 2).toString('utf16le');
        });
        return text.trim() === '' ? undefined : text.trim();
      } finally {
        pdfium._free(name);
      }
    },
    // Reads the size by page number, because opening a page parses all of its content.
    pageSize: (index) =>
      withMemory(pdfium, 16, (pointer) => {
        if (!pdfium._FPDF_GetPageSizeByIndex(handle, index, pointer, pointer + 8)) return null;
        const size = heapView(pdfium, pointer, 16);
        return { width: size.readDoubleLE(0), height: size.readDoubleLE(8) };
      }),
    pageText: (index, maxChars) => withPage(pdfium, handle, index, (page) => readPageText(pdfium, page, maxChars)),
  };
}

function readPageText(pdfium: Pdfium, page: number, maxChars: number): string {
  const text = pdfium._FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = Math.min(pdfium._FPDFText_CountChars(text), maxChars);
    if (count <= 0) return '';
    return withMemory(pdfium, (count + 1) * 2, (pointer) => {
      const written = pdfium._FPDFText_GetText(text, 0, count, pointer);
      return heapView(pdfium, pointer, Math.max(0, written - 1) * 2).toString('utf16le');
    });
  } finally {
    pdfium._FPDFText_ClosePage(text);
  }
}

function withPage<T>(pdfium: Pdfium, handle: number, index: number, use: (page: number) => T): T | null {
  const page = pdfium._FPDF_LoadPage(handle, index);
  if (page === 0) return null;
  try {
    return use(page);
  } finally {
    pdfium._FPDF_ClosePage(page);
  }
}

function withMemory<T>(pdfium: Pdfium, size: number, use: (pointer: number) => T): T {
  const pointer = pdfium._malloc(size);
  if (pointer === 0) throw new ExtractError('guard', 'Reading the file needs more memory than a reader may use.');
  try {
    return use(pointer);
  } finally {
    pdfium._free(pointer);
  }
}

/** Creates a new view each time, because the heap moves when it grows. */
function heapView(pdfium: Pdfium, pointer: number, length: number): Buffer {
  return Buffer.from(pdfium.HEAPU8.buffer as ArrayBuffer, pointer, length);
}
