import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTiff, photo } from '../../../test/samples/images.ts';
import { u16be, u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { exifFromTags } from './exif.ts';
import { image } from './image.ts';
import { readXmp } from './image-facts.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const segment = (marker: number, body: Buffer) => Buffer.concat([Buffer.from([0xff, marker]), u16be(body.length + 2), body]);
const frame = segment(0xc0, Buffer.from([8, 0, 30, 0, 40, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]));
const jpeg = (...segments: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9])]);
const exif = (tags: Parameters<typeof makeTiff>[0]) => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), makeTiff(tags)]));
const xmp = (attributes: string) =>
  segment(
    0xe1,
    Buffer.from(
      `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="x"><rdf:RDF xmlns:rdf="r"><rdf:Description ${attributes}/></rdf:RDF></x:xmpmeta>`,
    ),
  );
const read = async (bytes: Buffer, name = 'a.jpg') => (await image.read(samples.source(name, bytes))).metadata;

describe('the date of a photo', () => {
  it('is never the date of its last change', async () => {
    expect(
      (
        await read(
          jpeg(
            exif([
              [0x110, 'Box'],
              [0x132, '2020:01:02 03:04:05'],
            ]),
            frame,
          ),
        )
      )['taken_at'],
    ).toBeUndefined();
  });
  it('comes from XMP if EXIF has none, the original date before that of the file', async () => {
    const dates = 'xmlns:xmp="x" xmlns:exif="e" xmp:CreateDate="2019-05-06T07:08:09" exif:DateTimeOriginal="2018-01-02T03:04+02:00"';
    expect(await read(jpeg(xmp(dates), frame))).toMatchObject({ taken_at: '2018-01-02T03:04:00+02:00', width: 40 });
    const elements = Buffer.from(
      '<rdf:RDF xmlns:rdf="r"><rdf:Description><xmp:CreateDate xmlns:xmp="x">2019-05-06T07:08:09Z</xmp:CreateDate></rdf:Description></rdf:RDF>',
    );
    expect(readXmp(elements).taken_at).toBe('2019-05-06T07:08:09');
  });
  it('and orientation, camera and lens are read from XMP and from Photoshop files, too', async () => {
    const facts = 'xmlns:tiff="t" xmlns:aux="a" tiff:Orientation="6" tiff:Make="NIKON CORPORATION" tiff:Model="NIKON D70" aux:Lens="50mm"';
    const expected = { orientation: 6, camera: 'Nikon D70', lens: '50mm' };
    expect(await read(jpeg(xmp(facts), frame))).toMatchObject(expected);
    const block = Buffer.from(`<rdf:RDF xmlns:rdf="r"><rdf:Description ${facts}/></rdf:RDF>`);
    const even = block.length % 2 === 0 ? block : Buffer.concat([block, Buffer.from(' ')]);
    const resources = Buffer.concat([Buffer.from('8BIM'), u16be(1060), u16be(0), u32be(even.length), even]);
    const head = Buffer.concat([Buffer.from('8BPS'), u16be(1), Buffer.alloc(6), u16be(3), u32be(30), u32be(40), u16be(8), u16be(3)]);
    expect(await read(Buffer.concat([head, u32be(0), u32be(resources.length), resources, u32be(0)]), 'a.psd')).toMatchObject(expected);
  });
});

describe('the date of a photo is also found', () => {
  const field = (id: number, text: string) => Buffer.concat([Buffer.from([0x1c, 2, id]), u16be(text.length), Buffer.from(text)]);
  const iptc = Buffer.concat([field(55, '20040506'), field(60, '101112+0200'), field(25, 'harbour'), field(120, 'Boats at rest')]);
  const resources = (block: Buffer) =>
    Buffer.concat([Buffer.from('8BIM'), u16be(1028), u16be(0), u32be(block.length), block, Buffer.alloc(block.length % 2)]);
  it('in IPTC fields, with caption and keywords', async () => {
    const app13 = segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), resources(iptc)]));
    const expected = { taken_at: '2004-05-06T10:11:12+02:00', keywords: ['harbour'], description: 'Boats at rest' };
    expect(await read(jpeg(app13, frame))).toMatchObject(expected);
  });
  it('in the chunks of a PNG', async () => {
    // Written again, a picture has no metadata.
    const png = await sharp(await photo().png().toBuffer())
      .png()
      .toBuffer();
    const chunk = (type: string, data: Buffer) =>
      Buffer.concat([u32be(data.length), Buffer.from(type), data, u32be(crc32(Buffer.concat([Buffer.from(type), data])))]);
    const withChunk = (added: Buffer) => Buffer.concat([png.subarray(0, 33), added, png.subarray(33)]);
    const packet = '<rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:xmp="x" xmp:CreateDate="2009-06-16T14:57:56Z"/></rdf:RDF>';
    const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(Buffer.from(packet))]);
    expect(await read(withChunk(chunk('iTXt', text)), 'a.png')).toMatchObject({ taken_at: '2009-06-16T14:57:56', width: 64 });
    const block = Buffer.concat([Buffer.from('Exif\0\0'), makeTiff([[0x9003, '2011:02:03 04:05:06']])]);
    const profile = Buffer.from(`Raw profile type APP1\0\nexif\n ${block.length}\n${block.toString('hex')}\n`);
    expect(await read(withChunk(chunk('tEXt', profile)), 'b.png')).toMatchObject({ taken_at: '2011-02-03T04:05:06' });
  });
  it('in the tags of a TIFF whose picture is damaged', async () => {
    const bytes = makeTiff([
      [0x100, 40],
      [0x101, 30],
      [0x9003, '2012:03:04 05:06:07'],
    ]);
    expect(await read(bytes, 'a.tif')).toMatchObject({ taken_at: '2012-03-04T05:06:07', width: 40, height: 30 });
  });
  it('under the prefix of older programs', async () => {
    const packet = 'xmlns:xap="x" xap:CreateDate="2006-01-05T12:54:59+01:00"';
    expect(await read(jpeg(xmp(packet), frame))).toMatchObject({ taken_at: '2006-01-05T12:54:59+01:00' });
  });
  it('in the boxes of a JPEG 2000', async () => {
    const box = (type: string, ...parts: Buffer[]) => {
      const body = Buffer.concat(parts);
      return Buffer.concat([u32be(8 + body.length), Buffer.from(type), body]);
    };
    const header = box('ihdr', u32be(30), u32be(40), u16be(3), Buffer.from([7, 7, 0, 0]));
    const tags = makeTiff([[0x9003, '2015:10:14 08:52:18']]);
    const bytes = Buffer.concat([
      box('jP  ', Buffer.from('0d0a870a', 'hex')),
      box('jp2h', header),
      box('uuid', Buffer.from('JpgTiffExif->JP2'), tags),
    ]);
    expect(await read(bytes, 'a.jp2')).toMatchObject({ taken_at: '2015-10-14T08:52:18', width: 40, height: 30 });
  });
  it('in the notes of a trail camera', () => {
    const note = Buffer.alloc(40);
    note.writeUInt16LE(0xf101, 0);
    for (const [n, value] of [31, 8, 8, 5, 7, 2015].entries()) note.writeUInt16LE(value, 22 + n * 2);
    expect(exifFromTags({ images: [new Map()], exif: new Map([[0x927c, note]]) }).taken_at).toBe('2015-05-07T08:08:31');
  });
  it('with its time, even if another field has only the day', async () => {
    const day = 'xmlns:photoshop="p" photoshop:DateCreated="2003-08-31" xmlns:xmp="x" xmp:CreateDate="2005-12-17T22:03:32"';
    expect(await read(jpeg(xmp(day), frame))).toMatchObject({ taken_at: '2005-12-17T22:03:32' });
  });
  it('in a HEIC that is cut off behind its tags', async () => {
    const tags = Buffer.concat([Buffer.from('Exif\0\0'), makeTiff([[0x9003, '2025:07:11 16:41:55']])]);
    const bytes = Buffer.concat([u32be(16), Buffer.from('ftypheic'), u32be(0), Buffer.alloc(100, 1), tags, Buffer.alloc(40)]);
    expect(await read(bytes, 'a.heic')).toMatchObject({ format: 'HEIC', taken_at: '2025-07-11T16:41:55' });
  });
  it('if only the day is known', async () => {
    const day = 'xmlns:photoshop="p" photoshop:DateCreated="2004-05-06"';
    expect(await read(jpeg(xmp(day), frame))).toMatchObject({ taken_at: '2004-05-06T00:00:00' });
  });
});

it('what can be read of a damaged JPEG is kept', async () => {
  const good = await photo().jpeg().toBuffer();
  const withGarbage = jpeg(exif([[0x110, 'Box']]), Buffer.from('garbage between segments'));
  expect(await read(withGarbage)).toMatchObject({ format: 'JPEG', exif: { camera_model: 'Box' } });
  const at = good.indexOf(Buffer.from([0xff, 0xc0]));
  expect(await read(good.subarray(0, at + 6))).toMatchObject({ camera: expect.any(String) });
  const late = jpeg(frame, exif([[0x110, 'Late']]));
  expect(await read(late)).toMatchObject({ width: 40, camera: 'Late' });
});
