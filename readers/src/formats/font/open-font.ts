import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { ExtractError, type Limits, type Source } from '../../contract.ts';
import { createDecompressionGuard } from '../../input/decompression-guard.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

interface OpenedFont {
  format: string;
  font: FontTables;
  /** Number of fonts in the file; more than one only in a collection. */
  fonts: number;
}

/** Opens a font of any supported format, detected by its first bytes. For a collection, opens the first font. */
export function openFont(file: FileBytes, source: Pick<Source, 'limits'>): OpenedFont {
  const signature = file.read(0, 4).toString('latin1');
  const read = (offset: number, length: number): Buffer => file.need(offset, length);
  if (signature === 'wOFF') return { format: 'woff', font: openWoff(file, source.limits), fonts: 1 };
  if (signature === 'wOF2') return { format: 'woff2', font: openWoff2(file, source.limits), fonts: 1 };
  if (signature === 'ttcf') {
    const offsets = collectionOffsets(read);
    return { format: 'ttc', font: openSfnt(read, offsets[0]), fonts: offsets.length };
  }
  if (signature.length < 4) throw new ExtractError('corrupt', 'The file is not a font.');
  const font = openSfnt(read);
  return { format: font.kind === 'opentype' ? 'otf' : 'ttf', font, fonts: 1 };
}

/** Opens a TrueType or OpenType font from memory. */
export function openFontBytes(bytes: Buffer): FontTables {
  return openSfnt((offset, length) => {
    if (offset + length > bytes.length) throw new ExtractError('corrupt', 'The file ends too early.');
    return bytes.subarray(offset, offset + length);
  });
}

/** The tables of a TrueType or OpenType font, read on demand. */
export interface FontTables {
  /** 'truetype' (glyf) or 'opentype' (CFF). */
  kind: string;
  names: readonly string[];
  table(tag: string): Buffer | undefined;
  /** The transformed form of a table (outlines in WOFF2). */
  transformed?(tag: string): Buffer | undefined;
}

/** Reads bytes of the font file. Throws if they are past its end. */
type ReadBytes = (offset: number, length: number) => Buffer;

const maxTables = 512;
const maxTableBytes = 64 * 1024 * 1024;

/** Opens the table directory at `offset`; a collection holds several. */
function openSfnt(read: ReadBytes, offset = 0): FontTables {
  const head = read(offset, 12);
  const signature = head.readUInt32BE(0);
  if (![0x00010000, 0x4f54544f, 0x74727565, 0x74797031].includes(signature)) throw new ExtractError('corrupt', 'The file is not a font.');
  const count = head.readUInt16BE(4);
  if (count === 0 || count > maxTables) throw new ExtractError('corrupt', 'The font declares an impossible number of tables.');
  const records = read(offset + 12, count * 16);
  const tables = new Map<string, { offset: number; length: number }>();
  for (let i = 0; i < count; i++) {
    tables.set(records.toString('latin1', i * 16, i * 16 + 4), {
      offset: records.readUInt32BE(i * 16 + 8),
      length: records.readUInt32BE(i * 16 + 12),
    });
  }
  return {
    kind: signature === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...tables.keys()],
    table(tag) {
      const entry = tables.get(tag);
      if (!entry) return undefined;
      if (entry.length > maxTableBytes) throw new ExtractError('guard', 'A table of the font is larger than 64 MiB.');
      return read(entry.offset, entry.length);
    },
  };
}

/** Offsets of the fonts in a collection. */
function collectionOffsets(read: ReadBytes): number[] {
  const count = read(8, 4).readUInt32BE(0);
  if (count === 0 || count > 256) throw new ExtractError('corrupt', 'The collection declares an impossible number of fonts.');
  const offsets = read(12, count * 4);
  return Array.from({ length: count }, (_, i) => offsets.readUInt32BE(i * 4));
}

const damaged = (): ExtractError => new ExtractError('corrupt', 'The compressed font is damaged.');

function decompress(run: (maxOutputLength: number) => Buffer, expected: number, remaining: number): Buffer {
  try {
    return run(Math.max(1, Math.min(expected, remaining)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', 'The font decompresses to more than its declared size.');
    throw damaged();
  }
}

/** WOFF: each table is compressed separately and decompressed on demand. */
function openWoff(file: FileBytes, limits: Limits): FontTables {
  const head = file.need(0, 44);
  const count = head.readUInt16BE(12);
  if (count === 0 || count > 512) throw damaged();
  const records = file.need(44, count * 20);
  const guard = createDecompressionGuard(file.size, limits);
  const tables = new Map<string, { offset: number; compressedLength: number; length: number }>();
  for (let i = 0; i < count; i++) {
    const at = i * 20;
    tables.set(records.toString('latin1', at, at + 4), {
      offset: records.readUInt32BE(at + 4),
      compressedLength: records.readUInt32BE(at + 8),
      length: records.readUInt32BE(at + 12),
    });
  }
  return {
    kind: head.readUInt32BE(4) === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...tables.keys()],
    table(tag) {
      const entry = tables.get(tag);
      if (!entry) return undefined;
      guard.declare(entry.length);
      const bytes = file.need(entry.offset, entry.compressedLength);
      if (entry.compressedLength === entry.length) return bytes;
      const table = decompress((maxOutputLength) => inflateSync(bytes, { maxOutputLength }), entry.length, guard.remaining());
      guard.charge(table.length);
      return table;
    },
  };
}

const woff2Tags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill';

/** WOFF2: all tables are in one Brotli stream. Outline tables are stored in a transformed form. */
function openWoff2(file: FileBytes, limits: Limits): FontTables {
  const head = file.need(0, 48);
  const count = head.readUInt16BE(12);
  if (count === 0 || count > 512) throw damaged();
  if (head.readUInt32BE(4) === 0x74746366) throw new ExtractError('dependency', 'WOFF2 font collections are not supported.');
  const directory = file.read(48, count * 20);
  let at = 0;
  const base128 = (): number => {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = directory[at++];
      if (byte === undefined) throw damaged();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw damaged();
  };
  const tables = new Map<string, { offset: number; length: number; plain: boolean }>();
  let offset = 0;
  for (let i = 0; i < count; i++) {
    const flags = directory[at++] ?? 0;
    const tagIndex = flags & 63;
    const knownTag = tagIndex === 63 ? directory.toString('latin1', at, at + 4) : woff2Tags.slice(tagIndex * 5, tagIndex * 5 + 4);
    if (tagIndex === 63) at += 4;
    const version = flags >> 6;
    const changed = knownTag === 'glyf' || knownTag === 'loca' ? version === 0 : version !== 0;
    const original = base128();
    const length = changed ? base128() : original;
    tables.set(knownTag, { offset, length, plain: !changed });
    offset += length;
  }
  const guard = createDecompressionGuard(file.size, limits);
  guard.declare(offset);
  const compressed = file.need(48 + at, head.readUInt32BE(20));
  const decompressed = decompress((maxOutputLength) => brotliDecompressSync(compressed, { maxOutputLength }), offset, guard.remaining());
  guard.charge(decompressed.length);
  return {
    kind: head.readUInt32BE(4) === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...tables.keys()],
    table(tag) {
      const entry = tables.get(tag);
      return entry?.plain ? decompressed.subarray(entry.offset, entry.offset + entry.length) : undefined;
    },
    transformed(tag) {
      const entry = tables.get(tag);
      return entry && !entry.plain ? decompressed.subarray(entry.offset, entry.offset + entry.length) : undefined;
    },
  };
}
