/** Valid samples of formats that are read by their headers: old archives, compiled help, iWork documents, Hyper-V disks. */

import { makeZip } from './archives.ts';
import { asDynamicVhd, asQcow2, asVdi, asVmdk, makeRawDisk } from './disk-images.ts';
import { makeIwa, makeNumbers } from './iwork.ts';
import { type Sample, u16le, u32be, u32le } from './sample.ts';

const u64le = (value: number): Buffer => {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
};
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

export function makeAce(members: readonly { name: string; data: string }[]): Buffer {
  const block = (type: number, flags: number, rest: Buffer): Buffer =>
    Buffer.concat([u16le(0), u16le(3 + rest.length), Buffer.from([type]), u16le(flags), rest]);
  const main = block(0, 0, Buffer.concat([text('**ACE**'), Buffer.alloc(18)]));
  const files = members.map(({ name, data }) => {
    const rest = [
      u32le(data.length),
      u32le(data.length),
      u32le(0),
      u32le(0x20),
      u32le(0),
      u32le(0),
      u16le(0),
      u16le(name.length),
      text(name),
    ];
    return Buffer.concat([block(1, 1, Buffer.concat(rest)), text(data)]);
  });
  return Buffer.concat([main, ...files]);
}

export function makeArc(members: readonly { name: string; data: string }[]): Buffer {
  const entries = members.map(({ name, data }) => {
    const head = Buffer.alloc(29);
    head[0] = 0x1a;
    head[1] = 2;
    head.write(name, 2, 12, 'latin1');
    head.writeUInt32LE(data.length, 15);
    head.writeUInt32LE(data.length, 25);
    return Buffer.concat([head, text(data)]);
  });
  return Buffer.concat([...entries, Buffer.from([0x1a, 0])]);
}

export function makeZoo(members: readonly { name: string; data: string }[]): Buffer {
  const head = Buffer.alloc(42);
  head.write('ZOO 2.10 Archive.\u001a', 0, 'latin1');
  head.writeUInt32LE(0xfdc4a7dc, 20);
  head.writeUInt32LE(42, 24);
  const parts: Buffer[] = [head];
  let at = 42;
  for (const { name, data } of [...members, { name: '', data: '' }]) {
    const entry = Buffer.alloc(51);
    entry.writeUInt32LE(0xfdc4a7dc, 0);
    if (name !== '') entry.writeUInt32LE(at + 51 + data.length, 6);
    entry.writeUInt32LE(data.length, 20);
    entry.write(name, 38, 12, 'latin1');
    parts.push(entry, text(data));
    at += 51 + data.length;
  }
  return Buffer.concat(parts);
}

const lz4 = Buffer.concat([
  u32le(0x184d2204),
  Buffer.from([0x48, 0x40]),
  u64le(5),
  Buffer.from([0]),
  u32le(0x80000005),
  text('hello'),
  u32le(0),
]);

/** An lzip member: header, compressed bytes (which are not read), checksum and sizes. */
function makeLzip(): Buffer {
  const packed = Buffer.alloc(12, 7);
  return Buffer.concat([text('LZIP'), Buffer.from([1, 12]), packed, u32le(0), u64le(4000), u64le(6 + packed.length + 20)]);
}

function makeLzop(): Buffer {
  const name = 'notes.txt';
  const head = [
    Buffer.from('894c5a4f000d0a1a0a', 'hex'),
    Buffer.from('1030', 'hex'),
    Buffer.from('20a0', 'hex'),
    Buffer.from('0940', 'hex'),
  ];
  const rest = [Buffer.from([1, 5]), u32be(1), u32be(0o100644), u32be(0), u32be(0), Buffer.from([name.length]), text(name), u32be(0)];
  return Buffer.concat([...head, ...rest, u32be(5), u32be(5), u32be(0), text('hello'), u32be(0)]);
}

/** The variable-length integer of compiled help: seven bits per byte, most significant first. */
function encodedInt(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

/** Compiled help with uncompressed members in one directory chunk. */
function makeChm(): Buffer {
  const title = Buffer.from('Gardener handbook\0', 'latin1');
  const system = Buffer.concat([u32le(3), u16le(3), u16le(title.length), title]);
  const files: [string, Buffer][] = [
    ['/#SYSTEM', system],
    ['/intro.htm', Buffer.from('<html><body><h1>Roses</h1><p>Water the roses at dawn.</p></body></html>')],
    ['/trees.html', Buffer.from('<html><body><p>Prune the trees in March.</p></body></html>')],
  ];
  const section = Buffer.from('Uncompressed\0', 'utf16le');
  const sections = Buffer.concat([u16le(12), section]);
  files.push(['::DataSpace/NameList', Buffer.concat([u16le((4 + sections.length) / 2), u16le(1), sections])]);
  let offset = 0;
  const entries = files.map(([name, data]) => {
    const entry = Buffer.concat([encodedInt(name.length), text(name), encodedInt(0), encodedInt(offset), encodedInt(data.length)]);
    offset += data.length;
    return entry;
  });
  const chunkBytes = 4096;
  const list = Buffer.concat(entries);
  const free = chunkBytes - 20 - list.length;
  const chunk = Buffer.concat([text('PMGL'), u32le(free), u32le(0), u32le(0xffffffff), u32le(0xffffffff), list, Buffer.alloc(free)]);
  chunk.writeUInt16LE(files.length, chunkBytes - 2);
  const guid = Buffer.from('6a92025d2e21d0119df900a0c922e6ec', 'hex');
  const directory = Buffer.concat([
    ...[text('ITSP'), u32le(1), u32le(0x54), u32le(10), u32le(chunkBytes), u32le(2), u32le(1), u32le(0xffffffff), u32le(0), u32le(0)],
    ...[u32le(0xffffffff), u32le(1), u32le(0x409), guid, u32le(0x54), u32le(0xffffffff), u32le(0xffffffff), u32le(0xffffffff), chunk],
  ]);
  const sectionAt = 0x60;
  const directoryAt = sectionAt + 0x18;
  const contentAt = directoryAt + directory.length;
  const content = Buffer.concat(files.map(([, data]) => data));
  const size = contentAt + content.length;
  const guids = Buffer.from('10fd017caa7bd0119e0c00a0c922e6ec11fd017caa7bd0119e0c00a0c922e6ec', 'hex');
  return Buffer.concat([
    ...[text('ITSF'), u32le(3), u32le(0x60), u32le(1), u32le(0), u32le(0x409), guids],
    ...[u64le(sectionAt), u64le(0x18), u64le(directoryAt), u64le(directory.length), u64le(contentAt)],
    ...[u32le(0x1fe), u32le(0), u64le(size), u32le(0), u32le(0), directory, content],
  ]);
}

/** With `disk`, the image contains one block of it, listed in the block table. */
export function makeVhdx(virtualSize: number, disk: Buffer = Buffer.alloc(0)): Buffer {
  const megabyte = 1024 * 1024;
  const out = Buffer.alloc(3 * megabyte);
  out.write('vhdxfile', 0, 'latin1');
  out.write('Catalog sample', 8, 'utf16le');
  const regions = 192 * 1024;
  out.write('regi', regions, 'latin1');
  const facts = megabyte;
  const blocks = 2 * megabyte;
  const named = (at: number, guid: string): number => Buffer.from(guid, 'hex').copy(out, at);
  out.writeUInt32LE(2, regions + 8);
  named(regions + 16, '06a27c8b90479a4bb8fe575f050f886e');
  out.writeBigUInt64LE(BigInt(facts), regions + 32);
  named(regions + 48, '6677c22d23f600429d64115e9bfd4a08');
  out.writeBigUInt64LE(BigInt(blocks), regions + 64);
  out.write('metadata', facts, 'latin1');
  out.writeUInt16LE(2, facts + 10);
  const item = (slot: number, guid: string, at: number, length: number): void => {
    named(facts + 32 + slot * 32, guid);
    out.writeUInt32LE(at, facts + 32 + slot * 32 + 16);
    out.writeUInt32LE(length, facts + 32 + slot * 32 + 20);
  };
  item(0, '2442a52f1bcd7648b2115dbed83bf4b8', 65_536, 8);
  item(1, '3767a1ca36fa434db3b633f0aa44e76b', 65_544, 8);
  out.writeBigUInt64LE(BigInt(virtualSize), facts + 65_536);
  out.writeUInt32LE(megabyte, facts + 65_544);
  if (disk.length > 0) out.writeBigUInt64LE((3n << 20n) | 6n, blocks);
  return Buffer.concat([out, disk]);
}

const members = [
  { name: 'NOTES.TXT', data: 'hello' },
  { name: 'PHOTO.JPG', data: 'pixels' },
];
const two = {
  archive: {
    member_count: 2,
    total_uncompressed: 11,
    members: [
      { name: 'NOTES.TXT', size: 5 },
      { name: 'PHOTO.JPG', size: 6 },
    ],
  },
};
const words = 'The gardener planted forty tulips along the southern wall of the house.';

const partitions = { linux: 'rootfs', windows: 'Daten C' };
const inside = { disk_image: { partitions: 2, filesystems: ['ext', 'ntfs'], labels: ['rootfs', 'Daten C'] } };

// biome-ignore format: one sample per line is easier to scan.
export const oldFormatSamples: readonly Sample[] = [
  { extractor: 'old-archive', filename: 'pack.ace', build: () => makeAce(members), expected: two },
  { extractor: 'old-archive', filename: 'pack.arc', build: () => makeArc(members), expected: two },
  { extractor: 'old-archive', filename: 'pack.zoo', build: () => makeZoo(members), expected: two },
  { extractor: 'old-archive', filename: 'notes.txt.lz4', build: () => lz4, expected: { archive: { format: 'lz4', total_uncompressed: 5, members: [{ name: 'notes.txt', size: 5 }] } } },
  { extractor: 'old-archive', filename: 'notes.txt.lz', build: makeLzip, expected: { archive: { format: 'lzip', total_uncompressed: 4000 } } },
  { extractor: 'old-archive', filename: 'packed.lzo', build: makeLzop, expected: { archive: { format: 'lzop', total_uncompressed: 5, members: [{ name: 'notes.txt', size: 5 }] } } },
  { extractor: 'compiled-help', filename: 'garden.chm', build: makeChm, title: 'Gardener handbook', word: 'roses', expected: { pages: 2, language: 'en' } },
  { extractor: 'iwork', filename: 'letter.pages', build: () => makeZip([{ name: 'Index/Document.iwa', data: makeIwa(words) }, { name: 'preview.jpg', data: 'x' }]),
    word: 'southern wall', expected: { application: 'Pages', format: 'iwork-13', has_preview: true } },
  { extractor: 'iwork', filename: 'old.pages', build: () => makeZip([{ name: 'index.xml', data: `<sl:document xmlns:sl="a" xmlns:sf="b"><sf:p>${words}</sf:p></sl:document>` }]),
    word: 'southern wall', expected: { format: 'iwork-09', has_preview: false } },
  { extractor: 'iwork', filename: 'costs.numbers', build: makeNumbers,
    word: 'Harbour dues -872.4 2009-10-01', expected: { application: 'Numbers', sheets: ['Quarter'], table_count: 1 } },
  { extractor: 'certificate', filename: 'talk.key', build: () => makeZip([{ name: 'Index/Document.iwa', data: makeIwa('Theme') }, { name: 'Index/Slide-12.iwa', data: makeIwa(words) }, { name: 'Index/Slide.iwa', data: makeIwa('Thank you all') }, { name: 'Index/TemplateSlide-3.iwa', data: makeIwa('x') }, { name: 'preview.jpg', data: 'x' }]),
    word: 'southern wall', expected: { application: 'Keynote', format: 'iwork-13', slides: 2, has_preview: true } },
  { extractor: 'certificate', filename: 'old-talk.key', build: () => makeZip([{ name: 'index.apxl', data: `<key:presentation xmlns:key="a" xmlns:sf="b"><sf:p>${words}</sf:p></key:presentation>` }]),
    word: 'southern wall', expected: { application: 'Keynote', format: 'iwork-09' } },
  { extractor: 'disk-image', filename: 'grown.vmdk', build: () => asVmdk(makeRawDisk(partitions)), expected: inside, title: 'rootfs' },
  { extractor: 'disk-image', filename: 'grown.qcow2', build: () => asQcow2(makeRawDisk(partitions)), expected: inside, title: 'rootfs' },
  { extractor: 'disk-image', filename: 'grown.vdi', build: () => asVdi(makeRawDisk(partitions)), expected: inside, title: 'rootfs' },
  { extractor: 'disk-image', filename: 'grown.vhd', build: () => asDynamicVhd(makeRawDisk(partitions)), expected: inside, title: 'rootfs' },
  { extractor: 'disk-image', filename: 'whole.vhdx', build: () => makeVhdx(1_048_576, makeRawDisk(partitions)), expected: inside, title: 'rootfs' },
  { extractor: 'disk-image', filename: 'machine.vhdx', build: () => makeVhdx(40_000_000_000), expected: { disk_image: { format: 'vhdx', virtual_size: 40_000_000_000, creator: 'Catalog sample' } } },
];
