import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { ExtractError, type Limits } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { createDecompressionGuard } from '../../input/decompression-guard.ts';
import type { FontTables } from './sfnt.ts';

const damaged = (): ExtractError => new ExtractError('corrupt', 'The packed font is damaged.');

function unpack(run: (maxOutputLength: number) => Buffer, expected: number, room: number): Buffer {
  try {
    return run(Math.max(1, Math.min(expected, room)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', 'The font unpacks to more than it states.');
    throw damaged();
  }
}

/** WOFF: each table is packed by itself and unpacked only when asked for. */
export function openWoff(file: FileBytes, limits: Limits): FontTables {
  const head = file.need(0, 44);
  const count = head.readUInt16BE(12);
  if (count === 0 || count > 512) throw damaged();
  const records = file.need(44, count * 20);
  const guard = createDecompressionGuard(file.size, limits);
  const places = new Map<string, { offset: number; packed: number; length: number }>();
  for (let i = 0; i < count; i++) {
    const at = i * 20;
    places.set(records.toString('latin1', at, at + 4), {
      offset: records.readUInt32BE(at + 4),
      packed: records.readUInt32BE(at + 8),
      length: records.readUInt32BE(at + 12),
    });
  }
  return {
    kind: head.readUInt32BE(4) === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...places.keys()],
    table(tag) {
      const place = places.get(tag);
      if (!place) return undefined;
      guard.declare(place.length);
      const bytes = file.need(place.offset, place.packed);
      if (place.packed === place.length) return bytes;
      const table = unpack((maxOutputLength) => inflateSync(bytes, { maxOutputLength }), place.length, guard.remaining());
      guard.charge(table.length);
      return table;
    },
  };
}

const woff2Tags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill';

/** WOFF2: one brotli stream holds all tables. Outlines are stored in a changed form; the plain tables, which hold the facts, are not. */
export function openWoff2(file: FileBytes, limits: Limits): FontTables {
  const head = file.need(0, 48);
  const count = head.readUInt16BE(12);
  if (count === 0 || count > 512) throw damaged();
  if (head.readUInt32BE(4) === 0x74746366) throw new ExtractError('dependency', 'Packed font collections are not read.');
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
  const places = new Map<string, { offset: number; length: number; plain: boolean }>();
  let offset = 0;
  for (let i = 0; i < count; i++) {
    const flags = directory[at++] ?? 0;
    const numbered = flags & 63;
    const known = numbered === 63 ? directory.toString('latin1', at, at + 4) : woff2Tags.slice(numbered * 5, numbered * 5 + 4);
    if (numbered === 63) at += 4;
    const version = flags >> 6;
    const changed = known === 'glyf' || known === 'loca' ? version === 0 : version !== 0;
    const original = base128();
    const length = changed ? base128() : original;
    places.set(known, { offset, length, plain: !changed });
    offset += length;
  }
  const guard = createDecompressionGuard(file.size, limits);
  guard.declare(offset);
  const packed = file.need(48 + at, head.readUInt32BE(20));
  const all = unpack((maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }), offset, guard.remaining());
  guard.charge(all.length);
  return {
    kind: head.readUInt32BE(4) === 0x4f54544f ? 'opentype' : 'truetype',
    names: [...places.keys()],
    table(tag) {
      const place = places.get(tag);
      return place?.plain ? all.subarray(place.offset, place.offset + place.length) : undefined;
    },
    transformed(tag) {
      const place = places.get(tag);
      return place && !place.plain ? all.subarray(place.offset, place.offset + place.length) : undefined;
    },
  };
}
