/** Pictures that declare more pixels than they have. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeZip } from '../../samples/archives.ts';
import { heicPhoto } from '../../samples/heic-photo.ts';
import { makeTiff } from '../../samples/images.ts';
import { u16be, u16le, u32be, u32le } from '../../samples/sample.ts';
import { heifBox, makeUncompressedHeif } from '../../samples/uncompressed-heif.ts';
import type { HostileCase } from '../hostile-case.ts';

const png = () =>
  sharp({ create: { width: 2, height: 2, channels: 3, background: '#000' } })
    .png()
    .toBuffer();

/** A PNG header with the given size; its checksum is deliberately wrong. */
async function pngOf(width: number, height: number): Promise<Buffer> {
  const bytes = await png();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A HEIC photo whose grid and sizes are larger than the one tile that it has. */
function heicOf(edge: number): Buffer {
  const bytes = Buffer.from(heicPhoto);
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(edge, at + 8);
    bytes.writeUInt32BE(edge, at + 12);
  }
  // The size of the grid is the last four bytes of idat.
  const grid = bytes.indexOf('idat') + 8;
  bytes.writeUInt16BE(edge, grid);
  bytes.writeUInt16BE(edge, grid + 2);
  return bytes;
}

function jpegOf(width: number, height: number): Buffer {
  return Buffer.concat([
    u16be(0xffd8),
    u16be(0xffc0),
    u16be(17),
    Buffer.from([8]),
    u16be(height),
    u16be(width),
    Buffer.from([3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
    u16be(0xffda),
  ]);
}

const tiffLoop = (): Buffer => {
  const bytes = makeTiff([
    [0x100, 10],
    [0x101, 10],
    [0x8769, 8],
    [0x8825, 8],
    [0x14a, 8],
  ]);
  bytes.writeUInt32LE(8, 8 + 2 + 5 * 12);
  return bytes;
};

const rgb = [4, 5, 6].map((type) => [type, 8, 0] as const);
const packed = [heifBox('cmpC', u32be(0), Buffer.from('zlib\0', 'latin1'))];

export const pixels: HostileCase[] = [
  {
    family: 'pixels',
    name: 'document whose only picture claims 60,000 x 60,000 pixels',
    filename: 'scan.docx',
    build: async () =>
      makeZip([
        { name: 'word/document.xml', data: '<w:document><w:body><w:p/></w:body></w:document>' },
        { name: 'word/media/image1.png', data: await pngOf(60_000, 60_000) },
      ]),
    endings: ['result'],
  },
  ...([7000, 40_000] as const).map(
    (edge): HostileCase => ({
      family: 'pixels',
      name: `HEIC that claims ${edge} x ${edge} pixels`,
      filename: 'claim.heic',
      build: () => heicOf(edge),
      endings: ['result', 'corrupt', 'guard'],
    }),
  ),
  ...(
    [
      ['49 megapixels in 1 byte', () => ({ data: Buffer.alloc(1) })],
      ['49 megapixels in 65,000 tiles', () => ({ columns: 250, rows: 250, interleave: 4, data: Buffer.alloc(1 << 20) })],
      ['rows of 60 MB', () => ({ rowAlign: 60 << 20, data: Buffer.alloc(1 << 20) })],
      ['pixels of 4 GB', () => ({ pixelBytes: 0xffffffff, data: Buffer.alloc(16) })],
      ['49 megapixels that are packed', () => ({ properties: packed, data: deflateSync(Buffer.alloc(7000 * 7000 * 2)) })],
    ] as const
  ).map(
    ([name, shape]): HostileCase => ({
      family: 'pixels',
      name: `uncompressed HEIF: ${name}`,
      filename: 'claim.heif',
      build: () => makeUncompressedHeif({ width: 7000, height: 7000, components: rgb, interleave: 1, ...shape() }),
      endings: ['result', 'corrupt', 'guard'],
    }),
  ),
  {
    family: 'pixels',
    name: 'PNG of 100,000 x 100,000',
    filename: 'flood.png',
    build: () => pngOf(100_000, 100_000),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'pixels',
    name: 'PNG of 2^31 x 2^31',
    filename: 'flood2.png',
    build: () => pngOf(0x7fffffff, 0x7fffffff),
    endings: ['result', 'corrupt', 'guard'],
  },
  { family: 'pixels', name: 'JPEG of 65,535 x 65,535', filename: 'flood.jpg', build: () => jpegOf(65_535, 65_535), endings: ['result'] },
  {
    family: 'pixels',
    name: 'GIF of 65,535 x 65,535',
    filename: 'flood.gif',
    build: () =>
      Buffer.concat([Buffer.from('GIF89a'), u16le(65_535), u16le(65_535), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x3b])]),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'BMP of 2^31 x 2^31',
    filename: 'flood.bmp',
    build: () =>
      Buffer.concat([
        Buffer.from('BM'),
        u32le(99),
        u32le(0),
        u32le(54),
        u32le(40),
        u32le(0x7fffffff),
        u32le(0x80000001),
        u16le(1),
        u16le(24),
        Buffer.alloc(24),
      ]),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'icon of 65,535 pictures',
    filename: 'many.ico',
    build: () => Buffer.concat([u16le(0), u16le(1), u16le(65_535)]),
    endings: ['corrupt'],
  },
  {
    family: 'pixels',
    name: 'layered image of 2^32 x 2^32',
    filename: 'flood.psd',
    build: () =>
      Buffer.concat([
        Buffer.from('8BPS'),
        u16be(1),
        Buffer.alloc(6),
        u16be(3),
        u32be(0xffffffff),
        u32be(0xffffffff),
        u16be(8),
        u16be(3),
        u32be(0xffffffff),
      ]),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'SVG of 1e300 x 1e300',
    filename: 'flood.svg',
    build: () => Buffer.from('<svg width="1e300" height="1e300"/>'),
    endings: ['result'],
  },
  {
    family: 'pixels',
    name: 'TIFF whose directories lead in a circle',
    filename: 'circle.tif',
    build: tiffLoop,
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'RAW whose directories lead in a circle',
    filename: 'circle.nef',
    build: tiffLoop,
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'TIFF of 65,535 tags',
    filename: 'tags.dng',
    build: () => Buffer.concat([Buffer.from('II*\0'), u32le(8), u16le(65_535), Buffer.alloc(4096, 0xff)]),
    endings: ['corrupt'],
  },
  {
    family: 'pixels',
    name: 'JPEG of 500,000 empty segments',
    filename: 'segments.jpg',
    build: () => Buffer.concat([u16be(0xffd8), ...Array.from({ length: 50_000 }, () => Buffer.from('ffe00002', 'hex'))]),
    endings: ['corrupt'],
  },
  {
    family: 'pixels',
    name: 'JPEG of nothing but fill bytes',
    filename: 'fill.jpg',
    build: () => Buffer.concat([u16be(0xffd8), Buffer.alloc(4_000_000, 0xff)]),
    endings: ['corrupt'],
  },
  {
    family: 'pixels',
    name: 'medical image of endless sequences',
    filename: 'endless.dcm',
    build: () =>
      Buffer.concat([
        Buffer.alloc(128),
        Buffer.from('DICM'),
        ...Array.from({ length: 100_000 }, () => Buffer.from('080000004f42000 0ffffffff'.replace(/ /g, ''), 'hex')),
      ]),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'pixels',
    name: 'JPEG XL boxes of no length',
    filename: 'boxes.jxl',
    build: () => Buffer.concat([u32be(12), Buffer.from('JXL \r\n\x87\n', 'latin1'), Buffer.alloc(4096)]),
    endings: ['corrupt'],
  },
  {
    family: 'pixels',
    name: 'JPEG XL that ends inside the head of a box',
    filename: 'half.jxl',
    build: () => Buffer.from('0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000', 'hex'),
    endings: ['corrupt'],
  },
];
