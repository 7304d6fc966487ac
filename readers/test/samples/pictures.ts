/** Pictures, and files that contain them, of a landscape with a blue top and a green lower middle, which tests can check. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeZip } from './archives.ts';

export const landscapeSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="#2b6cb0"/>
<rect y="500" width="1200" height="300" fill="#22543d"/><circle cx="850" cy="330" r="110" fill="#fffaf0"/></svg>`;

/** The landscape as an encoded picture, 1200 by 800 by default. */
export async function landscape(format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' = 'jpeg', width = 1200): Promise<Buffer> {
  return sharp(Buffer.from(landscapeSvg))
    .resize(width)
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer();
}

/** A JPEG with an Exif orientation of 90 degrees. */
export async function turnedLandscape(): Promise<Buffer> {
  return sharp(await landscape())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** A minimal raw photo: a TIFF directory that points to a JPEG preview. */
export function makeRawPhoto(preview: Buffer, previewBytes = preview.length, orientation = 1): Buffer {
  const head = Buffer.alloc(8 + 2 + 36 + 4);
  head.write('II*\0', 0, 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(3, 8);
  for (const [i, [tag, value]] of [
    [0x112, orientation],
    [0x201, head.length],
    [0x202, previewBytes],
  ].entries() as IterableIterator<[number, [number, number]]>) {
    head.writeUInt16LE(tag, 10 + i * 12);
    head.writeUInt16LE(4, 12 + i * 12);
    head.writeUInt32LE(1, 14 + i * 12);
    head.writeUInt32LE(value, 18 + i * 12);
  }
  return Buffer.concat([head, preview]);
}

export function makeEpub(cover: Buffer, href = 'img/my%20cover.jpg', stored = 'OEBPS/img/my cover.jpg'): Buffer {
  const manifest = `<item id="t" href="t.xhtml" media-type="application/xhtml+xml"/><item id="c" href="${href}" media-type="image/jpeg"/>`;
  return makeZip([
    { name: 'mimetype', data: 'application/epub+zip', store: true },
    { name: 'META-INF/container.xml', data: '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>' },
    {
      name: 'OEBPS/content.opf',
      data: `<package><metadata><meta name="cover" content="c"/></metadata><manifest>${manifest}</manifest></package>`,
    },
    { name: stored, data: cover },
  ]);
}

export function makeFictionBook(cover: Buffer): string {
  return `<FictionBook><description><title-info><coverpage><image l:href="#c.jpg"/></coverpage></title-info></description><binary id="c.jpg" content-type="image/jpeg">${cover.toString('base64')}</binary></FictionBook>`;
}

/** A PDF page with a black bar near its top. */
export function makeBarPdf(): Buffer {
  const content = '0 g 50 750 400 40 re f';
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>endobj\n4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj\ntrailer<</Root 1 0 R>>\n`,
    'latin1',
  );
}

/** A silent MP3 with a cover in its tag. */
export function makeMp3WithCover(cover: Buffer): Buffer {
  const picture = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), cover]);
  const size = (value: number): Buffer => Buffer.from([(value >> 21) & 0x7f, (value >> 14) & 0x7f, (value >> 7) & 0x7f, value & 0x7f]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(picture.length);
  const frame = Buffer.concat([Buffer.from('APIC'), length, Buffer.alloc(2), picture]);
  const silence = Buffer.concat(
    Array.from({ length: 10 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)])),
  );
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size(frame.length), frame, silence]);
}

/** A PNG that declares more pixels than it has. */
export function makeEmptyPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A Kindle book with two records: the header and the cover it refers to. */
export function makeKindleBook(cover: Buffer): Buffer {
  const extended = Buffer.alloc(24);
  extended.write('EXTH', 0, 'latin1');
  extended.writeUInt32BE(24, 4);
  extended.writeUInt32BE(1, 8);
  extended.writeUInt32BE(201, 12);
  extended.writeUInt32BE(12, 16);
  extended.writeUInt32BE(0, 20);
  const header = Buffer.alloc(16 + 232);
  header.write('MOBI', 16, 'latin1');
  header.writeUInt32BE(232, 20);
  header.writeUInt32BE(1, 108);
  header.writeUInt32BE(0x40, 128);
  const first = Buffer.concat([header, extended]);
  const head = Buffer.alloc(78 + 16);
  head.write('BOOKMOBI', 60, 'latin1');
  head.writeUInt16BE(2, 76);
  head.writeUInt32BE(head.length, 78);
  head.writeUInt32BE(head.length + first.length, 86);
  return Buffer.concat([head, first, cover]);
}

/** A Blender file with only a preview, blue above green, stored bottom-up. */
export function makeBlend(width = 16, height = 16, declaredHeight = height): Buffer {
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(y < height / 2 ? [34, 84, 61] : [43, 108, 176], (y * width + x) * 4);
  }
  const block = Buffer.alloc(24 + 8);
  block.write('TEST', 0, 'latin1');
  block.writeUInt32LE(8 + pixels.length, 4);
  block.writeUInt32LE(width, 24);
  block.writeUInt32LE(declaredHeight, 28);
  return Buffer.concat([Buffer.from('BLENDER-v293'), block, pixels]);
}
