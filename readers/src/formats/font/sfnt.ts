import { ExtractError } from '../../contract.ts';

/** A TrueType or OpenType font as a set of tables, each read when asked for. */
export interface FontTables {
  /** 'truetype' (glyf) or 'opentype' (CFF). */
  kind: string;
  names: readonly string[];
  /** Undefined when the font has no such table. */
  table(tag: string): Buffer | undefined;
  /** A table that the packing keeps in another form (outlines in WOFF2), in that form. */
  transformed?(tag: string): Buffer | undefined;
}

/** Reads bytes of the font file; throws when they are not there. */
export type ReadBytes = (offset: number, length: number) => Buffer;

const maxTables = 512;
const maxTableBytes = 64 * 1024 * 1024;

/** Opens the table directory at `offset` (a collection holds several). */
export function openSfnt(read: ReadBytes, offset = 0): FontTables {
  const head = read(offset, 12);
  const mark = head.readUInt32BE(0);
  if (![0x00010000, 0x4f54544f, 0x74727565, 0x74797031].includes(mark)) throw new ExtractError('corrupt', 'This is not a font.');
  const count = head.readUInt16BE(4);
  if (count === 0 || count > maxTables) throw new ExtractError('corrupt', 'The font states an impossible number of tables.');
  const records = read(offset + 12, count * 16);
  const places = new Map<string, { offset: number; length: number }>();
  for (let i = 0; i < count; i++) {
    places.set(records.toString('latin1', i * 16, i * 16 + 4), {
      offset: records.readUInt32BE(i * 16 + 8),
      length: records.readUInt32BE(i * 16 + 12),
    });
  }
  return {
    kind: mark === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...places.keys()],
    table(tag) {
      const place = places.get(tag);
      if (!place) return undefined;
      if (place.length > maxTableBytes) throw new ExtractError('guard', 'A table of the font is larger than 64 MiB.');
      return read(place.offset, place.length);
    },
  };
}

/** The places of the fonts inside a collection. */
export function collectionOffsets(read: ReadBytes): number[] {
  const count = read(8, 4).readUInt32BE(0);
  if (count === 0 || count > 256) throw new ExtractError('corrupt', 'The collection states an impossible number of fonts.');
  const offsets = read(12, count * 4);
  return Array.from({ length: count }, (_, i) => offsets.readUInt32BE(i * 4));
}
