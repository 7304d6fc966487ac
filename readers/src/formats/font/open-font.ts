import { ExtractError, type Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { collectionOffsets, type FontTables, openSfnt } from './sfnt.ts';
import { openWoff, openWoff2 } from './woff.ts';

export interface OpenedFont {
  format: string;
  font: FontTables;
  /** Fonts in the collection; one for a plain font. */
  fonts: number;
}

/** Opens any of the formats by its first bytes; of a collection the first font. */
export function openFont(file: FileBytes, source: Pick<Source, 'limits'>): OpenedFont {
  const mark = file.read(0, 4).toString('latin1');
  const read = (offset: number, length: number): Buffer => file.need(offset, length);
  if (mark === 'wOFF') return { format: 'woff', font: openWoff(file, source.limits), fonts: 1 };
  if (mark === 'wOF2') return { format: 'woff2', font: openWoff2(file, source.limits), fonts: 1 };
  if (mark === 'ttcf') {
    const offsets = collectionOffsets(read);
    return { format: 'ttc', font: openSfnt(read, offsets[0]), fonts: offsets.length };
  }
  if (mark.length < 4) throw new ExtractError('corrupt', 'This is not a font.');
  const font = openSfnt(read);
  return { format: font.kind === 'opentype' ? 'otf' : 'ttf', font, fonts: 1 };
}

/** A plain TrueType or OpenType font that is already in memory. */
export function openFontBytes(bytes: Buffer): FontTables {
  return openSfnt((offset, length) => {
    if (offset + length > bytes.length) throw new ExtractError('corrupt', 'The file ends too early.');
    return bytes.subarray(offset, offset + length);
  });
}
