import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The functions of pdfium that take fonts. */
interface FontHost {
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _FPDF_SetSystemFontInfo(info: number): void;
  /** Makes a function callable from pdfium. The signature has one letter for the result and each argument. */
  addFunction(callback: (...values: number[]) => number | undefined, signature: string): number;
}

/** Charsets of Windows that pdfium asks for, by the font that draws them. */
const koreanCharset = 129;
const chineseCharsets = new Set([128, 134, 136]);

/** The packages export only their entry point, which is in a folder beside the fonts. */
const fontPaths = [
  () => join(dirname(createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
  () => join(dirname(createRequire(import.meta.url).resolve('@embedpdf/fonts-kr')), '../fonts/NotoSansKR-Regular.otf'),
];

/** The folders of the shipped fonts for Chinese, Japanese and Korean. */
export function eastAsianFontFolders(): string[] {
  return fontPaths.map((path) => dirname(path()));
}

const loaded = new Map<number, Buffer>();

function fontBytes(handle: number): Buffer {
  const found = loaded.get(handle);
  if (found) return found;
  const path = fontPaths[handle - 1];
  const bytes = path === undefined ? Buffer.alloc(0) : readFileSync(path());
  loaded.set(handle, bytes);
  return bytes;
}

/**
 * Offers shipped fonts for East Asian text whose font is not embedded. pdfium has fonts of its own for Latin text only. The structure
 * holds a version and the functions that pdfium calls: release, list, map, get, data, name, charset and delete.
 */
export function offerFonts(pdfium: FontHost): void {
  const map = (_self: number, _weight: number, _italic: number, charset: number): number =>
    charset === koreanCharset ? 2 : chineseCharsets.has(charset) ? 1 : 0;
  const data = (_self: number, handle: number, table: number, buffer: number, size: number): number => {
    const bytes = table === 0 ? fontBytes(handle) : fontTable(fontBytes(handle), table);
    if (buffer !== 0 && size >= bytes.length) pdfium.HEAPU8.set(bytes, buffer);
    return bytes.length;
  };
  const functions = [
    0,
    0,
    pdfium.addFunction(map, 'iiiiiiii'),
    pdfium.addFunction(() => 0, 'iii'),
    pdfium.addFunction(data, 'iiiiii'),
    pdfium.addFunction(() => 0, 'iiiii'),
    pdfium.addFunction((_self, handle) => (handle === 2 ? koreanCharset : 134), 'iii'),
    pdfium.addFunction(() => undefined, 'vii'),
  ];
  const info = pdfium._malloc(36);
  for (const [i, value] of [1, ...functions].entries()) new DataView(pdfium.HEAPU8.buffer).setInt32(info + i * 4, value, true);
  pdfium._FPDF_SetSystemFontInfo(info);
}

/** One table of a font by its tag; empty when it has none. */
function fontTable(font: Buffer, tag: number): Buffer {
  const count = font.length < 12 ? 0 : font.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const at = 12 + i * 16;
    if (font.readUInt32BE(at) === tag >>> 0)
      return font.subarray(font.readUInt32BE(at + 8), font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12));
  }
  return Buffer.alloc(0);
}
