import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../result.ts';
import { type FontTables, openFont } from './open-font.ts';

const fontKeys = [
  ...[
    'format',
    'family',
    'subfamily',
    'full_name',
    'version',
    'postscript_name',
    'copyright',
    'manufacturer',
    'designer',
    'license',
    'glyphs',
  ],
  ...['weight', 'weight_name', 'italic', 'monospaced', 'variable', 'color', 'outlines', 'fonts'],
];

/** Fonts: names, style and number of glyphs. */
export const font: Extractor = {
  name: 'font',
  version: 1,
  text: false,
  extensions: ['ttf', 'otf', 'ttc', 'otc', 'woff', 'woff2', 'pfa', 'pfb', 't1', 'afm', 'bdf'],
  tools: [],
  keys: ['font', ...fontKeys.map((key) => `font.${key}`)],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      if (['pfa', 'pfb', 't1', 'afm', 'bdf'].includes(source.extension)) {
        const { format, facts } = describePlainFont(file);
        return withTitle({ format, ...facts });
      }
      const opened = openFont(file, source);
      return withTitle({ format: opened.format, ...describeFont(opened.font), ...(opened.fonts > 1 ? { fonts: opened.fonts } : {}) });
    }),
};

function withTitle(facts: Record<string, unknown>): Extracted {
  const title = facts['full_name'] ?? facts['family'];
  return { metadata: { font: facts }, ...(typeof title === 'string' ? { title } : {}) };
}

const nameKeys: Record<number, string> = {
  0: 'copyright',
  1: 'family',
  2: 'subfamily',
  4: 'full_name',
  5: 'version',
  6: 'postscript_name',
  8: 'manufacturer',
  9: 'designer',
  13: 'license',
  16: 'typographic_family',
  17: 'typographic_subfamily',
};

/** Reads the name table. English names are preferred. */
function readFontNames(table: Buffer | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  const rank: Record<string, number> = {};
  if (!table || table.length < 6) return found;
  const count = table.readUInt16BE(2);
  const storage = table.readUInt16BE(4);
  for (let i = 0; i < count && 6 + i * 12 + 12 <= table.length; i++) {
    const at = 6 + i * 12;
    const key = nameKeys[table.readUInt16BE(at + 6)];
    if (key === undefined) continue;
    const platform = table.readUInt16BE(at);
    const start = storage + table.readUInt16BE(at + 10);
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8));
    const priority = platform === 3 ? (table.readUInt16BE(at + 4) === 0x409 ? 3 : 1) : 2;
    if (priority <= (rank[key] ?? 0)) continue;
    const text = decodeName(bytes, platform);
    if (text === '') continue;
    found[key] = text;
    rank[key] = priority;
  }
  return found;
}

function decodeName(bytes: Buffer, platform: number): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = platform === 1 ? bytes.toString('latin1') : Buffer.from(even).swap16().toString('utf16le');
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .toWellFormed()
    .trim()
    .slice(0, 500);
}

const weights: Record<number, string> = {
  100: 'thin',
  200: 'extra light',
  300: 'light',
  400: 'regular',
  500: 'medium',
  600: 'semi bold',
  700: 'bold',
  800: 'extra bold',
  900: 'black',
};

function describeFont(font: FontTables): Record<string, unknown> {
  const names = readFontNames(font.table('name'));
  const maxp = font.table('maxp');
  const os2 = font.table('OS/2');
  const post = font.table('post');
  if (!maxp || maxp.length < 6) throw new ExtractError('corrupt', 'The font has no table that states its number of glyphs.');
  const { typographic_family, typographic_subfamily, ...rest } = names;
  const has = (tag: string): boolean => font.names.includes(tag);
  const weight = os2 && os2.length >= 6 ? os2.readUInt16BE(4) : undefined;
  return {
    ...rest,
    ...(typographic_family ? { family: typographic_family } : {}),
    ...(typographic_subfamily ? { subfamily: typographic_subfamily } : {}),
    glyphs: maxp.readUInt16BE(4),
    ...(weight === undefined ? {} : { weight }),
    ...(weight !== undefined && weights[weight] ? { weight_name: weights[weight] } : {}),
    ...(os2 && os2.length >= 64 ? { italic: (os2.readUInt16BE(62) & 1) !== 0 } : {}),
    ...(post && post.length >= 16 ? { monospaced: post.readUInt32BE(12) !== 0 } : {}),
    variable: has('fvar'),
    color: has('COLR') || has('CBDT') || has('sbix') || has('SVG '),
    outlines: has('CFF ') || has('CFF2') ? 'cff' : has('glyf') ? 'glyf' : 'bitmap',
  };
}

/** Type 1 (pfa, pfb), metrics (afm) and bitmap (bdf) fonts, described by their plain-text headers. */
function describePlainFont(file: FileBytes): { format: string; facts: Record<string, unknown> } {
  const text = file.read(0, 65_536).toString('latin1');
  const pick = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim().slice(0, 300);
  if (/%!(PS-AdobeFont|FontType1)/.test(text.slice(0, 64))) {
    return {
      format: 'type1',
      facts: withoutEmpty({
        family: pick(/\/FamilyName\s*\(([^)]*)\)/),
        full_name: pick(/\/FullName\s*\(([^)]*)\)/),
        subfamily: pick(/\/Weight\s*\(([^)]*)\)/),
        version: pick(/\/version\s*\(([^)]*)\)/),
        postscript_name: pick(/\/FontName\s*\/(\S+)/),
      }),
    };
  }
  if (text.startsWith('StartFontMetrics')) {
    const glyphs = Number(pick(/^StartCharMetrics\s+(\d+)/m));
    return {
      format: 'afm',
      facts: withoutEmpty({
        family: pick(/^FamilyName\s+(.+)$/m),
        full_name: pick(/^FullName\s+(.+)$/m),
        subfamily: pick(/^Weight\s+(.+)$/m),
        glyphs: Number.isFinite(glyphs) ? glyphs : undefined,
      }),
    };
  }
  if (text.startsWith('STARTFONT')) {
    const glyphs = Number(pick(/^CHARS\s+(\d+)/m));
    return {
      format: 'bdf',
      facts: withoutEmpty({
        family: pick(/^FAMILY_NAME\s+"([^"]*)"/m),
        full_name: pick(/^FONT\s+(.+)$/m),
        glyphs: Number.isFinite(glyphs) ? glyphs : undefined,
      }),
    };
  }
  throw new ExtractError('corrupt', 'The file is not a font.');
}
