/** Wrapped mail, iWork packages and old archives that declare too much, nest too deeply or refer to themselves. */
import { makeZip } from '../../samples/archives.ts';
import { makeIwa } from '../../samples/iwork.ts';
import { makeDbx, makeTnef } from '../../samples/mails.ts';
import { makeAce, makeArc, makeZoo } from '../../samples/old-formats.ts';
import { makePst } from '../../samples/outlook-store.ts';
import { u16le, u32le } from '../../samples/sample.ts';
import type { HostileCase } from '../hostile-case.ts';

const huge = Buffer.from('ffffffffffff0f00', 'hex');
const one = [{ name: 'A.TXT', data: 'hello' }];

function with32(bytes: Buffer, at: number, value: number): Buffer {
  bytes.writeUInt32LE(value, at);
  return bytes;
}

/** A part whose compressed block declares a wrong size. */
function statedIwa(stated: number[]): Buffer {
  const packed = Buffer.from([...stated, 0, 65]);
  return Buffer.concat([Buffer.from([0]), u32le(packed.length).subarray(0, 3), packed]);
}

/** The best compression of one repeated letter: 64 letters in three bytes. */
function repeatingIwa(blocks: number): Buffer {
  const size = 1 + 64 * 5000;
  const varint = Buffer.from([(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14]);
  const packed = Buffer.concat([varint, Buffer.from([0, 65]), ...Array.from({ length: 5000 }, () => Buffer.from([(63 << 2) | 2, 1, 0]))]);
  const block = Buffer.concat([Buffer.from([0]), u32le(packed.length).subarray(0, 3), packed]);
  return Buffer.concat(Array.from({ length: blocks }, () => block));
}

function circular(generation: 'ansi' | 'unicode'): Buffer {
  const bytes = makePst(generation);
  const [page, tail] = [0x4000, generation === 'ansi' ? 496 : 488];
  bytes[page + tail + 3] = 1;
  for (let n = 0; n < 4; n++) bytes.writeUInt32LE(page, page + (generation === 'ansi' ? n * 12 + 8 : n * 24 + 16));
  return bytes;
}

const attachmentMark = Buffer.concat([Buffer.from([2]), u32le(0x00069002), u32le(0), u16le(0)]);

// biome-ignore format: one case per line is easier to scan.
export const containers: readonly HostileCase[] = [
  { family: 'covers', name: 'lz4 that states exabytes', filename: 'a.lz4', build: () => Buffer.concat([u32le(0x184d2204), Buffer.from([0x48, 0x40]), huge, Buffer.alloc(9)]), endings: ['guard'] },
  { family: 'covers', name: 'lzip that states exabytes', filename: 'a.lz', build: () => Buffer.concat([Buffer.from('LZIP\u0001\u000c', 'latin1'), Buffer.alloc(12), u32le(0), huge, u32le(38), u32le(0)]), endings: ['guard'] },
  { family: 'covers', name: 'ACE whose member states 4 GB', filename: 'a.ace', build: () => with32(makeAce(one), 32 + 11, 0xfffffff0), endings: ['guard'] },
  { family: 'covers', name: 'ARC whose member states 4 GB', filename: 'a.arc', build: () => with32(makeArc(one), 25, 0xfffffff0), endings: ['guard'] },
  { family: 'covers', name: 'ZOO whose entries lead in a circle', filename: 'a.zoo', build: () => with32(makeZoo(one), 42 + 6, 42), endings: ['result', 'corrupt'] },
  { family: 'covers', name: 'Pages part that states 4 GB', filename: 'a.pages', build: () => makeZip([{ name: 'Index/Document.iwa', data: statedIwa([0xff, 0xff, 0xff, 0xff, 0x0f]) }]), endings: ['guard'] },
  { family: 'covers', name: 'Pages part that repeats a letter 64 million times', filename: 'b.pages', build: () => makeZip([{ name: 'Index/Document.iwa', data: repeatingIwa(200) }]), endings: ['result', 'guard', 'corrupt'] },
  { family: 'covers', name: 'Numbers with 12,000 parts', filename: 'a.numbers', build: () => makeZip(Array.from({ length: 12_000 }, (_, n) => ({ name: `Index/${n}.iwa`, data: makeIwa('x') }))), endings: ['guard'] },
  { family: 'covers', name: 'signed mail nested 100,000 deep', filename: 'a.p7m', build: () => Buffer.from('3080'.repeat(100_000), 'hex'), endings: ['corrupt'] },
  { family: 'covers', name: 'signed mail that states 4 GB', filename: 'b.p7m', build: () => Buffer.from('3084fffffff006092a864886f70d010702', 'hex'), endings: ['corrupt'] },
  { family: 'covers', name: 'winmail.dat with 100,000 attachments', filename: 'winmail.dat', build: () => Buffer.concat([makeTnef(), ...Array.from({ length: 100_000 }, () => attachmentMark)]), endings: ['result'] },
  { family: 'covers', name: 'TNEF value that states 4 GB', filename: 'a.tnef', build: () => Buffer.concat([makeTnef().subarray(0, 6), Buffer.from([1]), u32le(0x00018004), u32le(0xfffffff0)]), endings: ['corrupt'] },
  { family: 'covers', name: 'Outlook Express pieces that follow themselves', filename: 'a.dbx', build: () => with32(makeDbx(['Subject: a\r\n\r\nb']), 0x24bc + 12, 0x24bc), endings: ['result'] },
  { family: 'covers', name: 'Outlook Express that counts 4 billion', filename: 'b.dbx', build: () => with32(makeDbx(['Subject: a\r\n\r\nb']), 0xc4, 0xffffffff), endings: ['corrupt'] },
  { family: 'covers', name: 'Outlook store whose tree is a circle', filename: 'a.pst', build: () => circular('unicode'), endings: ['corrupt'] },
  { family: 'covers', name: 'older Outlook store whose tree is a circle', filename: 'b.pst', build: () => circular('ansi'), endings: ['corrupt'] },
  { family: 'covers', name: 'Outlook store that promises 2 billion messages', filename: 'c.pst', build: () => { const bytes = makePst('unicode'); const at = bytes.indexOf(Buffer.from('02360300', 'hex')); return with32(bytes, at + 4, 0x7fffffff); }, endings: ['result', 'corrupt', 'guard'] },
];
