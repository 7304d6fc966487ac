/** Texts with endless lines, records or numbers. */
import type { HostileCase } from '../hostile-case.ts';

export const lines: HostileCase[] = [
  { family: 'text', name: 'one line of 40 MB', filename: 'line.txt', build: () => Buffer.alloc(40_000_000, 0x61), endings: ['result'] },
  { family: 'text', name: '20 million empty lines', filename: 'lines.txt', build: () => Buffer.alloc(20_000_000, 10), endings: ['result'] },
  {
    family: 'text',
    name: 'a row of 20 million cells',
    filename: 'cells.csv',
    build: () => Buffer.alloc(20_000_000, 0x2c),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'a quote that never ends',
    filename: 'quote.csv',
    build: () => Buffer.from(`a,b\n"${'x,'.repeat(5_000_000)}`),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'spaces after a heading mark',
    filename: 'heading.md',
    build: () => Buffer.from(`# ${' '.repeat(5_000_000)}x`),
    endings: ['result'],
  },
  {
    family: 'text',
    name: 'nothing but 0xFF',
    filename: 'ff.txt',
    build: () => Buffer.alloc(1_000_000, 0xff),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'text',
    name: 'broken UTF-8',
    filename: 'broken.txt',
    build: () => Buffer.from('\xf0\x28\x8c\x28\xed\xa0\x80'.repeat(50_000), 'latin1'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'text',
    name: 'lone surrogates',
    filename: 'lone.txt',
    build: () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(100_000, 0xd8)]),
    endings: ['result'],
  },
];
