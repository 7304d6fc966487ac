import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';
import { readIptc } from './iptc.ts';
import { readBpg, readPlainMetafile } from './rare-headers.ts';

export function readBmp(file: FileBytes): ImageFacts {
  const head = file.need(0, 30);
  const core = head.readUInt32LE(14) === 12;
  const width = core ? head.readUInt16LE(18) : Math.abs(head.readInt32LE(18));
  const height = core ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22));
  const bits = core ? head.readUInt16LE(24) : head.readUInt16LE(28);
  return { format: 'BMP', width, height, bit_depth: bits, mode: bits === 1 ? '1' : bits <= 8 ? 'P' : bits === 32 ? 'RGBA' : 'RGB' };
}

export function readIcon(file: FileBytes): ImageFacts {
  const head = file.need(0, 6);
  const count = head.readUInt16LE(4);
  if (count === 0 || count > 1000) throw new ExtractError('corrupt', 'The icon contains no images.');
  const entries = file.need(6, count * 16);
  const sizes: [number, number][] = [];
  for (let i = 0; i < count; i++) sizes.push([entries[i * 16] || 256, entries[i * 16 + 1] || 256]);
  const [width, height] = sizes.reduce((best, size) => (size[0] * size[1] > best[0] * best[1] ? size : best));
  return {
    format: head.readUInt16LE(2) === 2 ? 'CUR' : 'ICO',
    width,
    height,
    icon_sizes: [...new Set(sizes.map(([w, h]) => `${w}x${h}`))],
  };
}

const psdModes = ['1', 'L', 'P', 'RGB', 'CMYK', '', '', 'multichannel', 'L', 'LAB'];

export function readPsd(file: FileBytes): ImageFacts {
  const head = file.need(0, 26);
  const big = head.readUInt16BE(4) === 2;
  const facts: ImageFacts = {
    format: big ? 'PSB' : 'PSD',
    height: head.readUInt32BE(14),
    width: head.readUInt32BE(18),
    bit_depth: head.readUInt16BE(22),
  };
  const mode = psdModes[head.readUInt16BE(24)];
  if (mode) facts.mode = mode;
  const colors = file.read(26, 4);
  if (colors.length < 4) return facts;
  const resourcesAt = 30 + colors.readUInt32BE(0);
  const resources = file.read(resourcesAt, 4);
  if (resources.length < 4) return facts;
  const layersAt = resourcesAt + 4 + resources.readUInt32BE(0);
  // The section of layers and the list in it state their lengths, which are zero in a flattened picture.
  const lengthBytes = big ? 8 : 4;
  const section = file.read(layersAt, lengthBytes * 2 + 2);
  const isEmpty = (at: number): boolean => section.subarray(at, at + lengthBytes).every((byte) => byte === 0);
  if (section.length === lengthBytes * 2 + 2 && !isEmpty(0) && !isEmpty(lengthBytes))
    facts.layers = Math.abs(section.readInt16BE(lengthBytes * 2));
  readPhotoshopResources(file.read(resourcesAt + 4, Math.min(resources.readUInt32BE(0), 8 << 20)), facts);
  return facts;
}

const resourceIds = { iptc: 1028, exif: 1058, xmp: 1060 };

/** Photoshop keeps IPTC, EXIF and XMP blocks among its image resources. */
export function readPhotoshopResources(bytes: Buffer, facts: ImageFacts): void {
  for (let at = 0; at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM'; ) {
    const id = bytes.readUInt16BE(at + 4);
    const nameBytes = ((bytes[at + 6] as number) + 2) & ~1;
    const start = at + 6 + nameBytes + 4;
    if (start > bytes.length) return;
    const length = bytes.readUInt32BE(start - 4);
    const block = bytes.subarray(start, start + length);
    if (id === resourceIds.xmp) facts.xmp ??= readXmp(block);
    const iptc = id === resourceIds.iptc ? readIptc(block) : null;
    if (iptc !== null) facts.iptc ??= iptc;
    const exif = id === resourceIds.exif ? exifFromBlock(block) : null;
    if (exif !== null) facts.exif ??= exif;
    at = start + ((length + 1) & ~1);
  }
}

const pnmModes: Record<string, string> = { '1': '1', '2': 'L', '3': 'RGB', '4': '1', '5': 'L', '6': 'RGB' };

export function readPnm(file: FileBytes): ImageFacts {
  const text = file
    .read(0, 1024)
    .toString('latin1')
    .replace(/#[^\n]*/g, '');
  const found = /^P([1-6])\s+(\d{1,9})\s+(\d{1,9})/.exec(text);
  if (found === null) throw new ExtractError('corrupt', 'The image header is damaged.');
  const [, kind, width, height] = found as unknown as [string, string, string, string];
  return { format: 'PNM', width: Number(width), height: Number(height), ...(pnmModes[kind] && { mode: pnmModes[kind] }) };
}

export function readDds(file: FileBytes): ImageFacts {
  const head = file.need(0, 20);
  return { format: 'DDS', height: head.readUInt32LE(12), width: head.readUInt32LE(16) };
}

export function readQoi(file: FileBytes): ImageFacts {
  const head = file.need(0, 14);
  return { format: 'QOI', width: head.readUInt32BE(4), height: head.readUInt32BE(8), mode: head[12] === 4 ? 'RGBA' : 'RGB' };
}

export function readTga(file: FileBytes): ImageFacts {
  const head = file.need(0, 18);
  const kind = head[2] as number;
  const bits = head[16] as number;
  if (![1, 2, 3, 9, 10, 11].includes(kind) || ![8, 15, 16, 24, 32].includes(bits))
    throw new ExtractError('corrupt', 'The image header is damaged.');
  return {
    format: 'TGA',
    width: head.readUInt16LE(12),
    height: head.readUInt16LE(14),
    bit_depth: bits,
    mode: bits === 32 ? 'RGBA' : bits === 8 ? 'L' : 'RGB',
  };
}

export function readRadiance(file: FileBytes): ImageFacts {
  const found = /[-+]Y (\d{1,7}) [-+]X (\d{1,7})/.exec(file.read(0, 8192).toString('latin1'));
  if (found === null) throw new ExtractError('corrupt', 'The image header is damaged.');
  return { format: 'HDR', width: Number(found[2]), height: Number(found[1]), mode: 'RGB' };
}

/** The image size is the data window of the OpenEXR header. */
export function readExr(file: FileBytes): ImageFacts {
  const head = file.read(0, 16_384);
  const at = head.indexOf('dataWindow\0box2i\0', 0, 'latin1');
  if (at === -1 || at + 37 > head.length) throw new ExtractError('corrupt', 'The image header is damaged.');
  const box = at + 21;
  return {
    format: 'EXR',
    width: head.readInt32LE(box + 8) - head.readInt32LE(box) + 1,
    height: head.readInt32LE(box + 12) - head.readInt32LE(box + 4) + 1,
  };
}

const TEXT_HEAD = 4096;

/**
 * Reads the less common formats: XCF, ICNS, SGI, Sun raster, FITS, PAM, PCX, EMF, WMF, XBM and XPM. `latin` is the start of the file as
 * Latin-1. Returns null for any other format.
 */
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
  if (/^[\x01\x02]\0\x09\0\0[\x01\x03]/.test(latin)) return readPlainMetafile(file);
  if (latin.startsWith('BPG\xfb')) return readBpg(file);
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

/** The header states units per inch; sizes are converted to pixels at 96 dpi. */
function placeableMetafile(file: FileBytes): ImageFacts {
  const head = file.need(0, 16);
  const scale = 96 / (head.readUInt16LE(14) || 1440);
  const side = (from: number, to: number): number => Math.round(Math.abs(head.readInt16LE(to) - head.readInt16LE(from)) * scale);
  return { format: 'WMF', width: side(6, 10), height: side(8, 12) };
}

/** XBM and XPM are C source. XBM defines its size, XPM states it in the first string. */
function readTextImage(file: FileBytes): ImageFacts | null {
  const text = file.read(0, TEXT_HEAD).toString('latin1');
  const width = /#define \S{0,200}_width (\d{1,6})/.exec(text)?.[1];
  const height = /#define \S{0,200}_height (\d{1,6})/.exec(text)?.[1];
  if (width !== undefined && height !== undefined) return { format: 'XBM', width: Number(width), height: Number(height), mode: '1' };
  const first = /"(\d{1,6})\s+(\d{1,6})\s+\d{1,6}\s+\d{1,3}/.exec(text);
  return first === null ? null : { format: 'XPM', width: Number(first[1]), height: Number(first[2]), mode: 'P' };
}
