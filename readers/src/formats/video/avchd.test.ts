import { describe, expect, it } from 'vitest';
import { bytesAsFile } from '../../input/file-bytes.ts';
import { camcorderDate } from './avchd.ts';

const identifier = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex');
const stream = (...messages: string[]) =>
  bytesAsFile(Buffer.concat(messages.flatMap((message) => [Buffer.alloc(300, 1), identifier, Buffer.from(message, 'hex')])));

describe('the date of a camcorder recording', () => {
  it('is in the video stream, with its zone', () => {
    expect(camcorderDate(stream('02180220081219 31231624'.replaceAll(' ', '')))).toBe('2008-12-31T23:16:24+01:00');
    expect(camcorderDate(stream('0218ff2019041924222400'))).toBe('2019-04-24T22:24:00');
  });
  it('comes after other entries, with the bytes that the stream inserts', () => {
    // 14 00 00 00 00 is stored as 14 00 00 03 00 00; the zone states summer time.
    expect(camcorderDate(stream('0413131000001400000300001844201904192422240000'))).toBe('2019-04-24T22:24:00');
  });
  it('is taken from the next message if one is cut off or invalid', () => {
    expect(camcorderDate(stream('0218', '0218022008991931231624', '02180220081219 31231624'.replaceAll(' ', '')))).toBe(
      '2008-12-31T23:16:24+01:00',
    );
    expect(camcorderDate(stream('0218'))).toBeUndefined();
  });
});
