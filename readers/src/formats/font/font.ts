import type { Extracted, Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { describeFont } from './names.ts';
import { openFont } from './open-font.ts';
import { describePlainFont } from './postscript-font.ts';

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

/** Fonts: the names they give themselves and how many glyphs they have. */
export const font: Extractor = {
  name: 'font',
  version: 1,
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
