/** Headers of images that are seldom met, known by their first bytes: PCX, ICNS, XBM, XPM, SGI, Sun raster, FITS, GIMP, PAM and Windows metafiles. */
import type { FileBytes } from '../../input/file-bytes.ts';
import type { ImageFacts } from './facts.ts';

const TEXT_HEAD = 4096;

/** Null when the bytes are none of them. `latin` is the start of the file, one character a byte. */
export function readOtherHeader(file: FileBytes, latin: string): ImageFacts | null {
  if (latin.startsWith('gimp xcf ')) return gimp(file);
  if (latin.startsWith('icns')) return appleIcon(file);
  if (latin.startsWith('\x01\xda')) return sgi(file);
  if (latin.startsWith('\x59\xa6\x6a\x95')) return sunRaster(file);
  if (latin.startsWith('SIMPLE  =')) return fits(file);
  if (latin.startsWith('P7\n')) return pam(file);
  if (/^\x0a[\0\x02-\x05]\x01[\x01\x02\x04\x08]/.test(latin)) return pcx(file);
  if (latin.startsWith('\x01\0\0\0') && latin.slice(40, 44) === ' EMF') return enhancedMetafile(file);
  if (latin.startsWith('\xd7\xcd\xc6\x9a')) return placeableMetafile(file);
  if (/^\s*(#define|\/\*)/.test(latin)) return readTextImage(file);
  return null;
}

function gimp(file: FileBytes): ImageFacts {
  const head = file.need(0, 26);
  return {
    format: 'XCF',
    width: head.readUInt32BE(14),
    height: head.readUInt32BE(18),
    mode: ['RGB', 'L', 'P'][head.readUInt32BE(22)] ?? 'RGB',
  };
}

const iconSizes: Record<string, number> = {
  icp4: 16,
  icp5: 32,
  icp6: 64,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
  is32: 16,
  il32: 32,
  ih32: 48,
  it32: 128,
};

function appleIcon(file: FileBytes): ImageFacts {
  const sizes = new Set<number>();
  for (let at = 8, count = 0; at + 8 <= file.size && count < 100; count++) {
    const head = file.read(at, 8);
    const length = head.readUInt32BE(4);
    const size = iconSizes[head.toString('latin1', 0, 4)];
    if (size !== undefined) sizes.add(size);
    if (length < 8) break;
    at += length;
  }
  const largest = Math.max(0, ...sizes);
  return {
    format: 'ICNS',
    ...(largest > 0 && { width: largest, height: largest }),
    icon_sizes: [...sizes].sort((a, b) => a - b).map((size) => `${size}x${size}`),
  };
}

function sgi(file: FileBytes): ImageFacts {
  const head = file.need(0, 12);
  const channels = head.readUInt16BE(10);
  return {
    format: 'SGI',
    width: head.readUInt16BE(6),
    height: head.readUInt16BE(8),
    mode: channels === 1 ? 'L' : channels === 4 ? 'RGBA' : 'RGB',
  };
}

function sunRaster(file: FileBytes): ImageFacts {
  const head = file.need(0, 16);
  return { format: 'RAS', width: head.readUInt32BE(4), height: head.readUInt32BE(8), bit_depth: head.readUInt32BE(12) };
}

function fits(file: FileBytes): ImageFacts {
  const cards = file.read(0, 28_800).toString('latin1');
  const number = (key: string): number | undefined => {
    const found = new RegExp(`${key.padEnd(8)}= +(-?\\d{1,10})`).exec(cards)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return { format: 'FITS', width: number('NAXIS1'), height: number('NAXIS2'), bit_depth: Math.abs(number('BITPIX') ?? 0) || undefined };
}

function pam(file: FileBytes): ImageFacts {
  const text = file.read(0, TEXT_HEAD).toString('latin1');
  return {
    format: 'PAM',
    width: Number(/^WIDTH (\d{1,9})$/m.exec(text)?.[1]) || undefined,
    height: Number(/^HEIGHT (\d{1,9})$/m.exec(text)?.[1]) || undefined,
  };
}

function pcx(file: FileBytes): ImageFacts {
  const head = file.need(0, 12);
  return {
    format: 'PCX',
    width: head.readUInt16LE(8) - head.readUInt16LE(4) + 1,
    height: head.readUInt16LE(10) - head.readUInt16LE(6) + 1,
    bit_depth: head[3] as number,
  };
}

function enhancedMetafile(file: FileBytes): ImageFacts {
  const head = file.need(0, 24);
  return { format: 'EMF', width: head.readInt32LE(16) - head.readInt32LE(8), height: head.readInt32LE(20) - head.readInt32LE(12) };
}

/** Units per inch turn the box into pixels at 96 to the inch. */
function placeableMetafile(file: FileBytes): ImageFacts {
  const head = file.need(0, 16);
  const scale = 96 / (head.readUInt16LE(14) || 1440);
  const side = (from: number, to: number): number => Math.round(Math.abs(head.readInt16LE(to) - head.readInt16LE(from)) * scale);
  return { format: 'WMF', width: side(6, 10), height: side(8, 12) };
}

/** XBM and XPM are C source: the size stands in a definition or in the first string. */
function readTextImage(file: FileBytes): ImageFacts | null {
  const text = file.read(0, TEXT_HEAD).toString('latin1');
  const width = /#define \S{0,200}_width (\d{1,6})/.exec(text)?.[1];
  const height = /#define \S{0,200}_height (\d{1,6})/.exec(text)?.[1];
  if (width !== undefined && height !== undefined) return { format: 'XBM', width: Number(width), height: Number(height), mode: '1' };
  const first = /"(\d{1,6})\s+(\d{1,6})\s+\d{1,6}\s+\d{1,3}/.exec(text);
  return first === null ? null : { format: 'XPM', width: Number(first[1]), height: Number(first[2]), mode: 'P' };
}
