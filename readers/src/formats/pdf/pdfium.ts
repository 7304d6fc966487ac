import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ExtractError } from '../../contract.ts';
import { offerFonts } from './fallback-fonts.ts';
import type { Pdfium } from './pdfium-functions.ts';

export interface PdfDocument {
  pages: number;
  /** 14 for PDF 1.4. */
  version?: number;
  encrypted: boolean;
  info(tag: string): string | undefined;
  pageSize(index: number): { width: number; height: number } | null;
  pdfium: Pdfium;
  /** The document's handle in pdfium. */
  handle: number;
}

const megabyte = 1024 * 1024;
/** A form that draws itself takes all the memory it can get, so a small file gets little: enough for a page scanned at 600 dpi. */
const heapLimitFor = (fileBytes: number): number => 320 * megabyte + 3 * fileBytes;
/** The heap never shrinks, so an instance that has grown beyond this is not used again. */
const keptHeapBytes = 128 * megabyte;

interface WasmMemory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface WasmInstance {
  exports: { memory: WasmMemory };
}
/** The types of Node know no memory that is exported. */
const Instance = WebAssembly.Instance as unknown as new (module: unknown, imports: unknown) => WasmInstance;

let instance: Promise<Pdfium> | undefined;
let heapLimit = 0;

async function loadPdfium(): Promise<Pdfium> {
  const { init } = await import('@embedpdf/pdfium');
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const { pdfium } = await init({
    instantiateWasm: (imports: unknown, receive: (instance: WasmInstance) => void) => {
      const instance = new Instance(new WebAssembly.Module(wasm), imports);
      limitGrowth(instance.exports.memory);
      receive(instance);
      return instance.exports;
    },
  });
  const loaded = pdfium as unknown as Pdfium;
  loaded._FPDF_InitLibrary();
  offerFonts(loaded);
  return loaded;
}

/** Beyond the limit an allocation fails, as it does at the end of memory. */
function limitGrowth(memory: WasmMemory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65_536 > heapLimit) throw new RangeError('The heap may not grow further.');
    return grow(pages);
  };
}

/** Opens the document and calls `use`. Returns 'password' if a password is required. */
export async function withPdf<T>(bytes: Buffer, use: (document: PdfDocument) => T): Promise<T | 'password'> {
  instance ??= loadPdfium();
  const pdfium = await instance;
  heapLimit = heapLimitFor(bytes.length);
  try {
    const result = openDocument(pdfium, bytes, use);
    if (pdfium.HEAPU8.length > keptHeapBytes) instance = undefined;
    return result;
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

export function copyToHeap(pdfium: Pdfium, bytes: Uint8Array): number {
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
    pdfium,
    handle,
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
  };
}

/** Returns at most `maxChars` of the page's text. */
export function readPageText(pdfium: Pdfium, page: number, maxChars: number): string {
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

export function withPage<T>(pdfium: Pdfium, handle: number, index: number, use: (page: number) => T): T | null {
  const page = pdfium._FPDF_LoadPage(handle, index);
  if (page === 0) return null;
  try {
    return use(page);
  } finally {
    pdfium._FPDF_ClosePage(page);
  }
}

export function withMemory<T>(pdfium: Pdfium, size: number, use: (pointer: number) => T): T {
  const pointer = pdfium._malloc(size);
  if (pointer === 0) throw new ExtractError('guard', 'Reading the file needs more memory than a reader may use.');
  try {
    return use(pointer);
  } finally {
    pdfium._free(pointer);
  }
}

/** Creates a new view each time, because the heap moves when it grows. */
export function heapView(pdfium: Pdfium, pointer: number, length: number): Buffer {
  return Buffer.from(pdfium.HEAPU8.buffer as ArrayBuffer, pointer, length);
}
