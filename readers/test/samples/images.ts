import sharp, { type Sharp } from 'sharp';
import { heicPhoto, uprightHeicPhoto } from './heic-photo.ts';
import { type Sample, u16be, u16le, u32be, u32le } from './sample.ts';
import { makeUncompressedHeif } from './uncompressed-heif.ts';

export const exifTags = {
  IFD0: { Make: 'Canon', Model: 'Canon EOS R5', Artist: 'Ann Example', Software: 'Firmware 1.2' },
  IFD2: {
    DateTimeOriginal: '2024:05:01 10:20:30',
    OffsetTimeOriginal: '+02:00',
    FNumber: '28/10',
    ExposureTime: '1/200',
    ISOSpeedRatings: '400',
    FocalLength: '50/1',
    LensModel: 'RF50mm F1.8',
  },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'W', GPSLongitude: '13/1 24/1 0/1', GPSAltitude: '34/1' },
};

const expectedExif = {
  camera: 'Canon EOS R5',
  taken_at: '2024-05-01T10:20:30+02:00',
  exif: {
    camera_make: 'Canon',
    iso: 400,
    f_number: 2.8,
    exposure_time: 0.005,
    focal_length: 50,
    lens_model: 'RF50mm F1.8',
    gps_latitude: 52.52,
    gps_longitude: -13.4,
    gps_altitude: 34,
  },
};

export function photo(width = 64, height = 48): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } }).withExif(exifTags);
}

async function animatedGif(): Promise<Buffer> {
  const frame = (color: string) =>
    sharp({ create: { width: 8, height: 8, channels: 4, background: color } })
      .png()
      .toBuffer();
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map(frame));
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100], loop: 0 })
    .toBuffer();
}

/** A TIFF structure with the given tags, as in camera raw files. */
export function makeTiff(tags: readonly [tag: number, value: string | number][]): Buffer {
  const start = 8 + 2 + tags.length * 12 + 4;
  const extra: Buffer[] = [];
  let extraAt = start;
  const rows = [...tags]
    .sort((a, b) => a[0] - b[0])
    .map(([tag, value]) => {
      if (typeof value === 'number') return Buffer.concat([u16le(tag), u16le(4), u32le(1), u32le(value)]);
      const text = Buffer.from(`${value}\0`);
      const padded = text.length > 4 ? text : Buffer.concat([text, Buffer.alloc(4 - text.length)]);
      if (text.length <= 4) return Buffer.concat([u16le(tag), u16le(2), u32le(text.length), padded]);
      extra.push(text);
      const row = Buffer.concat([u16le(tag), u16le(2), u32le(text.length), u32le(extraAt)]);
      extraAt += text.length;
      return row;
    });
  return Buffer.concat([Buffer.from('II*\0'), u32le(8), u16le(tags.length), ...rows, u32le(0), ...extra]);
}

function bmp(): Buffer {
  return Buffer.concat([
    Buffer.from('BM'),
    u32le(54 + 16),
    u32le(0),
    u32le(54),
    u32le(40),
    u32le(2),
    u32le(2),
    u16le(1),
    u16le(24),
    Buffer.alloc(24),
    Buffer.alloc(16),
  ]);
}

function icon(): Buffer {
  const entry = (size: number) => Buffer.concat([Buffer.from([size, size, 0, 0]), u16le(1), u16le(32), u32le(4), u32le(38)]);
  return Buffer.concat([u16le(0), u16le(1), u16le(2), entry(16), entry(32), Buffer.alloc(8)]);
}

function psd(): Buffer {
  const head = Buffer.concat([Buffer.from('8BPS'), u16be(1), Buffer.alloc(6), u16be(3), u32be(30), u32be(40), u16be(8), u16be(3)]);
  return Buffer.concat([head, u32be(0), u32be(0), u32be(6), u32be(2), u16be(5), Buffer.alloc(64)]);
}

function dicom(): Buffer {
  const element = (group: number, tag: number, form: string, value: Buffer) =>
    Buffer.concat([u16le(group), u16le(tag), Buffer.from(form), u16le(value.length), value]);
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(2, 0x10, 'UI', Buffer.from('1.2.840.10008.1.2.1\0')),
    element(8, 0x60, 'CS', Buffer.from('CT')),
    element(0x10, 0x10, 'PN', Buffer.from('Doe^John')),
    element(0x28, 0x10, 'US', u16le(512)),
    element(0x28, 0x11, 'US', u16le(256)),
  ]);
}

/** A JPEG with an XMP block. */
async function jpegWithXmp(): Promise<Buffer> {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbour at dawn</rdf:li></rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>harbour</rdf:li><rdf:li>dawn</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
  const body = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(xmp)]);
  const plain = await photo().jpeg().toBuffer();
  return Buffer.concat([plain.subarray(0, 2), u16be(0xffe1), u16be(body.length + 2), body, plain.subarray(2)]);
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" viewBox="0 0 200 100" height="50"><title>Plan</title><text x="1" y="9">ground floor</text></svg>';
const raw: [number, string | number][] = [
  [0x100, 6000],
  [0x101, 4000],
  [0x10f, 'NIKON CORPORATION'],
  [0x110, 'NIKON Z 6'],
  [0x9003, '2023:01:02 03:04:05'],
];

/** A Fujifilm raw file, whose header points to a complete JPEG. */
async function rafFile(): Promise<Buffer> {
  const jpeg = await photo().jpeg().toBuffer();
  const head = Buffer.alloc(148);
  head.write('FUJIFILMCCD-RAW 0201');
  u32be(148).copy(head, 84);
  u32be(jpeg.length).copy(head, 88);
  return Buffer.concat([head, jpeg]);
}

/** A Canon CR3 file, which stores tag blocks in MP4-style boxes. */
function cr3File(): Buffer {
  const block = makeTiff([
    [0x10f, 'Canon'],
    [0x110, 'Canon EOS R6'],
    [0x100, 5472],
    [0x101, 3648],
    [0x9003, '2023:01:02 03:04:05'],
  ]);
  const tags = Buffer.concat([u32be(block.length + 8), Buffer.from('CMT1'), block]);
  const inner = Buffer.concat([u32be(tags.length + 24), Buffer.from('uuid'), Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'), tags]);
  return Buffer.concat([
    u32be(24),
    Buffer.from('ftypcrx '),
    u32be(1),
    Buffer.from('crx isom'),
    u32be(inner.length + 8),
    Buffer.from('moov'),
    inner,
    Buffer.alloc(64),
  ]);
}

export const imageSamples: readonly Sample[] = [
  {
    extractor: 'image',
    filename: 'photo.jpg',
    build: () => photo().jpeg().toBuffer(),
    expected: { width: 64, height: 48, format: 'JPEG', mode: 'RGB', ...expectedExif },
  },
  {
    extractor: 'image',
    filename: 'tagged.jpeg',
    build: jpegWithXmp,
    expected: { keywords: ['harbour', 'dawn'], rating: 4 },
    title: 'Harbour at dawn',
  },
  {
    extractor: 'image',
    filename: 'photo.png',
    build: () => photo().png().toBuffer(),
    expected: { format: 'PNG', width: 64, ...expectedExif },
  },
  { extractor: 'image', filename: 'photo.webp', build: () => photo().webp().toBuffer(), expected: { format: 'WEBP', ...expectedExif } },
  {
    extractor: 'image',
    filename: 'photo.avif',
    build: () => photo().avif({ effort: 0 }).toBuffer(),
    expected: { format: 'AVIF', ...expectedExif },
  },
  { extractor: 'image', filename: 'scan.tif', build: () => photo().tiff().toBuffer(), expected: { format: 'TIFF', width: 64 } },
  { extractor: 'image', filename: 'moving.gif', build: animatedGif, expected: { format: 'GIF', animated: true, frames: 3, duration: 0.3 } },
  { extractor: 'image', filename: 'gray.jpg', build: () => photo().toColourspace('b-w').jpeg().toBuffer(), expected: { mode: 'L' } },
  { extractor: 'image', filename: 'a.bmp', build: bmp, expected: { width: 2, height: 2, format: 'BMP' } },
  { extractor: 'image', filename: 'a.ico', build: icon, expected: { width: 32, height: 32, icon_sizes: ['16x16', '32x32'] } },
  { extractor: 'image', filename: 'a.psd', build: psd, expected: { width: 40, height: 30, layers: 5, mode: 'RGB' } },
  {
    extractor: 'image',
    filename: 'a.jxl',
    build: () => Buffer.from('ff0a7f00000000000000000000000000000000', 'hex'),
    expected: { format: 'JXL', height: 256, width: 256 },
  },
  {
    extractor: 'image',
    filename: 'a.ppm',
    build: () => Buffer.from('P6\n# by hand\n3 2\n255\n123456789012345678'),
    expected: { width: 3, height: 2, mode: 'RGB' },
  },
  {
    extractor: 'image',
    filename: 'a.qoi',
    build: () => Buffer.concat([Buffer.from('qoif'), u32be(7), u32be(9), Buffer.from([4, 0]), Buffer.alloc(16)]),
    expected: { width: 7, height: 9, mode: 'RGBA' },
  },
  {
    extractor: 'image',
    filename: 'a.hdr',
    build: () => Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 5 +X 6\nxxxxxxxxxxxx'),
    expected: { width: 6, height: 5 },
  },
  {
    extractor: 'image',
    filename: 'a.tga',
    build: () =>
      Buffer.concat([Buffer.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]), u16le(4), u16le(3), Buffer.from([24, 0]), Buffer.alloc(36)]),
    expected: { width: 4, height: 3 },
  },
  { extractor: 'image', filename: 'scan.dcm', build: dicom, expected: { width: 256, height: 512, dicom: { modality: 'CT' } } },
  {
    extractor: 'image',
    filename: 'plan.svg',
    build: () => Buffer.from(svg),
    expected: { height: 50, width: 37.8 },
    title: 'Plan',
    word: 'ground',
  },
  {
    extractor: 'image',
    filename: 'shot.nef',
    build: () => makeTiff(raw),
    expected: { width: 6000, height: 4000, camera: 'Nikon Z 6', taken_at: '2023-01-02T03:04:05', format: 'NEF' },
  },
  {
    extractor: 'image',
    filename: 'a.pcx',
    build: () => Buffer.concat([Buffer.from([10, 5, 1, 8]), u16le(0), u16le(0), u16le(9), u16le(4), Buffer.alloc(120)]),
    expected: { width: 10, height: 5 },
  },
  {
    extractor: 'image',
    filename: 'a.xbm',
    build: () => Buffer.from('#define a_width 16\n#define a_height 8\nstatic char a_bits[] = {0};\n'),
    expected: { format: 'XBM', width: 16, height: 8 },
  },
  {
    extractor: 'image',
    filename: 'a.xpm',
    build: () => Buffer.from('/* XPM */\nstatic char *a[] = {\n"4 3 1 1",\n"a c #000",\n};\n'),
    expected: { format: 'XPM', width: 4, height: 3 },
  },
  {
    extractor: 'image',
    filename: 'a.xcf',
    build: () => Buffer.concat([Buffer.from('gimp xcf v011\0'), u32be(20), u32be(30), u32be(0), Buffer.alloc(64)]),
    expected: { format: 'XCF', width: 20, height: 30 },
  },
  {
    extractor: 'image',
    filename: 'a.icns',
    build: () => Buffer.concat([Buffer.from('icns'), u32be(24), Buffer.from('ic07'), u32be(16), Buffer.alloc(8)]),
    expected: { width: 128, icon_sizes: ['128x128'] },
  },
  {
    extractor: 'image',
    filename: 'a.fits',
    build: () =>
      Buffer.from(
        [
          'SIMPLE  =                    T',
          'BITPIX  =                   16',
          'NAXIS   =                    2',
          'NAXIS1  =                  300',
          'NAXIS2  =                  200',
          'END',
        ]
          .map((card) => card.padEnd(80))
          .join('')
          .padEnd(2880),
      ),
    expected: { width: 300, height: 200, bit_depth: 16 },
  },
  {
    extractor: 'image',
    filename: 'a.emf',
    build: () =>
      Buffer.concat([
        u32le(1),
        u32le(88),
        u32le(0),
        u32le(0),
        u32le(50),
        u32le(40),
        Buffer.alloc(16),
        Buffer.from(' EMF'),
        Buffer.alloc(44),
      ]),
    expected: { format: 'EMF', width: 50, height: 40 },
  },
  {
    extractor: 'image',
    filename: 'phone.heic',
    build: () => heicPhoto,
    expected: { format: 'HEIC', width: 64, height: 48, camera: 'Apple iPhone 15' },
  },
  {
    extractor: 'image',
    filename: 'upright.heic',
    build: uprightHeicPhoto,
    expected: { format: 'HEIC', width: 48, height: 64, exif: { orientation: 6 } },
  },
  {
    extractor: 'image',
    filename: 'plain.heif',
    build: () => makeUncompressedHeif({ width: 6, height: 4, components: [[0, 8, 0]], interleave: 0, data: Buffer.alloc(24, 120) }),
    expected: { format: 'HEIF', width: 6, height: 4 },
  },
  { extractor: 'image', filename: 'shot.raf', build: rafFile, expected: { camera: 'Canon EOS R5', width: 64, height: 48 } },
  { extractor: 'image', filename: 'shot.cr3', build: cr3File, expected: { camera: 'Canon EOS R6', taken_at: '2023-01-02T03:04:05' } },
  {
    extractor: 'image',
    filename: 'drawn.svg',
    build: () =>
      Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;" width="20" height="10"/>',
      ),
    expected: { width: 20, height: 10 },
  },
];
