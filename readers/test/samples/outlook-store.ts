/**
 * Outlook data files, both ANSI and Unicode: header, node and block trees of one page each, and heaps with properties. The messages are in
 * the root folder and are found by their parent in the node tree.
 */
import { type Sample, u16le, u32le } from './sample.ts';

type Value = number | string | Date | Buffer;
const kinds = { number: 0x0003, wide: 0x001f, narrow: 0x001e, time: 0x0040, binary: 0x0102 };

function ticks(date: Date): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(date.getTime() + 11_644_473_600_000) * 10_000n);
  return out;
}

/** A heap with one property table; values longer than four bytes follow it in the heap. */
function propertyHeap(properties: Record<number, Value>, narrow: boolean): Buffer {
  const allocations: Buffer[] = [];
  const rows = Object.entries(properties)
    .map(([id, value]) => ({ id: Number(id), value }))
    .sort((a, b) => a.id - b.id)
    .map(({ id, value }) => {
      if (typeof value === 'number') return Buffer.concat([u16le(id), u16le(kinds.number), u32le(value)]);
      const kind = typeof value === 'string' ? (narrow ? kinds.narrow : kinds.wide) : value instanceof Date ? kinds.time : kinds.binary;
      const bytes =
        typeof value === 'string' ? Buffer.from(value, narrow ? 'latin1' : 'utf16le') : value instanceof Date ? ticks(value) : value;
      allocations.push(bytes);
      return Buffer.concat([u16le(id), u16le(kind), u32le((allocations.length + 2) << 5)]);
    });
  const all = [Buffer.concat([Buffer.from([0xb5, 2, 6, 0]), u32le(2 << 5)]), Buffer.concat(rows), ...allocations];
  const places = [12];
  for (const part of all) places.push(places.at(-1)! + part.length);
  const padding = places.at(-1)! % 2;
  const map = Buffer.concat([u16le(all.length), u16le(0), ...places.map(u16le)]);
  const head = Buffer.concat([u16le(places.at(-1)! + padding), Buffer.from([0xec, 0xbc]), u32le(1 << 5), u32le(0)]);
  return Buffer.concat([head, ...all, Buffer.alloc(padding), map]);
}

export function makePst(generation: 'ansi' | 'unicode'): Buffer {
  const narrow = generation === 'ansi';
  const wide = (value: number): Buffer => (narrow ? u32le(value) : Buffer.concat([u32le(value), u32le(0)]));
  const message = (subject: string, body: string, sent: Date): Buffer =>
    propertyHeap({ 26: 'IPM.Note', 55: subject, 57: sent, 3098: 'Ann Example', 4096: body }, narrow);
  const names = propertyHeap(
    { 2: Buffer.alloc(16, 1), 3: Buffer.concat([u32le(0x8501), u16le(2), u16le(0)]), 4: Buffer.from('name') },
    narrow,
  );
  const nodes: { id: number; parent: number; data: Buffer }[] = [
    { id: 0x61, parent: 0, data: names },
    { id: 0x122, parent: 0x122, data: propertyHeap({ 12289: 'Top of the mailbox', 13826: 2, 13834: 0 }, narrow) },
    { id: (0x10000 << 5) | 4, parent: 0x122, data: message('Harvest', 'The plums are ripe.', new Date('2021-03-04T05:06:07Z')) },
    { id: (0x10001 << 5) | 4, parent: 0x122, data: message('Winter', 'The pond is frozen.', new Date('2021-12-24T18:00:00Z')) },
  ];
  const firstBlock = 0x4400;
  const blocks = nodes.map(({ data }, n) => ({ id: (n + 1) * 4, at: firstBlock + n * 1024, data }));
  const page = (kind: number, entries: Buffer[], size: number): Buffer => {
    const out = Buffer.alloc(512);
    Buffer.concat(entries).copy(out);
    const tail = narrow ? 496 : 488;
    Buffer.from([entries.length, Math.floor(tail / size), size, 0]).copy(out, tail);
    Buffer.from([kind, kind]).copy(out, narrow ? 500 : 496);
    return out;
  };
  const nodePage = page(
    0x81,
    nodes.map(({ id, parent }, n) =>
      Buffer.concat([wide(id), wide(blocks[n]!.id), wide(0), u32le(parent), narrow ? Buffer.alloc(0) : Buffer.alloc(4)]),
    ),
    narrow ? 16 : 32,
  );
  const blockPage = page(
    0x80,
    blocks.map(({ id, at, data }) =>
      Buffer.concat([wide(id), wide(at), u16le(data.length), u16le(2), narrow ? Buffer.alloc(0) : Buffer.alloc(4)]),
    ),
    narrow ? 12 : 24,
  );
  const out = Buffer.alloc(firstBlock + nodes.length * 1024);
  out.write('!BDN', 0, 'latin1');
  out.write('SM', 8, 'latin1');
  out.writeUInt16LE(narrow ? 14 : 23, 10);
  const [nodesAt, blocksAt] = [0x4000, 0x4200];
  const places = narrow ? { end: 168, nodes: 188, blocks: 196 } : { end: 184, nodes: 224, blocks: 240 };
  out.writeUInt32LE(out.length, places.end);
  out.writeUInt32LE(nodesAt, places.nodes);
  out.writeUInt32LE(blocksAt, places.blocks);
  nodePage.copy(out, nodesAt);
  blockPage.copy(out, blocksAt);
  for (const { at, data } of blocks) data.copy(out, at);
  return out;
}

const facts = {
  message_count: 2,
  truncated: false,
  folders: ['Top of the mailbox'],
  first_date: '2021-03-04T05:06:07.000Z',
  last_date: '2021-12-24T18:00:00.000Z',
};

export const outlookStoreSamples: readonly Sample[] = [
  {
    extractor: 'mailbox',
    filename: 'mail.pst',
    build: () => makePst('unicode'),
    expected: { mailbox: { ...facts, format: 'pst-unicode' } },
    word: 'plums',
  },
  {
    extractor: 'mailbox',
    filename: 'older.pst',
    build: () => makePst('ansi'),
    expected: { mailbox: { ...facts, format: 'pst-ansi' } },
    word: 'pond',
  },
];
