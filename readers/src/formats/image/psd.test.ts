import { afterAll, expect, it } from 'vitest';
import { u16be, u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { image } from './image.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it.each([
  ['flat.psd', 1, u32be(0)],
  ['empty-list.psd', 1, Buffer.concat([u32be(8), u32be(0), u32be(0)])],
  ['flat.psb', 2, Buffer.alloc(8)],
])('a flattened Photoshop picture has no layers (%s)', async (name, version, section) => {
  const head = Buffer.concat([Buffer.from('8BPS'), u16be(version), Buffer.alloc(6), u16be(3), u32be(30), u32be(40), u16be(8), u16be(3)]);
  const picture = Buffer.concat([u16be(1), Buffer.alloc(500, 3)]);
  const { metadata } = await image.read(samples.source(name, Buffer.concat([head, u32be(0), u32be(0), section, picture])));
  expect(metadata).toMatchObject({ width: 40, height: 30 });
  expect(metadata['layers']).toBeUndefined();
});
