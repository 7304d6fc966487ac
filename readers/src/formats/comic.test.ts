import { afterAll, expect, it } from 'vitest';
import { makeRar, makeTar, makeZip } from '../../test/samples/archives.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { comic, pagesInOrder } from './comic.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const info = `\ufeff<?xml version="1.0"?><ComicInfo><Title>The Lake</Title><Series>North &amp; South</Series><Number>3</Number><Year>1987</Year>
<Writer>A. Writer</Writer><Summary>Two friends row out.</Summary><Pages><Page Image="0" Type="FrontCover"/></Pages></ComicInfo>`;
const members = [
  { name: 'page10.jpg', data: 'x' },
  { name: 'page2.jpg', data: 'x' },
  { name: '__MACOSX/page2.jpg', data: 'x' },
  { name: 'ComicInfo.xml', data: info },
];

it.each([
  ['a.cbz', makeZip(members)],
  ['a.cbt', makeTar(members)],
  ['a.cbr', makeRar(members)],
  ['really-a-zip.cbr', makeZip(members)],
])('counts the pages of %s and reads ComicInfo', async (name, bytes) => {
  const extracted = await comic.read(samples.source(name, bytes));
  expect(extracted).toMatchObject({ title: 'North & South #3: The Lake', year: 1987, bodyText: 'Two friends row out.' });
  expect(extracted.metadata).toMatchObject({ pages: 2, author: 'A. Writer', comic: { series: 'North & South', number: '3', year: 1987 } });
  expect(extracted.metadata['archive']).toMatchObject({ member_count: 4 });
});

it('sorts page 2 before page 10', () => {
  expect(pagesInOrder(['b/10.png', 'b/9.png', 'B/1.png', 'notes.txt', '.hidden.png'])).toEqual(['B/1.png', 'b/9.png', 'b/10.png']);
});

it('reads a comic without ComicInfo', async () => {
  const extracted = await comic.read(samples.source('plain.cbz', makeZip(members.slice(0, 2))));
  expect(extracted.metadata['pages']).toBe(2);
  expect(extracted.metadata['comic']).toBeUndefined();
  expect(extracted.title).toBeUndefined();
});

it('rejects entity expansion and an oversized ComicInfo as guards', async () => {
  const entities = '<!DOCTYPE c [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ComicInfo><Title>&b;</Title></ComicInfo>';
  const huge = { name: 'ComicInfo.xml', data: Buffer.from(Array.from({ length: 3 << 20 }, (_, i) => (i * 2654435761) >>> 11)) };
  for (const member of [{ name: 'ComicInfo.xml', data: entities }, huge]) {
    await expect(comic.read(samples.source('evil.cbz', makeZip([member])))).rejects.toMatchObject({ kind: 'guard' });
  }
});

it('rejects a truncated comic as corrupt', async () => {
  const whole = makeZip(members);
  await expect(comic.read(samples.source('cut.cbz', whole.subarray(0, whole.length - 40)))).rejects.toMatchObject({ kind: 'corrupt' });
});
