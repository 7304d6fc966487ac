import { afterAll, describe, expect, it } from 'vitest';
import { makeCiff, makeMinoltaRaw, makeSigmaRaw, olderRawSamples } from '../../../test/samples/older-raw.ts';
import { u16be } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { bytesAsFile } from '../../input/file-bytes.ts';
import { image } from './image.ts';
import { readOlderRaw } from './older-raw.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = (bytes: Buffer, format: string) => readOlderRaw(bytesAsFile(bytes), format)?.facts;

describe('RAW formats that are not built on TIFF', () => {
  it('reads camera, date, size and exposure of Canon CRW without exiftool', () => {
    expect(read(makeCiff(), 'CRW')).toEqual({
      format: 'CRW',
      width: 3072,
      height: 2048,
      exif: {
        camera_make: 'Canon',
        camera_model: 'Canon EOS 300D',
        taken_at: '2003-11-10T17:39:26',
        orientation: 6,
        exposure_time: 0.0156,
        f_number: 4,
      },
    });
  });

  it('reads Minolta MRW and Sigma X3F without exiftool', () => {
    expect(read(makeMinoltaRaw(), 'MRW')).toMatchObject({
      width: 3264,
      exif: { camera_model: 'DiMAGE A2', taken_at: '2004-11-18T23:14:58' },
    });
    expect(read(makeSigmaRaw(), 'X3F')).toMatchObject({
      width: 2268,
      exif: { camera_model: 'SIGMA SD10', iso: 100, exposure_time: 0.00929, f_number: 8, orientation: 6 },
    });
  });

  it('reads the same structure in JPEG files of cameras from before 2000', async () => {
    const ciff = makeCiff('JPGM');
    const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0]);
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), u16be(ciff.length + 2), ciff, frame, Buffer.from([0xff, 0xd9])]);
    const { metadata } = await image.read(samples.source('a5.jpg', jpeg));
    expect(metadata).toMatchObject({ width: 40, camera: 'Canon EOS 300D', taken_at: '2003-11-10T17:39:26' });
  });

  it('ends for every truncated file and for heaps that contain themselves', () => {
    for (const { build, filename } of olderRawSamples) {
      const bytes = build() as Buffer;
      for (let length = 0; length < bytes.length; length += 3) {
        try {
          read(bytes.subarray(0, length), filename);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'corrupt' });
        }
      }
    }
    const circle = makeCiff();
    // The only entry of the outer heap becomes the heap itself.
    circle.writeUInt32LE(circle.length - 26, circle.length - 4 - 8);
    circle.writeUInt32LE(0, circle.length - 4 - 4);
    expect(read(circle, 'CRW')).toBeUndefined();
  });
});
