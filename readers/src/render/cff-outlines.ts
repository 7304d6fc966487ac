import { ExtractError } from '../contract.ts';
import type { FontTables } from '../formats/font/open-font.ts';
import { type CffIndex, readDict, readIndex } from './cff-tables.ts';
import type { GlyphOutliner } from './glyf-outlines.ts';
import { runCharstring } from './type2-charstring.ts';

/** Outlines in cubic curves, as OpenType fonts keep them in their CFF table. */
export function cffOutlines(font: FontTables): GlyphOutliner | undefined {
  const cff = font.table('CFF ');
  if (!cff || cff.length < 8) return undefined;
  try {
    return openCff(cff);
  } catch (error) {
    if (error instanceof RangeError) throw new ExtractError('corrupt', 'The outlines of the font are damaged.');
    throw error;
  }
}

function openCff(cff: Buffer): GlyphOutliner {
  const names = readIndex(cff, cff[2]!);
  const tops = readIndex(cff, names.end);
  const strings = readIndex(cff, tops.end);
  const globalSubroutines = readIndex(cff, strings.end);
  const top = readDict(tops.item(0));
  const charstrings = readIndex(cff, top.get(17)?.[0] ?? 0);
  const subroutinesOf = (dict: Map<number, number[]>): CffIndex | undefined => {
    const [size = 0, offset = 0] = dict.get(18) ?? [];
    if (size === 0) return undefined;
    const local = readDict(cff.subarray(offset, offset + size)).get(19)?.[0];
    return local === undefined ? undefined : readIndex(cff, offset + local);
  };
  // Fonts of large scripts keep several sets of subroutines; the first serves for a specimen.
  const sets = top.get(0x0c24)?.[0];
  const local = sets === undefined ? subroutinesOf(top) : subroutinesOf(readDict(readIndex(cff, sets).item(0)));
  return (glyph) => {
    if (glyph >= charstrings.count) return '';
    try {
      return runCharstring(charstrings.item(glyph), globalSubroutines, local);
    } catch (error) {
      if (error instanceof RangeError) throw new ExtractError('corrupt', 'A glyph of the font is damaged.');
      throw error;
    }
  };
}
