/** File and member names that look like options, paths, URLs or commands. */
import { makeTar, makeZip } from '../samples/archives.ts';
import { makeY4m } from '../samples/sounds.ts';
import { makePdf } from '../samples/texts.ts';
import type { HostileCase } from './hostile-case.ts';

const awkward = [
  '-i',
  '--help',
  '-rf',
  '-',
  '$(id)',
  '`id`',
  ';id',
  '|id',
  '&& id',
  '%s%n',
  '"quoted"',
  "it's",
  'line\nbreak',
  'tab\there',
  ' spaced ',
  'file:x',
  'concat:a',
  'http:x',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '~',
  '\u202egpj',
  'e\u0301',
  '\ud83d\ude00',
  'x'.repeat(200),
  '\\back',
  '#hash',
  '@at',
];

/** Formats whose extractor passes the file name to a tool. */
const outside: HostileCase[] = awkward.flatMap((name): HostileCase[] => [
  { family: 'names', name: 'a film', filename: `${name}.y4m`, build: () => makeY4m(16, 16, 1), endings: ['result'] },
  {
    family: 'names',
    name: 'a RAW file only exiftool could know',
    filename: `${name}.crw`,
    build: () => Buffer.from('II\x1a\0\0\0HEAPCCDR'.padEnd(600, '\0')),
    endings: ['corrupt', 'dependency', 'result'],
  },
]);

const long: HostileCase[] = ['-q', '-', '$(id)', 'line\nbreak'].map((name) => ({
  family: 'names',
  name: 'a long document',
  filename: `${name}.pdf`,
  build: () => makePdf(Array.from({ length: 14 }, (_, i) => `page ${i}`)),
  endings: ['result'],
}));

const paths = [
  '../../etc/passwd',
  '/etc/passwd',
  'C:\\windows\\system32\\x',
  'a\0b',
  '..\\..\\x',
  '//server/share',
  './././x',
  'a/../../../b',
  '\u202etxt.exe',
  '',
  'con',
  `${'d/'.repeat(2000)}x`,
];
const inside: HostileCase[] = paths.flatMap((path): HostileCase[] => [
  {
    family: 'names',
    name: 'member of a zip',
    filename: 'paths.zip',
    build: () => makeZip([{ name: path, data: 'x' }]),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'names',
    name: 'member of a tar',
    filename: 'paths.tar',
    build: () => makeTar([{ name: path, data: 'x' }], { longNames: 'pax' }),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'names',
    name: 'part of an e-book',
    filename: 'paths.epub',
    build: () =>
      makeZip([
        { name: 'META-INF/container.xml', data: `<c><rootfile full-path="book.opf"/></c>` },
        {
          name: 'book.opf',
          data: `<package><manifest><item id="a" href="${path.replace(/[\0<&"]/g, '')}"/></manifest><spine><itemref idref="a"/></spine></package>`,
        },
      ]),
    endings: ['result', 'corrupt', 'guard'],
  },
]);

export const names: readonly HostileCase[] = [...outside, ...long, ...inside];
