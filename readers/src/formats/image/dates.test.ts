import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTiff, photo } from '../../../test/samples/images.ts';
import { u16be, u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { makeUncompressedHeif } from '../../../test/samples/uncompressed-heif.ts';
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
    const bare = makeTiff([[0x9003, '2011:02:03 04:05:07']]);
    const bareProfile = Buffer.from(`Raw profile type exif\0\nexif\n ${bare.length}\n${bare.toString('hex')}\n`);
    expect(await read(withChunk(chunk('tEXt', bareProfile)), 'c.png')).toMatchObject({ taken_at: '2011-02-03T04:05:07' });
    const marked = Buffer.from(`\uFEFF${packet}`);
    const markedProfile = Buffer.from(`Raw profile type xmp\0\nxmp\n ${marked.length}\n${marked.toString('hex')}\n`);
    expect(await read(withChunk(chunk('tEXt', markedProfile)), 'd.png')).toMatchObject({ taken_at: '2009-06-16T14:57:56' });
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
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:xmp="x" xmp:CreateDate="2008-07-19T16:14:14-07:00"/></rdf:RDF></x:xmpmeta>';
    const plain = Buffer.concat([box('jP  ', Buffer.from('0d0a870a', 'hex')), box('jp2h', header), box('xml ', Buffer.from(packet))]);
    expect(await read(plain, 'b.jp2')).toMatchObject({ taken_at: '2008-07-19T16:14:14-07:00' });
  });
  it('in the segments of thermal cameras', async () => {
    const camera = Buffer.alloc(910);
    camera.writeUInt32LE(Date.UTC(2016, 5, 27, 19, 29, 42) / 1000, 900);
    camera.writeInt16LE(240, 908);
    const head = Buffer.concat([Buffer.from('FFF\0'), Buffer.alloc(16), u32be(100), u32be(64), u32be(2), Buffer.alloc(32)]);
    const record = (type: number, offset: number, length: number) =>
      Buffer.concat([u16be(type), Buffer.alloc(10), u32be(offset), u32be(length), Buffer.alloc(12)]);
    const whole = Buffer.concat([head, record(1, 128, 100), record(0x20, 228, 910), Buffer.alloc(100), camera]);
    const part = (number: number, data: Buffer) =>
      segment(0xe1, Buffer.concat([Buffer.from('FLIR\0\x01'), Buffer.from([number, 1]), data]));
    const bytes = jpeg(part(0, whole.subarray(0, 150)), part(1, whole.subarray(150)), exif([[0x110, 'Vue Pro']]), frame);
    expect(await read(bytes)).toMatchObject({ taken_at: '2016-06-27T15:29:42-04:00', camera: 'Vue Pro' });
    expect(await read(jpeg(part(0, whole.subarray(0, 150)), frame))).not.toHaveProperty('taken_at', expect.anything());
  });
  it('in the notes of cameras from before EXIF', async () => {
    const notes = Buffer.from('OLYMPUS OPTICAL CO.,LTD.\0[picture info]\r\nTimeDate=909698819\r\nFlash=1\r\n');
    expect(await read(jpeg(segment(0xec, notes), frame))).toMatchObject({ taken_at: '1998-10-29T22:06:59', width: 40 });
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
  it('in the item of a HEIF file that libvips does not read', async () => {
    const tags = makeTiff([
      [0x112, 6],
      [0x9003, '2025:01:19 14:53:27'],
    ]);
    const bytes = makeUncompressedHeif({ width: 6, height: 4, components: [[0, 8, 0]], interleave: 0, data: Buffer.alloc(24), tags });
    expect(await read(bytes, 'a.heif')).toMatchObject({
      format: 'HEIF',
      taken_at: '2025-01-19T14:53:27',
      exif: { orientation: 6 },
      width: 6,
    });
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
