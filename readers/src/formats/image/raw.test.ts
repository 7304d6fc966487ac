import { afterAll, describe, expect, it } from 'vitest';
import { makeTiff, photo } from '../../../test/samples/images.ts';
import { u16be, u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { image } from './image.ts';
import { readTiffTags } from './tiff-tags.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = async (name: string, bytes: Buffer) => (await image.read(samples.source(name, bytes))).metadata;

describe('the size of a RAW photo', () => {
  it('is that of the photo, not of the preview that Canon lists first', async () => {
    const tags: Parameters<typeof makeTiff>[0] = [
      [0x100, 1536],
      [0x101, 1024],
      [0x110, 'Canon EOS 350D'],
      [0xa002, 3456],
      [0xa003, 2304],
    ];
    expect(await read('a.cr2', makeTiff(tags))).toMatchObject({ width: 3456, height: 2304 });
  });

  it('follows from the borders of the sensor in Panasonic files', async () => {
    const tags: Parameters<typeof makeTiff>[0] = [
      [4, 8],
      [5, 20],
      [6, 2744],
      [7, 3668],
      [0x110, 'DMC-LX3'],
    ];
    const bytes = makeTiff(tags);
    bytes.writeUInt16LE(0x55, 2);
    expect(await read('a.rw2', bytes)).toMatchObject({ width: 3648, height: 2736 });
  });

  it('is behind the header of Fujifilm files', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    const records = Buffer.concat([
      u32be(2),
      u16be(0x100),
      u16be(4),
      u16be(4032),
      u16be(6160),
      u16be(0x111),
      u16be(4),
      u16be(4000),
      u16be(6000),
    ]);
    const head = Buffer.alloc(148);
    head.write('FUJIFILMCCD-RAW 0201');
    for (const [at, value] of [
      [84, 148 + records.length],
      [88, jpeg.length],
      [92, 148],
      [96, records.length],
    ] as const)
      u32be(value).copy(head, at);
    expect(await read('a.raf', Buffer.concat([head, records, jpeg]))).toMatchObject({ width: 6000, height: 4000, camera: 'Canon EOS R5' });
  });
});

it('tags of BigTIFF are read in both byte orders', () => {
  for (const little of [true, false]) {
    const bytes = Buffer.alloc(16 + 8 + 2 * 20 + 8 + 16);
    const short = (value: number, at: number) => (little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at));
    const long = (value: bigint, at: number) => (little ? bytes.writeBigUInt64LE(value, at) : bytes.writeBigUInt64BE(value, at));
    bytes.write(little ? 'II' : 'MM');
    short(43, 2);
    short(8, 4);
    long(16n, 8);
    long(2n, 16);
    short(0x100, 24);
    short(16, 26);
    long(1n, 28);
    long(70_000n, 36);
    short(0x110, 44);
    short(2, 46);
    long(12n, 48);
    long(72n, 56);
    bytes.write('PENTAX K-x1\0', 72);
    const tags = readTiffTags({ read: (offset, length) => bytes.subarray(offset, offset + length) });
    expect(tags?.images).toEqual([
      new Map<number, unknown>([
        [0x100, 70_000],
        [0x110, 'PENTAX K-x1'],
      ]),
    ]);
  }
});
