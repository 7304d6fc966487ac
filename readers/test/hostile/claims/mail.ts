/** Mail files that declare more messages and parts than they have. */
import { makeMbox } from '../../samples/texts.ts';
import type { HostileCase } from '../hostile-case.ts';

const message = (headers: string, body = '') => Buffer.from(`From: a@b.c\nSubject: x\n${headers}\n\n${body}`);
const deepParts = (depth: number) =>
  Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\n\n--b${i}\n`).join('');

export const mail: HostileCase[] = [
  {
    family: 'mail',
    name: 'mailbox of a million messages',
    filename: 'million.mbox',
    build: () => Buffer.from('From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\ny\n\n'.repeat(1_000_000)),
    endings: ['result'],
  },
  { family: 'mail', name: 'mailbox of 20,000 whole messages', filename: 'many.mbox', build: () => makeMbox(20_000), endings: ['result'] },
  {
    family: 'mail',
    name: 'mailbox of one line',
    filename: 'line.mbox',
    build: () => Buffer.from(`From ${'x'.repeat(30_000_000)}`),
    endings: ['result', 'guard'],
  },
  {
    family: 'mail',
    name: 'message of 20,000 parts inside each other',
    filename: 'deep.eml',
    build: () => message('', deepParts(20_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'multipart nested 20,000 deep from the top',
    filename: 'deeper.eml',
    build: () => Buffer.from(`From: a@b.c\n${deepParts(20_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'header of 20 MB',
    filename: 'header.eml',
    build: () => message(`X-Long: ${'x'.repeat(20_000_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '200,000 headers',
    filename: 'headers.eml',
    build: () => message('X: y\n'.repeat(200_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '100,000 recipients',
    filename: 'to.eml',
    build: () => message(`To: ${'a@b.c, '.repeat(100_000)}`),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: '20,000 attachments',
    filename: 'parts.eml',
    build: () =>
      message('Content-Type: multipart/mixed; boundary="b"', '--b\nContent-Disposition: attachment; filename="a"\n\nx\n'.repeat(20_000)),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'mail',
    name: 'data file that is nothing but its mark',
    filename: 'mark.pst',
    build: () => Buffer.concat([Buffer.from('!BDN'), Buffer.alloc(4096)]),
    endings: ['corrupt', 'result'],
  },
  {
    family: 'mail',
    name: 'data file of random numbers',
    filename: 'random.pst',
    build: () => {
      const bytes = Buffer.alloc(65_536);
      for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 167 + (i >> 8) * 31) & 255;
      bytes.write('!BDN');
      bytes[10] = 23;
      return bytes;
    },
    endings: ['corrupt', 'guard', 'result', 'timeout'],
  },
];
