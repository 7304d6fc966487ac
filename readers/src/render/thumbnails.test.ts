import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRar, makeZip } from '../../test/samples/archives.ts';
import { heicPhoto, hugeHeicPhoto, uprightHeicPhoto } from '../../test/samples/heic-photo.ts';
import * as meshes from '../../test/samples/meshes.ts';
import * as pictures from '../../test/samples/pictures.ts';
import { makeWav } from '../../test/samples/sounds.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { makeTrueType } from '../../test/samples/system-files.ts';
import { findTool } from '../input/external-tool.ts';
import { renderTiers, thumbnailers } from './thumbnails.ts';
import { accelerationArguments } from './video.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const sizes = { gridPx: 320, previewPx: 800 };

const draw = (name: string, bytes: Buffer | string, limits = {}) => renderTiers(samples.source(name, bytes, { limits }), sizes);

/** The colour at a position given as fractions of width and height. */
async function colourAt(picture: Buffer, x: number, y: number): Promise<[number, number, number, number]> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 4;
  return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
}
const isBlue = ([r, , b]: readonly number[]): boolean => b! > 140 && r! < 90;
const isGreen = ([r, g, b]: readonly number[]): boolean => g! > 60 && r! < 80 && b! < 100;

/** Both tiers must be WebP, fit their sizes and show the landscape upright. */
async function expectLandscape(tiers: Awaited<ReturnType<typeof draw>>): Promise<void> {
  expect(tiers).not.toBeNull();
  for (const [picture, edge] of [
    [tiers!.grid, 320],
    [tiers!.preview, 800],
  ] as const) {
    const { format, width, height } = await sharp(picture).metadata();
    expect(format).toBe('webp');
    expect(Math.max(width, height)).toBeLessThanOrEqual(edge);
    expect(isBlue(await colourAt(picture, 0.1, 0.1))).toBe(true);
    expect(isGreen(await colourAt(picture, 0.1, 0.9))).toBe(true);
  }
}

let photo: Buffer;
beforeAll(async () => {
  photo = await pictures.landscape();
});

describe('pictures', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('draws %s in both tiers', async (format) => {
    const extension = format === 'jpeg' ? 'jpg' : format === 'tiff' ? 'tif' : format;
    const tiers = await draw(`a.${extension}`, await pictures.landscape(format));
    await expectLandscape(tiers);
    const { width, height } = await sharp(tiers!.grid).metadata();
    expect([width, height]).toEqual([320, 213]);
  });

  it('draws HEIC as phones write it without a system tool, turned once', async () => {
    const { grid } = (await draw('phone.heic', heicPhoto))!;
    expect(await sharp(grid).metadata()).toMatchObject({ width: 64, height: 48 });
    const [red, , blue] = await colourAt(grid, 0.5, 0.5);
    expect(red - blue).toBeGreaterThan(100);
    const upright = (await draw('upright.heic', uprightHeicPhoto()))!;
    expect(await sharp(upright.grid).metadata()).toMatchObject({ width: 48, height: 64 });
  });

  it('draws the stored preview of a HEIC that has more pixels than are decoded', async () => {
    const { grid } = (await draw('huge.heic', hugeHeicPhoto()))!;
    expect(await sharp(grid).metadata()).toMatchObject({ width: 64, height: 64 });
  });

  it('rotates a photo by its Exif orientation', async () => {
    const { preview } = (await draw('turned.jpg', await pictures.turnedLandscape()))!;
    const { width, height } = await sharp(preview).metadata();
    expect(height).toBeGreaterThan(width);
    expect(isBlue(await colourAt(preview, 0.9, 0.1))).toBe(true);
  });

  it('does not enlarge small pictures and keeps transparency', async () => {
    const small = await sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer();
    const { preview } = (await draw('small.png', small))!;
    expect(await sharp(preview).metadata()).toMatchObject({ width: 60, height: 40, hasAlpha: true });
    expect((await colourAt(preview, 0.5, 0.5))[3]).toBeLessThan(140);
  });

  it('lowers the quality of a detailed picture to keep both tiers small', async () => {
    const busy = await sharp({
      create: { width: 1600, height: 1200, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    const calm = (await draw('calm.jpg', photo))!;
    const noisy = (await draw('busy.jpg', busy))!;
    const plain = await sharp(busy).resize(800).webp({ quality: 78, effort: 2 }).toBuffer();
    expect(plain.length).toBeGreaterThan(60_000);
    expect(noisy.preview.length).toBeLessThan(plain.length * 0.75);
    expect(calm.preview.length).toBeLessThan(20_000);
  });

  it('converts grey, CMYK and 16-bit pictures to colour', async () => {
    const grey = await sharp(photo).grayscale().toColourspace('b-w').png().toBuffer();
    expect(await draw('grey.png', grey)).not.toBeNull();
    await expectLandscape(await draw('deep.png', await sharp(photo).toColourspace('rgb16').png().toBuffer()));
    expect(await draw('print.jpg', await sharp(photo).toColourspace('cmyk').jpeg().toBuffer())).not.toBeNull();
  });

  it('draws vector pictures at the requested size, compressed or not', async () => {
    const tiny = pictures.landscapeSvg.replace('width="1200" height="800"', 'width="12" height="8" viewBox="0 0 1200 800"');
    const { preview } = (await draw('tiny.svg', tiny))!;
    expect((await sharp(preview).metadata()).width).toBe(800);
    await expectLandscape(await draw('a.svgz', gzipSync(pictures.landscapeSvg)));
  });

  it('draws the preview inside a raw photo', async () => {
    await expectLandscape(await draw('shot.nef', pictures.makeRawPhoto(photo)));
  });

  it('turns the preview of a raw photo once, by its own orientation or by that of the photo', async () => {
    const stored = await sharp(photo).rotate(270).jpeg().toBuffer();
    await expectLandscape(await draw('camera.cr2', pictures.makeRawPhoto(stored, stored.length, 6)));
    const stating = await sharp(stored).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await expectLandscape(await draw('camera.nef', pictures.makeRawPhoto(stating, stating.length, 6)));
  });

  it.each(['cr2', 'cr3', 'nef', 'arw', 'raf', 'orf', 'rw2', 'pef', 'dng'])(
    'finds a preview that only maker notes of %s refer to',
    async (extension) => {
      const lossless = Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 14, 0, 16, 0, 16, 1, 1, 0x11, 0]);
      const notes = Buffer.concat([pictures.makeRawPhoto(Buffer.alloc(300)), lossless, Buffer.alloc(5000, 0xff), photo, Buffer.alloc(900)]);
      await expectLandscape(await draw(`camera.${extension}`, notes));
    },
  );

  it.skipIf(findTool('ffmpeg') === null)('draws rarer kinds through ffmpeg', async () => {
    const raw = await sharp(photo).resize(300).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const ppm = Buffer.concat([Buffer.from(`P6\n${raw.info.width} ${raw.info.height}\n255\n`), raw.data]);
    await expectLandscape(await draw('a.ppm', ppm));
  });
});

describe('pictures inside other files', () => {
  it('draws covers of e-books and music, the first page of comics and PDFs, and previews of documents', async () => {
    await expectLandscape(await draw('book.epub', pictures.makeEpub(photo)));
    await expectLandscape(await draw('book.fb2', pictures.makeFictionBook(photo)));
    await expectLandscape(await draw('book.mobi', pictures.makeKindleBook(photo)));
    await expectLandscape(await draw('scene.blend', pictures.makeBlend()));
    await expectLandscape(await draw('song.mp3', pictures.makeMp3WithCover(photo)));
    await expectLandscape(
      await draw(
        'comic.cbz',
        makeZip([
          { name: '10.jpg', data: 'x' },
          { name: '2.jpg', data: photo },
        ]),
      ),
    );
    await expectLandscape(await draw('report.docx', makeZip([{ name: 'docProps/thumbnail.jpeg', data: photo }])));
    const { preview } = (await draw('page.pdf', pictures.makeBarPdf()))!;
    expect((await sharp(preview).metadata()).height).toBe(800);
    expect(await colourAt(preview, 0.3, 0.09)).toEqual([0, 0, 0, 255]);
    expect((await colourAt(preview, 0.5, 0.6))[0]).toBeGreaterThan(250);
  });

  it('draws a comic page from a RAR archive and a picture from G-code', async () => {
    const page = (await pictures.landscape('png', 200)).toString('latin1');
    const rar = makeRar([{ name: '1.png', data: '' }]);
    expect(await draw('empty.cbr', rar)).toBeNull();
    const code = `; thumbnail begin 200x133 ${page.length}\n; ${Buffer.from(page, 'latin1').toString('base64')}\n; thumbnail end\nG28\n`;
    await expectLandscape(await draw('part.gcode', code));
  });

  it('returns null for files without a picture', async () => {
    expect(await draw('plain.docx', makeZip([{ name: 'word/document.xml', data: '<w/>' }]))).toBeNull();
    expect(await draw('bare.epub', makeZip([{ name: 'mimetype', data: 'application/epub+zip' }]))).toBeNull();
    expect(await draw('notes.txt', 'hello')).toBeNull();
    expect(await draw('lying.blend', pictures.makeBlend(16, 16, 1_000_000))).toBeNull();
    expect(await draw('spoiled.cbz', makeZip([{ name: '1.jpg', data: 'no picture' }]))).toBeNull();
  });
});

describe('models and fonts', () => {
  it.each([
    ['a.stl', meshes.makeBinaryStl(meshes.ringMesh())],
    ['a.obj', meshes.makeObj(meshes.ringMesh())],
    ['a.ply', meshes.makePly(meshes.ringMesh(), 'binary_little_endian')],
    ['a.glb', meshes.makeGlb(meshes.ringMesh())],
    ['a.3mf', meshes.makeThreeMf(meshes.ringMesh())],
    ['a.off', meshes.makeOff(meshes.ringMesh())],
  ] as const)('draws %s shaded on a transparent ground, with the hole of the ring open', async (name, bytes) => {
    const { preview } = (await draw(name, bytes))!;
    const { data, info } = await sharp(preview).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 800, height: 800, channels: 4 });
    expect((await colourAt(preview, 0.02, 0.02))[3]).toBe(0);
    expect((await colourAt(preview, 0.5, 0.5))[3]).toBe(0);
    const shades = new Set<number>();
    let covered = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] !== 255) continue;
      covered++;
      shades.add(data[i]! >> 3);
    }
    expect(covered / (800 * 800)).toBeGreaterThan(0.15);
    expect(shades.size).toBeGreaterThan(8);
  });

  it('returns null for a model without faces', async () => {
    expect(await draw('points.obj', 'v 0 0 0\nv 1 1 1\nv 2 0 1\n')).toBeNull();
  });

  it('draws a specimen of a font', async () => {
    const { preview } = (await draw('a.ttf', makeTrueType()))!;
    expect(await sharp(preview).metadata()).toMatchObject({ width: 800, height: 600 });
    const { channels } = await sharp(preview).stats();
    expect(channels[0]!.min).toBeLessThan(60);
    expect(channels[0]!.max).toBeGreaterThan(240);
  });
});

describe('hostile files', () => {
  const refused = (name: string, bytes: Buffer | string, kind: string, limits = {}) =>
    expect(draw(name, bytes, limits), name).rejects.toMatchObject({ kind });

  it('rejects too many pixels with a guard error', async () => {
    const flood = pictures.makeEmptyPng(60_000, 60_000);
    await refused('flood.png', flood, 'guard');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="1" height="1"/></svg>';
    await refused('flood.svg', svg, 'guard');
    await refused('bomb.svgz', gzipSync(Buffer.alloc(80 << 20, 0x20)), 'guard');
  });

  it('rejects models over the limit and comics that are zip bombs with a guard error', async () => {
    await refused('large.stl', meshes.makeBinaryStl(meshes.boxMesh()), 'guard', { model3dMaxBytes: 50 });
    await refused('bomb.cbz', makeZip([{ name: '1.jpg', data: Buffer.alloc(40 << 20) }]), 'guard');
  });

  it('reports damaged files as corrupt', async () => {
    for (const [name, bytes] of [
      ['a.jpg', Buffer.from('no picture')],
      ['a.svg', '<svg'],
      ['a.pdf', '%PDF-1.4 and nothing else'],
      ['a.stl', meshes.makeBinaryStl(meshes.boxMesh(), 4_000_000_000)],
      ['a.ttf', makeTrueType().subarray(0, 200)],
    ] as const) {
      await refused(name, bytes, 'corrupt');
    }
  });

  it('never lets an SVG or a video read another file', async () => {
    const secret = samples.source('secret.png', await pictures.landscape('png', 100));
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="66"><image width="100" height="66" xlink:href="file://${secret.path}"/><image width="100" height="66" href="secret.png"/></svg>`;
    const tiers = await draw('thief.svg', svg);
    expect(isBlue(await colourAt(tiers!.preview, 0.1, 0.1))).toBe(false);
    await refused('thief.avi', `#EXTM3U\n#EXTINF:1,\nfile://${secret.path}\n`, findTool('ffmpeg') === null ? 'dependency' : 'corrupt');
  });
});

it('uses a render device only when there is one and it is not disabled', () => {
  expect(accelerationArguments('auto', true)).toEqual(['-hwaccel', 'auto']);
  expect(accelerationArguments('auto', false)).toEqual([]);
  expect(accelerationArguments('off', true)).toEqual([]);
});

it('has one thumbnailer per extension', () => {
  const seen = thumbnailers.flatMap((thumbnailer) => thumbnailer.extensions);
  expect(seen.filter((extension, index) => seen.indexOf(extension) !== index)).toEqual([]);
});

describe.skipIf(findTool('ffprobe') === null)('what only shares a name with films', () => {
  it('yields null for source code, tracker music and recordings without a picture', async () => {
    expect(await draw('module.ts', 'export const answer: number = 42;\n'.repeat(50))).toBeNull();
    const tune = Buffer.alloc(4096);
    tune.write('M.K.', 1080, 'latin1');
    expect(await draw('tune.mod', tune)).toBeNull();
    expect(await draw('speech.m4v', makeWav(1))).toBeNull();
  });

  it('is distinguished from a damaged video', async () => {
    await expect(draw('film.mp4', 'no film at all')).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
