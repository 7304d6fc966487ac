/** Files that claim more than they hold: pixels, triangles, chunks, records, messages, pages; and structures that lead in a circle. */
import sharp from 'sharp';
import { makeCompoundFile } from '../samples/compound-files.ts';
import { makeTiff } from '../samples/images.ts';
import { boxMesh, makeBinaryStl, makeGlb } from '../samples/meshes.ts';
import { u16be, u16le, u32be, u32le } from '../samples/sample.ts';
import { makeMp3, makeWav } from '../samples/sounds.ts';
import { makeMbox } from '../samples/texts.ts';
import type { HostileCase } from './hostile-case.ts';

const png = () =>
  sharp({ create: { width: 2, height: 2, channels: 3, background: '#000' } })
    .png()
    .toBuffer();

/** The size in a PNG header, set to whatever is wanted; the checksum is left wrong on purpose. */
async function pngOf(width: number, height: number): Promise<Buffer> {
  const bytes = await png();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
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

const pixels: HostileCase[] = [
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
];

const meshes: HostileCase[] = [
  {
    family: 'meshes',
    name: 'STL of 4 billion triangles',
    filename: 'claim.stl',
    build: () => makeBinaryStl(boxMesh(), 0xffffffff),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'PLY of 9 billion vertices',
    filename: 'claim.ply',
    build: () =>
      Buffer.from(
        'ply\nformat binary_little_endian 1.0\nelement vertex 9000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 9000000000\nproperty list uchar int vertex_indices\nend_header\n',
      ),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'OFF of 9 billion faces',
    filename: 'claim.off',
    build: () => Buffer.from('OFF\n9000000000 9000000000 0\n0 0 0\n'),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'OBJ whose faces name no points',
    filename: 'claim.obj',
    build: () => Buffer.from('v 0 0 0\nf 999999999 999999998 999999997\n'.repeat(1000)),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'glTF of 9 billion vertices',
    filename: 'claim.glb',
    build: () =>
      makeGlb(boxMesh(), (document) => {
        for (const accessor of document['accessors'] as { count: number }[]) accessor.count = 9_000_000_000;
      }),
    endings: ['corrupt', 'guard', 'result'],
  },
  {
    family: 'meshes',
    name: 'glTF that cuts its own text',
    filename: 'cut.glb',
    build: () => Buffer.concat([Buffer.from('glTF'), u32le(2), u32le(0xffffffff), u32le(0xfffffff0), Buffer.from('JSON{')]),
    endings: ['corrupt', 'guard'],
  },
];

const id3 = (claim: number[]) =>
  Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(claim), Buffer.from('TIT2'), u32be(0x7fffffff), Buffer.alloc(64)]);

const sounds: HostileCase[] = [
  {
    family: 'sounds',
    name: 'tag that claims 256 MB',
    filename: 'claim.mp3',
    build: () => id3([127, 127, 127, 127]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'tag in front of music that claims 200 MB',
    filename: 'claim2.mp3',
    build: () => Buffer.concat([id3([96, 0, 0, 0]), makeMp3()]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'picture that claims 16 MB',
    filename: 'claim.flac',
    build: () =>
      Buffer.concat([
        Buffer.from('fLaC'),
        Buffer.from([0, 0, 0, 34]),
        Buffer.alloc(34, 1),
        Buffer.from([0x86, 255, 255, 255]),
        u32be(3),
        u32be(0xffffffff),
        Buffer.alloc(64),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'wave whose chunk claims 4 GB',
    filename: 'claim.wav',
    build: () => {
      const bytes = makeWav();
      bytes.writeUInt32LE(0xfffffff0, 16);
      return bytes;
    },
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'wave of chunks without length',
    filename: 'zero.wav',
    build: () => Buffer.concat([Buffer.from('RIFF'), u32le(0xffffffff), Buffer.from('WAVE'), Buffer.alloc(400_000)]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'mp4 of boxes inside boxes',
    filename: 'boxes.m4a',
    build: () =>
      Buffer.concat([
        u32be(16),
        Buffer.from('ftypM4A isom'),
        ...Array.from({ length: 20_000 }, () => Buffer.concat([u32be(0x7fffffff), Buffer.from('moov')])),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'mp4 of boxes without length',
    filename: 'boxes.mp4',
    build: () =>
      Buffer.concat([
        u32be(16),
        Buffer.from('ftypisomisom'),
        ...Array.from({ length: 5000 }, () => Buffer.concat([u32be(8), Buffer.from('moov')])),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'playlist that leads to another file',
    filename: 'lead.mp4',
    build: () => Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
    endings: ['corrupt'],
  },
  {
    family: 'sounds',
    name: 'list of files to join',
    filename: 'lead.mkv',
    build: () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    endings: ['corrupt'],
  },
  {
    family: 'sounds',
    name: 'description that leads to the network',
    filename: 'lead.mov',
    build: () => Buffer.from('<?xml version="1.0"?><MPD><BaseURL>http://127.0.0.1/x</BaseURL></MPD>'),
    endings: ['corrupt'],
  },
];

const pdfOf = (objects: readonly string[], trailer = '<< /Root 1 0 R >>'): Buffer =>
  Buffer.from(
    `%PDF-1.4\n${objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('')}trailer\n${trailer}\nstartxref\n0\n%%EOF\n`,
  );

const documents: HostileCase[] = [
  {
    family: 'circles',
    name: 'PDF whose page tree holds itself',
    filename: 'self.pdf',
    build: () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>']),
    endings: ['result', 'corrupt', 'guard', 'timeout'],
  },
  {
    family: 'circles',
    name: 'PDF whose objects refer to each other',
    filename: 'pair.pdf',
    build: () => pdfOf(['2 0 R', '1 0 R']),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF that claims 2 billion pages',
    filename: 'pages.pdf',
    build: () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
    endings: ['result', 'corrupt', 'guard', 'timeout'],
  },
  {
    family: 'circles',
    name: 'PDF whose table of objects leads back to itself',
    filename: 'prev.pdf',
    build: () =>
      Buffer.from('%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R /Prev 9 /Size 9999999 >>\nstartxref\n9\n%%EOF\n'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF whose form draws itself',
    filename: 'form.pdf',
    build: () => loopingForm('/F Do', '/XObject << /F 5 0 R >>', '/Type /XObject /Subtype /Form /BBox [0 0 100 100]'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF whose pattern is painted with itself',
    filename: 'pattern.pdf',
    build: () =>
      loopingForm(
        '/Pattern cs /F scn 0 0 100 100 re f',
        '/Pattern << /F 5 0 R >>',
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 1 /YStep 1',
      ),
    endings: ['result', 'corrupt', 'timeout'],
    seconds: 4,
  },
  {
    family: 'circles',
    name: 'PDF nested 100,000 deep',
    filename: 'deep.pdf',
    build: () => pdfOf([`<< /Type /Catalog /Pages ${'['.repeat(100_000)} >>`]),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'circles',
    name: 'compound file whose chains bite their tails',
    filename: 'tail.doc',
    build: () => {
      const bytes = makeCompoundFile({ WordDocument: Buffer.alloc(9000, 1), '0Table': Buffer.alloc(9000, 1) });
      return Buffer.from(bytes.map((byte, i) => (i > bytes.length - 512 ? 0 : byte)));
    },
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'compound file whose folders lead in a circle',
    filename: 'folders.msg',
    build: () => {
      const bytes = makeCompoundFile({ '__properties_version1.0': Buffer.alloc(64) });
      const at = bytes.indexOf(Buffer.from('Root Entry', 'utf16le'));
      bytes.writeUInt32LE(0, at + 76);
      return bytes;
    },
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'workbook whose records lie',
    filename: 'lie.xls',
    build: () =>
      makeCompoundFile({
        Workbook: Buffer.concat([
          u16le(0xfc),
          u16le(20),
          u32le(0xffffffff),
          u32le(0xffffffff),
          u16le(0xffff),
          Buffer.from([0x0d]),
          u16le(0xffff),
          u32le(0xffffffff),
          Buffer.alloc(8000, 0xff),
        ]),
      }),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'slides whose records lie',
    filename: 'lie.ppt',
    build: () =>
      makeCompoundFile({ 'PowerPoint Document': Buffer.concat([u16le(0), u16le(4000), u32le(0xffffffff), Buffer.alloc(8000, 0x41)]) }),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'book of 65,535 records',
    filename: 'claim.mobi',
    build: () => {
      const bytes = Buffer.alloc(4096);
      bytes.write('BOOKMOBI', 60);
      bytes.writeUInt16BE(65_535, 76);
      return bytes;
    },
    endings: ['corrupt'],
  },
];

const message = (headers: string, body = '') => Buffer.from(`From: a@b.c\nSubject: x\n${headers}\n\n${body}`);
const deepParts = (depth: number) =>
  Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\n\n--b${i}\n`).join('');

const mail: HostileCase[] = [
  {
    family: 'mail',
    name: 'mailbox of a million messages',
    filename: 'million.mbox',
    build: () => Buffer.from('From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\ny\n\n'.repeat(1_000_000)),
    endings: ['result'],
  },
  { family: 'mail', name: 'mailbox of 20,000 whole messages', filename: 'many.mbox', build: () => makeMbox(20_000), endings: ['result'] },
  {
    family: 'mail',
    name: 'mailbox of one line',
    filename: 'line.mbox',
    build: () => Buffer.from(`From ${'x'.repeat(30_000_000)}`),
    endings: ['result', 'guard'],
  },
  {
    family: 'mail',
    name: 'message of 20,000 parts inside each other',
    filename: 'deep.eml',
    build: () => message('', deepParts(20_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'multipart nested 20,000 deep from the top',
    filename: 'deeper.eml',
    build: () => Buffer.from(`From: a@b.c\n${deepParts(20_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'header of 20 MB',
    filename: 'header.eml',
    build: () => message(`X-Long: ${'x'.repeat(20_000_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '200,000 headers',
    filename: 'headers.eml',
    build: () => message('X: y\n'.repeat(200_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '100,000 recipients',
    filename: 'to.eml',
    build: () => message(`To: ${'a@b.c, '.repeat(100_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '20,000 attachments',
    filename: 'parts.eml',
    build: () =>
      message('Content-Type: multipart/mixed; boundary="b"', '--b\nContent-Disposition: attachment; filename="a"\n\nx\n'.repeat(20_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'data file that is nothing but its mark',
    filename: 'mark.pst',
    build: () => Buffer.concat([Buffer.from('!BDN'), Buffer.alloc(4096)]),
    endings: ['corrupt', 'result'],
  },
  {
    family: 'mail',
    name: 'data file of random numbers',
    filename: 'random.pst',
    build: () => {
      const bytes = Buffer.alloc(65_536);
      for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 167 + (i >> 8) * 31) & 255;
      bytes.write('!BDN');
      bytes[10] = 23;
      return bytes;
    },
    endings: ['corrupt', 'guard', 'result', 'timeout'],
  },
];

const lines: HostileCase[] = [
  { family: 'text', name: 'one line of 40 MB', filename: 'line.txt', build: () => Buffer.alloc(40_000_000, 0x61), endings: ['result'] },
  { family: 'text', name: '20 million empty lines', filename: 'lines.txt', build: () => Buffer.alloc(20_000_000, 10), endings: ['result'] },
  {
    family: 'text',
    name: 'a row of 20 million cells',
    filename: 'cells.csv',
    build: () => Buffer.alloc(20_000_000, 0x2c),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'a quote that never ends',
    filename: 'quote.csv',
    build: () => Buffer.from(`a,b\n"${'x,'.repeat(5_000_000)}`),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'spaces after a heading mark',
    filename: 'heading.md',
    build: () => Buffer.from(`# ${' '.repeat(5_000_000)}x`),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'nothing but 0xFF',
    filename: 'ff.txt',
    build: () => Buffer.alloc(1_000_000, 0xff),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'text',
    name: 'broken UTF-8',
    filename: 'broken.txt',
    build: () => Buffer.from('\xf0\x28\x8c\x28\xed\xa0\x80'.repeat(50_000), 'latin1'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'text',
    name: 'lone surrogates',
    filename: 'lone.txt',
    build: () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(100_000, 0xd8)]),
    endings: ['result'],
  },
];

/** One page that draws object 5, which draws itself. */
function loopingForm(draw: string, resources: string, kind: string): Buffer {
  const stream = (dictionary: string, text: string): string => `<< ${dictionary} /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream('', draw),
    stream(`${kind} /Resources << ${resources} >>`, `${draw} ${draw}`),
  ];
  return pdfOf(objects);
}

export const claims: readonly HostileCase[] = [...pixels, ...meshes, ...sounds, ...documents, ...mail, ...lines];
