import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { findExtractor } from '../registry.ts';
import { readEmbeddedPreview, readLargestPicture } from './embedded.ts';
import type { RenderedImage } from './pixels.ts';
import { readSummaryPreview } from './summary-preview.ts';
import { drawSvg, shippedFont } from './svg.ts';

const sheets = 'xlsx xlsm xltx xltm xlsb ods ots fods sxc stc xls xlt'.split(' ');
const slides = 'pptx pptm potx potm ppsx ppsm odp otp fodp sxi sti ppt pps pot'.split(' ');
const texts = 'docx docm dotx dotm odt ott fodt sxw stw doc dot rtf'.split(' ');

/**
 * Office documents: the preview that the program stored, or else their first page drawn from the text, or else their largest picture. The
 * layout is simple and the letters are large, so that the beginning can be read in a grid of thumbnails.
 */
export const officeThumbnails: Thumbnailer = {
  name: 'office-page',
  version: 3,
  extensions: [...sheets, ...slides, ...texts],
  tools: [],
  async render(source, longestEdge) {
    return (
      (await readEmbeddedPreview(source, longestEdge)) ??
      (await readSummaryPreview(source, longestEdge)) ??
      (await drawFirstPage(source, longestEdge)) ??
      readLargestPicture(source, longestEdge)
    );
  },
};

/** Presentations whose text says where each slide begins. */
export const slideExtensions: readonly string[] = 'pptx pptm potx ppsx odp otp'.split(' ');

/** Draws the text of one slide (counted from 0), blank for a slide without text; null when there is no such slide. */
export async function drawSlide(source: Source, index: number, width: number): Promise<RenderedImage | null> {
  const read = await findExtractor(source.extension)?.read(source);
  const slides = read?.metadata?.['slides'];
  if (typeof slides !== 'number' || index >= slides) return null;
  const lines = (read?.bodyText ?? '').split('\f')[index]?.split('\n') ?? [];
  return drawSvg(Buffer.from(slideSvg(lines.map((line) => line.trim()))), width);
}

/** More than fits on the page, because lines of a sheet are cut. */
const firstPageChars = 6000;

async function drawFirstPage(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const text = await readFirstPage(source);
  if (text.trim() === '') return null;
  const lines = text
    .replace(/\f[\s\S]*/, '')
    .split('\n')
    .map((line) => line.trim());
  const draw = sheets.includes(source.extension) ? sheetSvg : slides.includes(source.extension) ? slideSvg : textSvg;
  return drawSvg(Buffer.from(draw(lines)), longestEdge);
}

/** A document that cannot be read has no picture; the reason is reported with its facts. */
async function readFirstPage(source: Source): Promise<string> {
  const extractor = findExtractor(source.extension);
  try {
    const read = await extractor?.read({ ...source, limits: { ...source.limits, bodyTextMaxChars: firstPageChars } });
    return (read?.bodyText ?? '').replace(/^\f+/, '');
  } catch (error) {
    if (error instanceof ExtractError && error.kind !== 'guard') return '';
    throw error;
  }
}

const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\ufffe\uffff]/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');

/** The width of a character in units of its size; those of East Asian scripts and capitals are wider. */
function widthOf(character: string): number {
  if (/[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uff60]/.test(character)) return 1;
  return /\p{Lu}/u.test(character) ? 0.72 : 0.56;
}

/** Breaks a line at spaces so that it fits; a longer word is broken anywhere. */
function wrap(line: string, maxEm: number): string[] {
  const out: string[] = [];
  let current = '';
  let width = 0;
  for (const part of line.match(/\S+\s*|\s+/g) ?? []) {
    const partWidth = [...part.trimEnd()].reduce((sum, character) => sum + widthOf(character), 0);
    if (width > 0 && width + partWidth > maxEm) {
      out.push(current);
      [current, width] = ['', 0];
    }
    for (const character of part) {
      if (width + widthOf(character) > maxEm && character.trim() !== '') {
        out.push(current);
        [current, width] = ['', 0];
      }
      current += character;
      width += widthOf(character);
    }
  }
  return current.trim() === '' ? out : [...out, current];
}

function page(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${shippedFont}, sans-serif" fill="#222"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`;
}

const textAt = (x: number, y: number, size: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y.toFixed(1)}" font-size="${size}"${more} xml:space="preserve">${escaped(text.trimEnd())}</text>`;

/** A page of 340 x 480 with letters of 14, which are 9 pixels high in a thumbnail of 320. */
function textSvg(lines: readonly string[]): string {
  let content = '';
  let y = 24;
  let first = true;
  for (const line of lines) {
    if (y > 480) break;
    const size = first && line.length > 0 && line.length <= 80 ? 20 : 14;
    const bold = size === 20 ? ' font-weight="bold"' : '';
    for (const part of wrap(line, 300 / size / (bold ? 1.1 : 1))) {
      y += size * 1.3;
      if (y > 476) break;
      content += textAt(20, y, size, part, bold);
    }
    if (line !== '') first = false;
    y += first ? 0 : 5;
  }
  return page(340, 480, content);
}

/** What the master of a presentation says in place of text. */
const placeholder = /^(Click to edit Master.*|(Second|Third|Fourth|Fifth) level|\*)$/;

function slideSvg(lines: readonly string[]): string {
  const filled = lines.filter((line) => line !== '' && !placeholder.test(line));
  let content = '';
  let y = 30;
  for (const [i, line] of filled.entries()) {
    const size = i === 0 ? 28 : 18;
    for (const part of wrap(line, 420 / size)) {
      y += size * 1.3;
      if (y > 345) return page(480, 360, content);
      content += textAt(30, y, size, part, i === 0 ? ' font-weight="bold"' : '');
    }
    y += 6;
  }
  return page(480, 360, content);
}

/** Rows below each other with lines between them. The first line is the name of the sheet, which is the heading. */
function sheetSvg(lines: readonly string[]): string {
  const [name = '', ...rows] = lines.filter((line) => line !== '');
  let content = `<rect width="480" height="30" fill="#e6efe9"/>${textAt(10, 21, 16, name.slice(0, 50), ' font-weight="bold"')}`;
  for (let row = 0; row < 14; row++) {
    const y = 30 + row * 24;
    content += `<line x1="0" x2="480" y1="${y}" y2="${y}" stroke="#c9d3cd"/>`;
    const text = rows[row];
    if (text !== undefined) content += textAt(10, y + 18, 15, wrap(text, 31)[0] ?? '');
  }
  return page(480, 360, content);
}
