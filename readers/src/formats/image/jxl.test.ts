import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { image } from './image.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

/** Writes values of the given width, each from its lowest bit. */
function packBits(...fields: [value: number, width: number][]): Buffer {
  const bits = fields.flatMap(([value, width]) => Array.from({ length: width }, (_, n) => (value >> n) & 1));
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8) + 32);
  for (const [n, bit] of bits.entries()) bytes[n >> 3] = (bytes[n >> 3] as number) | (bit << (n & 7));
  return bytes;
}

const size: [number, number][] = [
  [0, 1],
  [1, 2],
  [2999, 13],
  [0, 3],
  [1, 2],
  [3999, 13],
];
/** 4000 × 3000 pixels. */
const codestream = (...metadata: [number, number][]) => Buffer.concat([Buffer.from([0xff, 0x0a]), packBits(...size, ...metadata)]);
const turned = codestream([0, 1], [1, 1], [5, 3], [0, 1], [0, 1], [0, 1], [0, 1], [1, 2]);
const box = (type: string, ...body: Buffer[]) => {
  const content = Buffer.concat(body);
  return Buffer.concat([u32be(content.length + 8), Buffer.from(type, 'latin1'), content]);
};
const container = (...boxes: Buffer[]) =>
  Buffer.concat([box('JXL ', Buffer.from('0d0a870a', 'hex')), box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')), ...boxes]);
/** EXIF with the orientation and the camera. */
const exif = (orientation: number) => {
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([Buffer.from([tag >> 8, tag & 255, 0, type]), u32be(count), value]);
  const entries = [entry(0x10f, 2, 4, Buffer.from('Abc\0')), entry(0x112, 3, 1, Buffer.from([0, orientation, 0, 0]))];
  return Buffer.concat([Buffer.from('MM\0*'), u32be(8), Buffer.from([0, entries.length]), ...entries, u32be(0)]);
};
const facts = async (bytes: Buffer) => (await image.read(samples.source('a.jxl', bytes))).metadata;

describe('JPEG XL without any tool', () => {
  it('states size, orientation and depth of a bare codestream', async () => {
    expect(await facts(turned)).toMatchObject({ format: 'JXL', width: 4000, height: 3000, orientation: 6, bit_depth: 10 });
    const plain = await facts(codestream([1, 1]));
    expect(plain).toMatchObject({ width: 4000, height: 3000, bit_depth: 8 });
    expect(plain['orientation']).toBeUndefined();
  });

  it('reads tags of a container, also compressed ones, and prefers the orientation of the codestream', async () => {
    const block = Buffer.concat([u32be(0), exif(3)]);
    for (const tags of [box('Exif', block), box('brob', Buffer.from('Exif'), brotliCompressSync(block))]) {
      expect(await facts(container(tags, box('jxlc', turned)))).toMatchObject({
        orientation: 6,
        exif: { camera_make: 'Abc', orientation: 3 },
      });
      expect(await facts(container(box('jxlc', codestream([1, 1])), tags))).toMatchObject({ orientation: 1 });
    }
  });

  it('ignores a compressed box that is damaged', async () => {
    expect(await facts(container(box('brob', Buffer.from('Exifxx')), box('jxlc', turned)))).toMatchObject({ width: 4000 });
  });
});
