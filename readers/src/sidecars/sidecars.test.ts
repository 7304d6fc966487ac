import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseNfo } from './nfo.ts';
import { parsePlayerSidecar } from './player.ts';
import { readSidecarFile } from './read-sidecar.ts';

const nfo = `<?xml version="1.0"?>
<movie><title>Das Boot</title><year>1981</year><plot>A plot.</plot><genre>Drama</genre><genre>War</genre><runtime>120</runtime>
<actor><name>Ann</name><role>Her</role></actor><uniqueid type="imdb" default="true">tt0012345</uniqueid></movie>
https://www.example.org/title/tt0012345/`;

test('an NFO yields title, year, raw keys and external ids; text after the root element is ignored', () => {
  expect(parseNfo(nfo)).toMatchObject({
    title: 'Das Boot',
    year: 1981,
    raw: { nfo_kind: 'movie', nfo_title: 'Das Boot', nfo_year: 1981, nfo_genre: ['Drama', 'War'], nfo_runtime: 120, nfo_actors: ['Ann'] },
    externalIds: { imdb: 'tt0012345' },
  });
});

test.each([
  'not xml at all',
  '<album><title>x</title></album>',
  '<movie><title>cut',
  '<!DOCTYPE x [<!ENTITY a "aaaa">]><movie><title>&a;</title></movie>',
  '<movie><title>&undefined;</title></movie>',
  `<movie>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</movie>`,
  '',
])('text that is not a well-formed NFO is rejected: %s', (text) => {
  expect(parseNfo(text)).toBeNull();
});

test('a media player sidecar yields its fields under jr_ keys', () => {
  const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><MPL Version="2.0" Title="JRSidecar"><Item>
    <Field Name="Name">Air</Field><Field Name="Artist">Bach</Field><Field Name="Track #">3</Field><Field Name="Date (readable)">1731</Field>
    <Field Name="Something Else">x</Field></Item></MPL>`;
  expect(parsePlayerSidecar(text)).toEqual({
    title: 'Air',
    year: 1731,
    externalIds: {},
    raw: { jr_name: 'Air', jr_artist: 'Bach', jr_track: 3, jr_date: '1731', jr_year: 1731 },
  });
});

test.each([
  ['UTF-16', Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><movie><title>Amélie</title></movie>', 'utf16le')],
  ['Windows-1252', Buffer.from('<?xml version="1.0" encoding="windows-1252"?><movie><title>Amélie</title></movie>', 'latin1')],
  ['UTF-8', Buffer.from('\ufeff<movie><title>Amélie</title></movie>')],
])('an NFO in %s is read in its encoding', async (_name, bytes) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-nfo-'));
  writeFileSync(path.join(folder, 'a.nfo'), bytes);
  expect((await readSidecarFile(path.join(folder, 'a.nfo'), 'nfo'))?.title).toBe('Amélie');
  rmSync(folder, { recursive: true });
});
