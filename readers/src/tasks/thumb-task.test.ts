import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { makeRar } from '../../test/samples/archives.ts';
import { makeBinaryStl, ringMesh } from '../../test/samples/meshes.ts';
import { landscape, makeBarPdf, makeEmptyPng } from '../../test/samples/pictures.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { makeTrueType } from '../../test/samples/system-files.ts';
import type { Source } from '../contract.ts';
import { findTool } from '../input/external-tool.ts';
import type { ThumbnailTiers } from '../render/thumbnails.ts';
import { createSandboxPool } from '../sandbox/pool.ts';
import { thumbTaskModule } from './index.ts';

const samples = openSampleFolder();
const pool = createSandboxPool({ size: 1, background: false, tasks: { thumbs: thumbTaskModule } });
afterAll(() => {
  pool.close();
  samples.remove();
});

const options = { gridPx: 320, previewPx: 800, acceleration: 'auto' };
const draw = (source: Source) => pool.run<ThumbnailTiers | null>('thumbs', source, options);

it('draws pictures, pages, models, fonts and comics inside a sandboxed child, one after another', async () => {
  for (const [name, bytes] of [
    ['a.jpg', await landscape()],
    ['a.pdf', makeBarPdf()],
    ['a.stl', makeBinaryStl(ringMesh())],
    ['a.ttf', makeTrueType()],
    ['a.cbr', makeRar([{ name: '1.jpg', data: await landscape() }])],
  ] as const) {
    const outcome = await draw(samples.source(name, bytes));
    expect(outcome, name).toMatchObject({ ok: true });
    const tiers = (outcome as { result: ThumbnailTiers }).result;
    const { format, width, height } = await sharp(Buffer.from(tiers.grid)).metadata();
    expect([format, Math.max(width, height)], name).toEqual(['webp', 320]);
  }
});

it('returns null for a file without a picture and an error kind for a hostile one, and continues', async () => {
  expect(await draw(samples.source('a.txt', 'words'))).toEqual({ ok: true, result: null });
  expect(await draw(samples.source('flood.png', makeEmptyPng(60_000, 60_000)))).toMatchObject({ ok: false, kind: 'guard' });
  expect(await draw(samples.source('bad.cbr', makeRar([{ name: '1.png', data: 'x' }]).subarray(0, 30)))).toMatchObject({
    ok: false,
    kind: 'corrupt',
  });
  expect(await draw(samples.source('again.jpg', await landscape()))).toMatchObject({ ok: true });
});

it.skipIf(findTool('ffmpeg') === null)('takes a poster frame that is not black', async () => {
  const path = join(samples.folder, 'film.mp4');
  const black = ['-f', 'lavfi', '-i', 'color=black:d=2:s=320x180:r=10'];
  const red = ['-f', 'lavfi', '-i', 'color=red:d=6:s=320x180:r=10'];
  execFileSync(findTool('ffmpeg')!, ['-v', 'error', ...black, ...red, '-filter_complex', '[0][1]concat', '-c:v', 'mpeg4', '-y', path]);
  const outcome = await draw({ ...samples.source('x.mp4', ''), path });
  const { channels } = await sharp(Buffer.from((outcome as { result: ThumbnailTiers }).result.grid)).stats();
  expect(channels[0]!.mean).toBeGreaterThan(200);
});
