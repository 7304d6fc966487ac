import { deflateSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { makeTrueType } from '../../../test/samples/system-files.ts';
import { font } from './font.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

/** Converts a TrueType font to WOFF by compressing each table. */
function toWoff(ttf: Buffer, falseSize = false): Buffer {
  const count = ttf.readUInt16BE(4);
  const head = Buffer.alloc(44);
  head.write('wOFF', 0, 'latin1');
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt16BE(count, 12);
  const records: Buffer[] = [];
  const bodies: Buffer[] = [];
  let at = 44 + count * 20;
  for (let i = 0; i < count; i++) {
    const entry = 12 + i * 16;
    const [offset, length] = [ttf.readUInt32BE(entry + 8), ttf.readUInt32BE(entry + 12)];
    const packed = deflateSync(falseSize ? Buffer.alloc(1 << 20) : ttf.subarray(offset, offset + length));
    const record = Buffer.alloc(20);
    record.write(ttf.toString('latin1', entry, entry + 4), 0, 'latin1');
    record.writeUInt32BE(at, 4);
    record.writeUInt32BE(packed.length, 8);
    record.writeUInt32BE(length === packed.length ? length + 1 : length, 12);
    records.push(record);
    bodies.push(packed);
    at += packed.length;
  }
  return Buffer.concat([head, ...records, ...bodies]);
}

it('reads family, style, full name, version and number of glyphs', async () => {
  const extracted = await font.read(samples.source('a.ttf', makeTrueType()));
  expect(extracted.title).toBe('Sample Sans Regular');
  expect(extracted.metadata['font']).toMatchObject({
    format: 'ttf',
    family: 'Sample Sans',
    subfamily: 'Regular',
    full_name: 'Sample Sans Regular',
    version: 'Version 1.5',
    glyphs: 2,
    weight: 400,
    outlines: 'glyf',
  });
});

it('reads the names of a WOFF font and of a collection', async () => {
  const woff = await font.read(samples.source('a.woff', toWoff(makeTrueType('Packed'))));
  expect(woff.metadata['font']).toMatchObject({ format: 'woff', family: 'Packed', glyphs: 2 });
  const inner = makeTrueType('Many');
  for (let i = 0; i < inner.readUInt16BE(4); i++) inner.writeUInt32BE(inner.readUInt32BE(12 + i * 16 + 8) + 16, 12 + i * 16 + 8);
  const collection = Buffer.concat([Buffer.from('ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10', 'latin1'), inner]);
  expect((await font.read(samples.source('a.ttc', collection))).metadata['font']).toMatchObject({ format: 'ttc', family: 'Many' });
});

it('reads the headers of Type 1, metrics and bitmap fonts', async () => {
  const pfa =
    '%!PS-AdobeFont-1.0: Utopia\n/FamilyName (Utopia) readonly def\n/FullName (Utopia Regular) def\n/FontName /Utopia-Regular def\n';
  expect((await font.read(samples.source('u.pfa', pfa))).metadata['font']).toMatchObject({
    format: 'type1',
    family: 'Utopia',
    postscript_name: 'Utopia-Regular',
  });
  const bdf = 'STARTFONT 2.1\nFONT -misc-fixed\nFAMILY_NAME "Fixed"\nCHARS 190\n';
  expect((await font.read(samples.source('f.bdf', bdf))).metadata['font']).toMatchObject({ family: 'Fixed', glyphs: 190 });
});

it('rejects a WOFF font that decompresses to more than its declared size as a guard', async () => {
  await expect(font.read(samples.source('bomb.woff', toWoff(makeTrueType(), true)))).rejects.toMatchObject({ kind: 'guard' });
});

it('rejects truncated, invalid and other files as corrupt', async () => {
  const whole = makeTrueType();
  for (const [name, bytes] of [
    ['cut.ttf', whole.subarray(0, 300)],
    ['text.ttf', Buffer.from('hello')],
    ['empty.otf', Buffer.alloc(0)],
    ['tables.ttf', makeTrueType('x', 60_000)],
    ['cut.woff', toWoff(whole).subarray(0, 260)],
    ['cut.woff2', Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(60, 1)])],
  ] as const) {
    await expect(font.read(samples.source(name, bytes)), name).rejects.toMatchObject({ kind: 'corrupt' });
  }
});
