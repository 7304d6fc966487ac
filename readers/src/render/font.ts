import type { Thumbnailer } from '../contract.ts';
import { openFont, type FontTables } from '../formats/font/open-font.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { cffOutlines } from './cff-outlines.ts';
import { glyfOutlines, type GlyphOutliner } from './glyf-outlines.ts';
import { type GlyphMap, readGlyphMap } from './glyph-map.ts';
import { decodeToEdge } from './pixels.ts';
import { woff2Outlines } from './woff2-glyphs.ts';

const width = 800;
const height = 600;
const paper = '#faf9f7';
const ink = '#1c1f24';

/** A specimen drawn from the font's own outlines: nothing is installed and no font engine reads the file. */
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

/** Latin letters where the font has them, otherwise the first signs it does have. */
function chooseLines(letters: Letters & { firstCodes(count: number): number[] }): { large: string; small: string[] } | null {
  const drawn = (text: string): boolean => [...text].every((letter) => letters.outline(letters.glyph(letter.codePointAt(0)!)) !== '');
  if (drawn('Aag')) return { large: 'Aag', small: ['ABCDEFGHIJKLM', 'abcdefg 012345'] };
  if (drawn('AB')) return { large: 'AB', small: ['ABCDEFGHIJKLM', '0123456789'] };
  const signs = letters
    .firstCodes(400)
    .filter((code) => code > 32)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => letters.outline(letters.glyph(sign.codePointAt(0)!)) !== '')
    .slice(0, 27);
  if (signs.length === 0) return null;
  return {
    large: signs.slice(0, 3).join(''),
    small: [signs.slice(3, 15).join(''), signs.slice(15).join('')].filter((line) => line !== ''),
  };
}

/** One centred line, made smaller when it would be too wide. Letters the font lacks are left out. */
function drawLine(letters: Letters, text: string, options: { size: number; baseline: number; maxWidth: number }): string {
  const glyphs = [...text]
    .map((letter) => ({ space: letter === ' ', glyph: letters.glyph(letter.codePointAt(0)!) }))
    .filter(({ space, glyph }) => space || glyph !== 0);
  const wide = (item: (typeof glyphs)[number]): number => (item.space ? letters.unitsPerEm / 3 : letters.advance(item.glyph));
  const total = glyphs.reduce((sum, item) => sum + wide(item), 0);
  if (total === 0) return '';
  const scale = Math.min(options.size / letters.unitsPerEm, options.maxWidth / total);
  let x = (width - total * scale) / 2;
  const drawn = glyphs.map((item) => {
    const path = item.space ? '' : letters.outline(item.glyph);
    const placed =
      path === ''
        ? ''
        : `<path transform="translate(${x.toFixed(2)} ${options.baseline}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${path}"/>`;
    x += wide(item) * scale;
    return placed;
  });
  return drawn.join('');
}
