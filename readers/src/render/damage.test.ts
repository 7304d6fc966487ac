/** Every thumbnailer must draw a damaged file, return null, or throw an ExtractError. */
import { afterAll, describe, expect, it } from 'vitest';
import { makeTar, makeZip } from '../../test/samples/archives.ts';
import { heicPhoto } from '../../test/samples/heic-photo.ts';
import * as meshes from '../../test/samples/meshes.ts';
import * as pictures from '../../test/samples/pictures.ts';
import { u32be } from '../../test/samples/sample.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { makeTrueType } from '../../test/samples/system-files.ts';
import { ExtractError } from '../contract.ts';
import { image } from '../formats/image/image.ts';
import { findTool } from '../input/external-tool.ts';
import { renderTiers } from './thumbnails.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const sizes = { gridPx: 32, previewPx: 64 };
const ring = meshes.ringMesh(3, 1, 12, 8);
const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff') => () => pictures.landscape(format, 120);

const wholes: [string, () => Buffer | string | Promise<Buffer | string>][] = [
  ['a.jpg', picture('jpeg')],
  ['a.png', picture('png')],
  ['a.webp', picture('webp')],
  ['a.gif', picture('gif')],
  ['a.tif', picture('tiff')],
  ['a.heic', () => heicPhoto],
  ['a.svg', () => pictures.landscapeSvg],
  ['a.nef', async () => pictures.makeRawPhoto(await pictures.landscape('jpeg', 120))],
  ['a.pdf', () => pictures.makeBarPdf()],
  ['a.epub', async () => pictures.makeEpub(await pictures.landscape('jpeg', 120))],
  ['a.fb2', async () => pictures.makeFictionBook(await pictures.landscape('jpeg', 120))],
  ['a.mobi', async () => pictures.makeKindleBook(await pictures.landscape('jpeg', 120))],
  ['a.mp3', async () => pictures.makeMp3WithCover(await pictures.landscape('jpeg', 120))],
  ['a.cbz', async () => makeZip([{ name: '1.jpg', data: await pictures.landscape('jpeg', 120) }])],
  ['a.cbt', async () => makeTar([{ name: '1.jpg', data: await pictures.landscape('jpeg', 120) }])],
  ['a.docx', async () => makeZip([{ name: 'docProps/thumbnail.jpeg', data: await pictures.landscape('jpeg', 120) }])],
  ['a.blend', () => pictures.makeBlend()],
  ['a.stl', () => meshes.makeBinaryStl(ring)],
  ['a.obj', () => meshes.makeObj(ring)],
  ['a.ply', () => meshes.makePly(ring, 'binary_big_endian')],
  ['a.glb', () => meshes.makeGlb(ring)],
  ['a.3mf', () => meshes.makeThreeMf(ring)],
  ['a.ttf', () => makeTrueType()],
];

/** Empty, foreign, truncated and bit-flipped copies, the same in every run. */
function damagedCopies(whole: Buffer): Buffer[] {
  const copies: Buffer[] = [Buffer.alloc(0), Buffer.alloc(64), Buffer.from('not what the name says'.repeat(20))];
  for (const part of [0.1, 0.3, 0.6, 0.95]) copies.push(whole.subarray(0, Math.floor(whole.length * part)));
  let seed = 7;
  const next = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let i = 0; i < 24; i++) {
    const copy = Buffer.from(whole);
    for (let k = 0; k <= i % 5; k++) {
      const at = Math.floor(next() * (i % 2 === 0 ? Math.min(200, copy.length) : copy.length));
      copy[at] = i % 3 === 0 ? 0xff : copy[at]! ^ (1 << Math.floor(next() * 8));
    }
    copies.push(copy);
  }
  return copies;
}

describe.each(wholes)('%s', (name, build) => {
  it('is drawn; damaged copies yield a picture, null or an ExtractError', async () => {
    const whole = Buffer.from(await build());
    expect(await renderTiers(samples.source(name, whole), sizes)).not.toBeNull();
    for (const copy of damagedCopies(whole)) {
      try {
        const tiers = await renderTiers(samples.source(name, copy), sizes);
        if (tiers !== null) expect(tiers.grid.toString('latin1', 8, 12)).toBe('WEBP');
      } catch (error) {
        expect(error).toBeInstanceOf(ExtractError);
        expect((error as Error).message).not.toContain(samples.folder);
      }
    }
  });
});

describe('a JPEG XL in its container', () => {
  const head = Buffer.from('0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20', 'hex');
  const bare = Buffer.from('/wpDBgASiAIA4ABd5RIAABUqo4wbvJzr+fJDh8W0jesMbbVtYUmiyDg2SSdwSBKLIO4mxwMAAELMs3AAdoKhKSpJAA==', 'base64');
  const box = (type: string, body: Buffer) => Buffer.concat([u32be(8 + body.length), Buffer.from(type), body]);
  const part = (index: number, body: Buffer) => box('jxlp', Buffer.concat([u32be(index), body]));
  const parted = Buffer.concat([head, part(0, bare.subarray(0, 20)), part(0x80000001, bare.subarray(20))]);

  it.runIf(findTool('ffmpeg'))('is drawn', async () => {
    for (const whole of [bare, Buffer.concat([head, box('jxlc', bare)]), parted]) {
      expect(await renderTiers(samples.source('a.jxl', whole), sizes)).not.toBeNull();
    }
  });

  it('is rejected when it ends inside a box header, which would make the decoder hang', async () => {
    const secondPart = parted.indexOf('jxlp', head.length + 8) - 4;
    for (const bytes of [1, 7, 11, 15, 19, head.length, head.length + 5, secondPart, secondPart + 7]) {
      await expect(renderTiers(samples.source('a.jxl', parted.subarray(0, bytes)), sizes)).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

it('files of another kind under the extension of a picture have no picture and are not damaged', async () => {
  const header = samples.source('scene.hdr', 'ENVI\nsamples = 640\nlines = 400\n');
  expect(await renderTiers(header, sizes)).toBeNull();
  const activity = samples.source(
    'ride.fit',
    Buffer.concat([Buffer.from([14, 16, 0, 0, 0, 0, 0, 0]), Buffer.from('.FIT'), Buffer.alloc(64)]),
  );
  expect(await renderTiers(activity, sizes)).toBeNull();
  expect((await image.read(activity)).metadata).toMatchObject({ format: 'FIT activity' });
});
