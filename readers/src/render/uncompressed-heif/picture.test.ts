import { brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { u32be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { heifBox, makeUncompressedHeif, type UncompressedPicture } from '../../../test/samples/uncompressed-heif.ts';
import { image } from '../../formats/image/image.ts';
import { renderTiers } from '../thumbnails.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const sizes = { gridPx: 320, previewPx: 800 };
const [width, height] = [32, 20];

type Colour = readonly [red: number, green: number, blue: number];
/** Blue above, green below, and a red corner at the left of the upper half. */
const colourAt = (x: number, y: number): Colour => (y >= 10 ? [16, 144, 32] : x < 8 ? [208, 32, 32] : [32, 64, 208]);

const positions = (fromX = 0, toX = width, fromY = 0, toY = height): [number, number][] => {
  const list: [number, number][] = [];
  for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++) list.push([x, y]);
  return list;
};
const tiles = [0, 10].flatMap((y) => [0, 16].map((x) => positions(x, x + 16, y, y + 10)));
const plane = (channel: number, list = positions()): Buffer => Buffer.from(list.map(([x, y]) => colourAt(x, y)[channel]!));
const pixels = (list = positions()): Buffer => Buffer.from(list.flatMap(([x, y]) => [...colourAt(x, y)]));
const lines = (list: [number, number][]): [number, number][][] => [...Map.groupBy(list, ([, y]) => y).values()];
const channels = [0, 1, 2];
const bytes = (n: number): readonly (readonly [number, number, number])[] => channels.map((i) => [4 + i, n * 8, 0] as const);
const words = (list: readonly number[], little = false): Buffer => {
  const out = Buffer.alloc(list.length * 2);
  list.forEach((value, i) => {
    if (little) out.writeUInt16LE(value, i * 2);
    else out.writeUInt16BE(value, i * 2);
  });
  return out;
};
const pad = (data: Buffer, to: number): Buffer => Buffer.concat([data, Buffer.alloc((to - (data.length % to)) % to)]);

/** Brightness and colour of BT.601 with the full range. */
const yCbCr = ([r, g, b]: Colour): readonly [number, number, number] => {
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  return [Math.round(y), Math.round(128 + (b - y) / 1.772), Math.round(128 + (r - y) / 1.402)];
};
const half = (stepY: number): [number, number][] => positions().filter(([x, y]) => x % 2 === 0 && y % stepY === 0);
const luma = (): Buffer => Buffer.from(positions().map(([x, y]) => yCbCr(colourAt(x, y))[0]));
const chroma = (channel: 1 | 2, stepY: number): Buffer => Buffer.from(half(stepY).map(([x, y]) => yCbCr(colourAt(x, y))[channel]));
const yuv = [1, 2, 3].map((type) => [type, 8, 0] as const);

const base = { width, height, components: bytes(1), interleave: 1, data: pixels() };
const tiled = { columns: 2, rows: 2 };

const shapes: Record<string, UncompressedPicture> = {
  'pixel after pixel': base,
  'component after component': { ...base, interleave: 0, data: Buffer.concat(channels.map((i) => plane(i))) },
  'row after row': {
    ...base,
    interleave: 3,
    data: Buffer.concat(lines(positions()).flatMap((line) => channels.map((i) => plane(i, line)))),
  },
  'tiles of components': {
    ...base,
    ...tiled,
    interleave: 4,
    data: Buffer.concat(channels.flatMap((i) => tiles.map((tile) => plane(i, tile)))),
  },
  'tiles with padded rows': {
    ...base,
    ...tiled,
    rowAlign: 64,
    tileAlign: 1000,
    data: Buffer.concat(tiles.map((tile) => pad(Buffer.concat(lines(tile).map((line) => pad(pixels(line), 64))), 1000))),
  },
  '16 bits': {
    ...base,
    components: bytes(2),
    data: words(positions().flatMap(([x, y]) => colourAt(x, y).map((value) => value * 257))),
  },
  '12 bits in little-endian words': {
    ...base,
    components: channels.map((i) => [4 + i, 12, 2] as const),
    flags: 0x80,
    data: words(
      positions().flatMap(([x, y]) => colourAt(x, y).map((value) => value * 16)),
      true,
    ),
  },
  '5, 6 and 5 bits in little-endian blocks': {
    ...base,
    components: [
      [4, 5, 0],
      [5, 6, 0],
      [6, 5, 0],
    ],
    blockBytes: 2,
    pixelBytes: 2,
    flags: 0x20,
    data: words(
      positions().map(([x, y]) => {
        const [r, g, b] = colourAt(x, y);
        return ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3);
      }),
      true,
    ),
  },
  '7 bits without padding': {
    ...base,
    interleave: 0,
    components: channels.map((i) => [4 + i, 7, 0] as const),
    data: Buffer.concat(
      channels.flatMap((i) =>
        lines(positions()).map((line) =>
          packBits(
            line.map(([x, y]) => colourAt(x, y)[i]! >> 1),
            7,
          ),
        ),
      ),
    ),
  },
  'pixels with a filler': {
    ...base,
    pixelBytes: 5,
    data: Buffer.concat(positions().map(([x, y]) => Buffer.from([...colourAt(x, y), 99, 99]))),
  },
  'brightness and halved colour': {
    ...base,
    components: yuv,
    interleave: 0,
    sampling: 2,
    data: Buffer.concat([luma(), chroma(1, 2), chroma(2, 2)]),
  },
  'brightness and alternating colour': {
    ...base,
    components: yuv,
    interleave: 2,
    sampling: 1,
    data: Buffer.concat([luma(), Buffer.from(half(1).flatMap(([x, y]) => yCbCr(colourAt(x, y)).slice(1)))]),
  },
  'two samples of brightness per colour': {
    ...base,
    components: [
      [1, 8, 0],
      [2, 8, 0],
      [1, 8, 0],
      [3, 8, 0],
    ],
    interleave: 5,
    sampling: 1,
    data: Buffer.from(
      half(1).flatMap(([x, y]) => {
        const [left, cb, cr] = yCbCr(colourAt(x, y));
        return [left, cb, yCbCr(colourAt(x + 1, y))[0], cr];
      }),
    ),
  },
  'packed by zlib': { ...base, properties: [heifBox('cmpC', u32be(0), Buffer.from('zlib\0', 'latin1'))], data: deflateSync(pixels()) },
  'packed by Brotli': {
    ...base,
    properties: [heifBox('cmpC', u32be(0), Buffer.from('brot\0', 'latin1'))],
    data: brotliCompressSync(pixels()),
  },
  'packed tile by tile': packedTiles(),
};

function packBits(values: readonly number[], bits: number): Buffer {
  const text = values.map((value) => value.toString(2).padStart(bits, '0')).join('');
  return Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function packedTiles(): UncompressedPicture {
  const units = tiles.map((tile) => deflateRawSync(pixels(tile)));
  const list = heifBox(
    'icef',
    u32be(0),
    Buffer.from([2 << 2]),
    u32be(units.length),
    ...units.map(({ length }) => u32be(length).subarray(1)),
  );
  return {
    ...base,
    ...tiled,
    properties: [heifBox('cmpC', u32be(0), Buffer.from('defl\x02', 'latin1')), list],
    data: Buffer.concat(units),
  };
}

async function drawn(picture: UncompressedPicture) {
  const tiers = await renderTiers(samples.source('a.heif', makeUncompressedHeif(picture)), sizes);
  const { data, info } = await sharp(tiers!.grid).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { info, at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)] };
}

const near = (colour: readonly number[], wanted: readonly number[]): boolean =>
  wanted.every((value, i) => Math.abs(value - colour[i]!) < 28);

describe('uncompressed HEIF', () => {
  it.each(Object.entries(shapes))('draws %s', async (_, picture) => {
    const { info, at } = await drawn(picture);
    expect([info.width, info.height]).toEqual([width, height]);
    for (const [x, y] of [
      [3, 4],
      [20, 4],
      [3, 15],
      [28, 18],
    ] as const)
      expect(near(at(x, y), colourAt(x, y)), `${at(x, y)} at ${x}, ${y}`).toBe(true);
  });

  it('draws grey, and keeps transparency', async () => {
    const grey = await drawn({ ...base, components: [[0, 8, 0]], data: Buffer.alloc(width * height, 90) });
    expect(near(grey.at(5, 5), [90, 90, 90, 255])).toBe(true);
    const data = Buffer.from(positions().flatMap(([x, y]) => [128, ...colourAt(x, y)]));
    const clear = await drawn({ ...base, components: [[7, 8, 0], ...bytes(1)], data });
    expect(near(clear.at(20, 4), [32, 64, 208, 128])).toBe(true);
  });

  it('turns and mirrors by the container', async () => {
    const turned = await drawn({ ...base, properties: [heifBox('irot', Buffer.from([1]))] });
    expect([turned.info.width, turned.info.height]).toEqual([height, width]);
    // A quarter turn counter-clockwise moves the upper left corner to the lower left.
    expect(near(turned.at(4, 28), colourAt(0, 0))).toBe(true);
    const mirrored = await drawn({ ...base, properties: [heifBox('imir', Buffer.from([1]))] });
    expect(near(mirrored.at(28, 4), colourAt(0, 0))).toBe(true);
  });

  it('states the size of the upright picture', async () => {
    const picture = makeUncompressedHeif({ ...base, properties: [heifBox('irot', Buffer.from([1]))] });
    const { metadata } = await image.read(samples.source('b.heif', picture));
    expect(metadata).toMatchObject({ format: 'HEIF', width: height, height: width });
    expect(metadata).not.toHaveProperty('read_as', expect.anything());
  });

  it('averages a large picture while it is read', async () => {
    const [wide, high] = [1600, 1000];
    const row = Buffer.from(Array.from({ length: wide }, (_, x) => (x % 2 === 0 ? 0 : 200)));
    const large = await drawn({
      width: wide,
      height: high,
      components: [[0, 8, 0]],
      interleave: 0,
      data: Buffer.concat(Array(high).fill(row)),
    });
    expect([large.info.width, large.info.height]).toEqual([320, 200]);
    expect(near(large.at(100, 100), [100, 100, 100, 255])).toBe(true);
  });

  it('draws a truncated picture as far as it goes', async () => {
    const { at } = await drawn({ ...base, data: pixels().subarray(0, width * 12 * 3) });
    expect(near(at(20, 4), colourAt(20, 4))).toBe(true);
  });

  it('draws a JPEG in a HEIF file, and nothing where there is no decoder', async () => {
    const data = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#d03030' } })
      .jpeg()
      .toBuffer();
    const picture = await drawn({ ...base, width: 40, height: 30, type: 'jpeg', data });
    expect([picture.info.width, picture.info.height]).toEqual([40, 30]);
    expect(await renderTiers(samples.source('c.heif', makeUncompressedHeif({ ...base, type: 'vvc1' })), sizes)).toBeNull();
  });

  it('refuses pictures that claim too much', async () => {
    const draw = (picture: UncompressedPicture) => renderTiers(samples.source('d.heif', makeUncompressedHeif(picture)), sizes);
    await expect(draw({ ...base, width: 100_000, height: 100_000 })).rejects.toMatchObject({ kind: 'guard' });
    await expect(draw({ ...base, rowAlign: 0xffffffff })).rejects.toMatchObject({ kind: 'guard' });
    await expect(draw({ ...base, pixelBytes: 0xffffffff })).rejects.toMatchObject({ kind: 'guard' });
    const bomb = { ...base, properties: [heifBox('cmpC', u32be(0), Buffer.from('zlib\0', 'latin1'))] };
    await expect(draw({ ...bomb, data: deflateSync(Buffer.alloc(140 << 20)) })).rejects.toMatchObject({ kind: 'guard' });
    await expect(draw({ ...bomb, data: Buffer.from('no zlib') })).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
