import type { Thumbnailer } from '../contract.ts';
import { type FontTables, openFont } from '../formats/font/open-font.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { cffOutlines } from './cff-outlines.ts';
import { type GlyphOutliner, glyfOutlines } from './glyf-outlines.ts';
import { decodeToEdge } from './pixels.ts';
import { woff2Outlines } from './woff2-glyphs.ts';

const width = 800;
const height = 600;
const paper = '#faf9f7';
const ink = '#1c1f24';

/** Draws a specimen from the font's outlines, so that no font engine has to parse an untrusted file. */
export const fontThumbnails: Thumbnailer = {
  name: 'font',
  version: 1,
  extensions: ['ttf', 'otf', 'ttc', 'otc', 'woff', 'woff2'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      const svg = specimen(openFont(file, source).font);
      return svg === null ? null : decodeToEdge(Buffer.from(svg), longestEdge, { density: (72 * longestEdge) / width });
    }),
};

/** Only for strings of one character. */
const codePointOf = (character: string): number => character.codePointAt(0) ?? 0;

interface Letters {
  glyph: GlyphMap;
  outline: GlyphOutliner;
  advance(glyph: number): number;
  unitsPerEm: number;
}

function specimen(font: FontTables): string | null {
  const letters = openLetters(font);
  if (letters === null) return null;
  const lines = chooseLines(letters);
  if (lines === null) return null;
  const parts = [drawLine(letters, lines.large, { size: 290, baseline: 300, maxWidth: width * 0.86 })];
  lines.small.forEach((text, i) => {
    parts.push(drawLine(letters, text, { size: 58, baseline: 462 + i * 76, maxWidth: width * 0.9 }));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${paper}"/><g fill="${ink}">${parts.join('')}</g></svg>`;
}

function openLetters(font: FontTables): (Letters & { firstCodes(count: number): number[] }) | null {
  const cmap = font.table('cmap');
  const head = font.table('head');
  const hhea = font.table('hhea');
  const hmtx = font.table('hmtx');
  const packed = font.transformed?.('glyf');
  const outline = packed ? woff2Outlines(packed) : (glyfOutlines(font) ?? cffOutlines(font));
  const map = cmap && cmap.length >= 4 ? readGlyphMap(cmap) : undefined;
  if (!map || !outline || !head || head.length < 20 || !hhea || hhea.length < 36 || !hmtx) return null;
  const metrics = Math.max(1, hhea.readUInt16BE(34));
  const unitsPerEm = head.readUInt16BE(18) || 1000;
  const advance = (glyph: number): number => {
    const at = Math.min(glyph, metrics - 1) * 4;
    return at + 2 <= hmtx.length ? hmtx.readUInt16BE(at) : unitsPerEm / 2;
  };
  return { ...map, outline, advance, unitsPerEm };
}

/** Latin letters if the font has them, otherwise the first characters it has. */
function chooseLines(letters: Letters & { firstCodes(count: number): number[] }): { large: string; small: string[] } | null {
  const canDraw = (text: string): boolean => [...text].every((letter) => letters.outline(letters.glyph(codePointOf(letter))) !== '');
  if (canDraw('Aag')) return { large: 'Aag', small: ['ABCDEFGHIJKLM', 'abcdefg 012345'] };
  if (canDraw('AB')) return { large: 'AB', small: ['ABCDEFGHIJKLM', '0123456789'] };
  const characters = letters
    .firstCodes(400)
    .filter((code) => code > 32)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => letters.outline(letters.glyph(codePointOf(character))) !== '')
    .slice(0, 27);
  if (characters.length === 0) return null;
  return {
    large: characters.slice(0, 3).join(''),
    small: [characters.slice(3, 15).join(''), characters.slice(15).join('')].filter((line) => line !== ''),
  };
}

/** Draws a centred line, scaled down to `maxWidth`, without the letters that the font lacks. */
function drawLine(letters: Letters, text: string, options: { size: number; baseline: number; maxWidth: number }): string {
  const glyphs = [...text]
    .map((letter) => ({ space: letter === ' ', glyph: letters.glyph(codePointOf(letter)) }))
    .filter(({ space, glyph }) => space || glyph !== 0);
  const widthOf = (item: (typeof glyphs)[number]): number => (item.space ? letters.unitsPerEm / 3 : letters.advance(item.glyph));
  const total = glyphs.reduce((sum, item) => sum + widthOf(item), 0);
  if (total === 0) return '';
  const scale = Math.min(options.size / letters.unitsPerEm, options.maxWidth / total);
  let x = (width - total * scale) / 2;
  const drawn = glyphs.map((item) => {
    const path = item.space ? '' : letters.outline(item.glyph);
    const placed =
      path === ''
        ? ''
        : `<path transform="translate(${x.toFixed(2)} ${options.baseline}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${path}"/>`;
    x += widthOf(item) * scale;
    return placed;
  });
  return drawn.join('');
}

/** The glyph number of a code point; 0 when the font has none. */
type GlyphMap = (codePoint: number) => number;

/** Reads the most complete Unicode subtable of a font's `cmap`; undefined when no format is supported. */
export function readGlyphMap(cmap: Buffer): { glyph: GlyphMap; firstCodes(count: number): number[] } | undefined {
  const count = Math.min(cmap.readUInt16BE(2), 100);
  let best: { rank: number; at: number } | undefined;
  for (let i = 0; i < count && 4 + i * 8 + 8 <= cmap.length; i++) {
    const platform = cmap.readUInt16BE(4 + i * 8);
    const encoding = cmap.readUInt16BE(6 + i * 8);
    const at = cmap.readUInt32BE(8 + i * 8);
    if (at + 8 > cmap.length) continue;
    const format = cmap.readUInt16BE(at);
    if (![0, 4, 6, 12].includes(format)) continue;
    const rank = format === 12 ? 4 : platform === 3 && encoding === 1 ? 3 : platform === 0 ? 2 : 1;
    if (rank > (best?.rank ?? 0)) best = { rank, at };
  }
  if (!best) return undefined;
  const pairs = readPairs(cmap.subarray(best.at));
  return { glyph: (code) => pairs.get(code) ?? 0, firstCodes: (wanted) => [...pairs.keys()].slice(0, wanted) };
}

const maxPairs = 70_000;

function readPairs(table: Buffer): Map<number, number> {
  const pairs = new Map<number, number>();
  const add = (code: number, glyph: number): void => {
    if (glyph !== 0 && pairs.size < maxPairs) pairs.set(code, glyph);
  };
  const format = table.readUInt16BE(0);
  if (format === 0) for (let code = 0; code < 256 && 6 + code < table.length; code++) add(code, table.readUInt8(6 + code));
  else if (format === 6) {
    const first = table.readUInt16BE(6);
    const amount = table.readUInt16BE(8);
    for (let i = 0; i < amount && 10 + i * 2 + 2 <= table.length; i++) add(first + i, table.readUInt16BE(10 + i * 2));
  } else if (format === 12) {
    const groups = Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / 12));
    for (let g = 0; g < groups; g++) {
      const [start, end, glyph] = [0, 4, 8].map((at) => table.readUInt32BE(16 + g * 12 + at)) as [number, number, number];
      for (let code = start; code <= end && code - start < maxPairs; code++) add(code, glyph + code - start);
    }
  } else readSegments(table, add);
  return pairs;
}

/** Format 4: segments of code points with a delta or an array of glyphs. */
function readSegments(table: Buffer, add: (code: number, glyph: number) => void): void {
  const doubled = table.readUInt16BE(6);
  const u16 = (at: number): number => (at + 2 <= table.length ? table.readUInt16BE(at) : 0);
  for (let i = 0; i < doubled && i < 20_000; i += 2) {
    const end = u16(14 + i);
    const start = u16(16 + doubled + i);
    const shift = u16(16 + 2 * doubled + i);
    const rangeAt = 16 + 3 * doubled + i;
    const range = u16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const found = range === 0 ? code : u16(rangeAt + range + (code - start) * 2);
      add(code, found === 0 ? 0 : (found + shift) & 0xffff);
    }
  }
}
