/** Pictures of drawings, icons and documents, all without a system tool. */
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makeZip } from '../../test/samples/archives.ts';
import { makeCompoundFile, makePropertySet } from '../../test/samples/compound-files.ts';
import * as pictures from '../../test/samples/pictures.ts';
import { u32be } from '../../test/samples/sample.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { renderTiers } from './thumbnails.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const draw = (name: string, bytes: Buffer | string) => renderTiers(samples.source(name, bytes), { gridPx: 320, previewPx: 800 });

/** Pixels of the preview, and the share of them that is dark. */
async function inkOf(picture: Buffer) {
  const { data, info } = await sharp(picture).flatten({ background: 'white' }).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, ink: data.filter((value) => value < 100).length / data.length };
}
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const i32 = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

/** A bitmap of 2 x 2 pixels in 24 bits, black above white. Rows are stored from the bottom. */
const bitmap = Buffer.concat([
  u32(40),
  i32(2, 2),
  Buffer.from([1, 0, 24, 0]),
  Buffer.alloc(24),
  Buffer.from([255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
]);

describe('thumbnails in a plain install', () => {
  it('of an SVG whose size is given in centimetres are drawn at the requested size', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1cm" height="1cm"><rect width="1cm" height="0.5cm"/></svg>';
    const { width, height, ink } = await inkOf((await draw('square.svg', svg))!.preview);
    expect(width).toBeGreaterThan(600);
    expect(height).toBe(width);
    expect(ink).toBeCloseTo(0.5, 1);
  });

  it('of icons of macOS are the largest PNG, or else the old picture with its mask', async () => {
    const part = (type: string, data: Buffer) => Buffer.concat([Buffer.from(type), u32be(data.length + 8), data]);
    const icon = (...parts: Buffer[]) => {
      const body = Buffer.concat(parts);
      return Buffer.concat([Buffer.from('icns'), u32be(body.length + 8), body]);
    };
    const png = await pictures.landscape('png', 128);
    expect(await sharp((await draw('app.icns', icon(part('ic07', png))))!.grid).metadata()).toMatchObject({ width: 128 });
    // 256 values of each colour in runs of 128: all red, no green, no blue.
    const old = Buffer.from([255, 0, 0].flatMap((value) => [0xfd, value, 0xfd, value]));
    const drawn = (await draw('old.icns', icon(part('is32', old), part('s8mk', Buffer.alloc(256, 255)))))!;
    const { data, info } = await sharp(drawn.grid).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([16, 16]);
    expect(data[0]).toBeGreaterThan(200);
    expect(data[2]).toBeLessThan(60);
  });

  it('of EPS files are the TIFF, the XMP picture or the bitmap that they contain', async () => {
    const tiff = await pictures.landscape('tiff', 200);
    const program = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n');
    const head = Buffer.concat([
      Buffer.from('c5d0d3c6', 'hex'),
      u32(30),
      u32(program.length),
      u32(0),
      u32(0),
      u32(30 + program.length),
      u32(tiff.length),
      Buffer.from([255, 255]),
    ]);
    expect(await sharp((await draw('dos.eps', Buffer.concat([head, program, tiff])))!.grid).metadata()).toMatchObject({ width: 200 });
    const jpeg = (await pictures.landscape('jpeg', 100)).toString('base64').replace(/(.{76})/g, '$1&#xA;');
    const adobe = `%!PS-Adobe-3.0 EPSF-3.0\n<x:xmpmeta><xmpGImg:image>${jpeg}</xmpGImg:image></x:xmpmeta>\nshowpage\n`;
    expect(await sharp((await draw('adobe.eps', adobe))!.grid).metadata()).toMatchObject({ width: 100 });
    const rows = `%!PS-Adobe-2.0 EPSF-2.0\n%%BeginPreview: 16 2 1 2\n% FF00\n% FF00\n%%EndPreview\nshowpage\n`;
    expect(await inkOf((await draw('rows.epsi', rows))!.grid)).toMatchObject({ width: 16, height: 2, ink: 0.5 });
    expect(await draw('plain.eps', program)).toBeNull();
  });

  it('of DWG drawings are the bitmap or PNG that AutoCAD stored', async () => {
    const drawing = (kind: number, preview: Buffer) =>
      Buffer.concat([
        Buffer.from('AC1015\0\0\0\0\0\0\0', 'latin1'),
        u32(17),
        Buffer.from('1f256d07d43628289d57ca3f9d44102b', 'hex'),
        u32(10 + preview.length),
        Buffer.from([1, kind]),
        u32(17 + 21 + 9),
        u32(preview.length),
        preview,
      ]);
    const { data, info } = await sharp((await draw('part.dwg', drawing(2, bitmap)))!.grid)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([2, 2]);
    expect(data[0]).toBeLessThan(data[6]! - 100);
    const png = await pictures.landscape('png', 64);
    expect(await sharp((await draw('new.dwg', drawing(6, png)))!.grid).metadata()).toMatchObject({ width: 64 });
    expect(await draw('none.dwg', Buffer.concat([Buffer.from('AC1015\0\0\0\0\0\0\0', 'latin1'), u32(17), Buffer.alloc(40)]))).toBeNull();
  });

  it('of DXF drawings show their lines, and those of blocks where they are inserted', async () => {
    const line = (x1: number, y1: number, x2: number, y2: number) => `0\nLINE\n10\n${x1}\n20\n${y1}\n11\n${x2}\n21\n${y2}\n`;
    const dxf = `0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB\n${line(0, 0, 10, 0)}0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${line(0, 0, 100, 0)}0\nCIRCLE\n10\n50\n20\n25\n40\n20\n0\nINSERT\n2\nB\n10\n0\n20\n50\n41\n10\n0\nENDSEC\n0\nEOF\n`;
    const { width, height, ink } = await inkOf((await draw('plan.dxf', dxf))!.preview);
    // 100 by 50 units: the block, ten times as wide, is the upper border.
    expect(width / height).toBeCloseTo(1.96, 1);
    expect(ink).toBeGreaterThan(0.003);
    expect(await draw('empty.dxf', '0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n')).toBeNull();
  });

  it('of Windows metafiles replay their drawing calls', async () => {
    const record = (code: number, ...words: number[]) => {
      const body = Buffer.from(Int16Array.from(words).buffer);
      return Buffer.concat([u32(3 + words.length), Buffer.from(Uint16Array.of(code).buffer), body]);
    };
    const records = Buffer.concat([
      record(0x020b, 0, 0),
      record(0x020c, 100, 200),
      record(0x02fc, 0, 0, 0, 0),
      record(0x012d, 0),
      record(0x041b, 100, 100, 0, 0),
      record(0),
    ]);
    const header = Buffer.from(Uint16Array.of(1, 9, 0x300, (18 + records.length) / 2, 0, 1, 7, 0, 0).buffer);
    const placeable = Buffer.from(Uint16Array.of(0xcdd7, 0x9ac6, 0, 0, 0, 200, 100, 96, 0, 0).buffer);
    const words = Array.from({ length: 10 }, (_, i) => placeable.readUInt16LE(i * 2));
    const checksum = Buffer.from(Uint16Array.of(words.reduce((sum, word) => sum ^ word, 0)).buffer);
    const { ink } = await inkOf((await draw('half.wmf', Buffer.concat([placeable, checksum, header, records])))!.preview);
    expect(ink).toBeGreaterThan(0.3);
    expect(ink).toBeLessThan(0.7);
  });

  it('of documents without a stored preview show their first page in letters of a shipped font', async () => {
    const paragraphs = ['Quarterly report', 'Sales grew in every region of the country.'].map(
      (text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`,
    );
    const docx = (text: string) => makeZip([{ name: 'word/document.xml', data: `<w:document><w:body>${text}</w:body></w:document>` }]);
    const page = await inkOf((await draw('report.docx', docx(paragraphs.join(''))))!.grid);
    expect(page.height).toBeGreaterThan(page.width);
    expect(page.ink).toBeGreaterThan(0.004);
    // Different letters give different pictures, which boxes in place of them would not.
    const [a, b] = await Promise.all(
      ['iiii', 'WWWW'].map(async (text) => inkOf((await draw(`${text}.docx`, docx(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)))!.preview)),
    );
    expect(b!.ink).toBeGreaterThan(a!.ink * 2);
    expect(await draw('empty.docx', docx(''))).toBeNull();
    const flat = '<office:document><office:body><text:p>Flat page</text:p></office:body></office:document>';
    for (const [name, bytes] of [
      ['form.dotm', docx(paragraphs.join(''))],
      ['flat.fodt', flat],
    ] as const)
      expect((await inkOf((await draw(name, bytes))!.grid)).ink, name).toBeGreaterThan(0.002);
    const rtf = await inkOf((await draw('letter.rtf', '{\\rtf1 Dear reader, this is a letter.}'))!.grid);
    expect(rtf.ink).toBeGreaterThan(0.002);
  });
});

it('a document that holds pictures only shows the largest', async () => {
  const picture = async (edge: number, background: string) =>
    sharp({ create: { width: edge, height: edge, channels: 3, background } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  const scan = makeZip([
    { name: 'word/document.xml', data: '<w:document><w:body><w:p/></w:body></w:document>' },
    { name: 'word/media/image1.png', data: await picture(8, 'white') },
    { name: 'word/media/image2.png', data: await picture(64, 'black') },
    { name: 'word/media/image3.bin', data: Buffer.alloc(50_000) },
  ]);
  expect(await inkOf((await draw('scan.docx', scan))!.preview)).toMatchObject({ width: 64, ink: 1 });
  const broken = makeZip([
    { name: 'word/document.xml', data: '<w:document/>' },
    { name: 'word/media/image1.png', data: 'no picture' },
  ]);
  expect(await draw('broken.docx', broken)).toBeNull();
});

describe('previews in the summary of a compound file', () => {
  const clipboard = (format: number, ...parts: Buffer[]): Buffer => Buffer.concat([u32(format), ...parts]);
  const withPreview = (stream: string, preview: Buffer): Buffer =>
    makeCompoundFile({ [stream]: Buffer.alloc(600), '\u0005SummaryInformation': makePropertySet({ 17: preview }) });

  it('are the pictures of Visio, Publisher and other files', async () => {
    for (const name of ['plan.vsd', 'flyer.pub', 'schedule.mpp', 'part.sldprt']) {
      const drawn = await draw(name, withPreview('VisioDocument', clipboard(8, bitmap)));
      expect((await inkOf(drawn!.preview)).ink, name).toBeCloseTo(0.5, 1);
    }
  });

  it('are preferred to the first page of an old document, and a damaged or blank one is ignored', async () => {
    expect((await inkOf((await draw('a.doc', withPreview('WordDocument', clipboard(8, bitmap))))!.preview)).width).toBe(2);
    const blank = Buffer.concat([bitmap.subarray(0, 40), Buffer.alloc(16, 255)]);
    expect(await draw('d.vsd', withPreview('VisioDocument', clipboard(8, blank)))).toBeNull();
    expect(await draw('b.vsd', withPreview('VisioDocument', clipboard(8, bitmap.subarray(0, 50))))).toBeNull();
    expect(await draw('c.vsd', withPreview('VisioDocument', clipboard(14, Buffer.from('no metafile'))))).toBeNull();
    expect(await draw('id_rsa.pub', 'ssh-ed25519 AAAA')).toBeNull();
  });
});

describe('FITS pictures', () => {
  const card = (text: string): string => text.padEnd(80);
  const fits = (bits: number, data: Buffer, extra: string[] = []): Buffer => {
    const cards = [
      'SIMPLE  =                    T',
      `BITPIX  = ${bits}`,
      'NAXIS   = 2',
      'NAXIS1  = 4',
      'NAXIS2  = 2 / rows',
      ...extra,
      'END',
    ];
    return Buffer.concat([Buffer.from(cards.map(card).join('').padEnd(2880)), data]);
  };

  it('are drawn from their lowest row up, whatever their numbers', async () => {
    const floats = Buffer.alloc(32);
    [0, 0, 0, Number.NaN, 900, 900, 900, 900].forEach((value, i) => {
      floats.writeFloatBE(value, i * 4);
    });
    for (const [name, bytes] of [
      ['a.fits', fits(-32, floats)],
      ['b.fit', fits(8, Buffer.from([0, 0, 0, 0, 200, 200, 200, 200]))],
    ] as const) {
      const { data } = await sharp((await draw(name, bytes))!.preview)
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(data[0], name).toBeGreaterThan(200);
      expect(data.at(-1), name).toBeLessThan(50);
    }
  });

  it('that hold tables only have no picture', async () => {
    expect(await draw('t.fits', fits(8, Buffer.alloc(0), ['NAXIS1  = 0']))).toBeNull();
  });
});
