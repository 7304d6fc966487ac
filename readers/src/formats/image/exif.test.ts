import exifr from 'exifr';
import { describe, expect, it } from 'vitest';
import { makeTiff, photo } from '../../../test/samples/images.ts';
import { exifDate, exifFromBlock, exifFromTiff } from './exif.ts';

const over = (bytes: Buffer) => ({ read: (offset: number, length: number) => bytes.subarray(offset, offset + length) });

describe('EXIF', () => {
  it('matches the output of exifr for the same photo', async () => {
    const bytes = await photo().jpeg().toBuffer();
    const at = bytes.indexOf('Exif\0\0', 0, 'latin1');
    const ours = exifFromBlock(bytes.subarray(at, at + bytes.readUInt16BE(at - 2)))!;
    const theirs = (await exifr.parse(bytes, { gps: true, exif: true })) as Record<string, unknown>;
    expect({
      Make: ours.camera_make,
      Model: ours.camera_model,
      LensModel: ours.lens_model,
      ISO: ours.iso,
      FNumber: ours.f_number,
      ExposureTime: ours.exposure_time,
      FocalLength: ours.focal_length,
      latitude: ours.gps_latitude,
      longitude: ours.gps_longitude,
    }).toEqual({
      Make: theirs['Make'],
      Model: theirs['Model'],
      LensModel: theirs['LensModel'],
      ISO: theirs['ISO'],
      FNumber: theirs['FNumber'],
      ExposureTime: theirs['ExposureTime'],
      FocalLength: theirs['FocalLength'],
      latitude: expect.closeTo(theirs['latitude'] as number, 6),
      longitude: expect.closeTo(theirs['longitude'] as number, 6),
    });
  });

  it('reads both byte orders', () => {
    const big = Buffer.from('4d4d002a00000008000101100002000000050000001a000000004d6f646c00', 'hex');
    expect(exifFromTiff(over(big))).toEqual({ camera_model: 'Modl' });
    expect(exifFromTiff(over(makeTiff([[0x110, 'Modl']])))).toEqual({ camera_model: 'Modl' });
  });

  it('reads texts in UTF-8, or in the code page of the computer that wrote them', () => {
    expect(exifFromTiff(over(makeTiff([[0x8298, '© 2012 Zoë']])))).toEqual({ copyright: '© 2012 Zoë' });
    const latin = makeTiff([[0x8298, 'c 2012 Zoe']]);
    latin[latin.indexOf('c 2012')] = 0xa9;
    latin[latin.indexOf('Zoe') + 2] = 0xeb;
    expect(exifFromTiff(over(latin))).toEqual({ copyright: '© 2012 Zoë' });
  });

  it('ignores invalid dates', () => {
    expect(exifDate('0000:00:00 00:00:00')).toBeUndefined();
    expect(exifDate('2024:02:31 00:00:00')).toBeUndefined();
    expect(exifDate('    :  :     :  :  ')).toBeUndefined();
    expect(exifDate('2024:02:29 23:59:59', '+02:00')).toBe('2024-02-29T23:59:59+02:00');
  });

  it('returns null for bytes that are not a TIFF structure', () => {
    expect(exifFromBlock(Buffer.from('Exif\0\0nothing'))).toBeNull();
    expect(exifFromBlock(Buffer.alloc(3))).toBeNull();
  });
});
