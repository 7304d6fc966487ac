const both32 = (value: number): Buffer => {
  const out = Buffer.alloc(8);
  out.writeUInt32LE(value);
  out.writeUInt32BE(value, 4);
  return out;
};
const both16 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt16LE(value);
  out.writeUInt16BE(value, 2);
  return out;
};

function directoryRecord(name: Buffer, sector: number, size: number, folder: boolean): Buffer {
  const length = 33 + name.length + ((33 + name.length) % 2);
  const record = Buffer.alloc(length);
  record[0] = length;
  both32(sector).copy(record, 2);
  both32(size).copy(record, 10);
  record[25] = folder ? 2 : 0;
  both16(1).copy(record, 28);
  record[32] = name.length;
  name.copy(record, 33);
  return record;
}

/** A plain ISO 9660 image with files in its root. */
export function makeIso(label: string, files: readonly { name: string; data: string }[]): Buffer {
  const sectorBytes = 2048;
  const root = 20;
  const sectors: Buffer[] = Array.from({ length: root + 1 + files.length }, () => Buffer.alloc(sectorBytes));
  const records = [directoryRecord(Buffer.from([0]), root, sectorBytes, true), directoryRecord(Buffer.from([1]), root, sectorBytes, true)];
  files.forEach((file, index) => {
    const data = Buffer.from(file.data);
    data.copy(sectors[root + 1 + index]!);
    records.push(directoryRecord(Buffer.from(`${file.name.toUpperCase()};1`), root + 1 + index, data.length, false));
  });
  Buffer.concat(records).copy(sectors[root]!);
  const volume = sectors[16]!;
  volume[0] = 1;
  volume.write('CD001\x01', 1, 'latin1');
  volume.write('LINUX'.padEnd(32), 8, 'latin1');
  volume.write(label.padEnd(32), 40, 'latin1');
  both32(sectors.length).copy(volume, 80);
  both16(1).copy(volume, 120);
  both16(1).copy(volume, 124);
  both16(sectorBytes).copy(volume, 128);
  both32(10).copy(volume, 132);
  volume.writeUInt32LE(18, 140);
  volume.writeUInt32BE(19, 148);
  directoryRecord(Buffer.from([0]), root, sectorBytes, true).copy(volume, 156);
  volume.write('A PUBLISHER'.padEnd(128), 318, 'latin1');
  volume.write('2024050607080900\0', 813, 'latin1');
  volume[881] = 1;
  for (const [sector, big] of [
    [18, false],
    [19, true],
  ] as const) {
    const table = sectors[sector]!;
    table[0] = 1;
    if (big) table.writeUInt32BE(root, 2);
    else table.writeUInt32LE(root, 2);
    table[6] = big ? 0 : 1;
    table[7] = big ? 1 : 0;
  }
  sectors[17]!.write('\xffCD001\x01', 0, 'latin1');
  return Buffer.concat(sectors);
}

export function makeQcow2(virtualSize: number): Buffer {
  const head = Buffer.alloc(4096);
  head.write('QFI\xfb', 0, 'latin1');
  head.writeUInt32BE(3, 4);
  head.writeBigUInt64BE(BigInt(virtualSize), 24);
  return head;
}

export function makeVhd(virtualSize: number): Buffer {
  const bytes = Buffer.alloc(2048);
  const footer = bytes.subarray(1536);
  footer.write('conectix', 0, 'latin1');
  footer.writeUInt32BE(86_400, 24);
  footer.write('win ', 28, 'latin1');
  footer.writeBigUInt64BE(BigInt(virtualSize), 48);
  footer.writeUInt32BE(3, 60);
  return bytes;
}

export function makeVmdk(sectors: number): Buffer {
  const bytes = Buffer.alloc(4096);
  bytes.write('KDMV', 0, 'latin1');
  bytes.writeUInt32LE(1, 4);
  bytes.writeBigUInt64LE(BigInt(sectors), 12);
  bytes.writeBigUInt64LE(1n, 28);
  bytes.write('# Disk DescriptorFile\nversion=1\nparentCID=ffffffff\ncreateType="monolithicSparse"\n', 512, 'latin1');
  return bytes;
}

export function makeExtImage(label: string): Buffer {
  const bytes = Buffer.alloc(8192);
  bytes.writeUInt16LE(0xef53, 1080);
  bytes.write(label, 1144, 'utf8');
  return bytes;
}

/** A raw disk with a partition table, a Linux partition and, inside an extended partition, a Windows partition. */
export function makeRawDisk(labels: { linux: string; windows: string }): Buffer {
  const sector = 512;
  const disk = Buffer.alloc(1024 * 1024);
  const record = (at: number, slot: number, kind: number, start: number, count: number): void => {
    disk[at + 446 + slot * 16 + 4] = kind;
    disk.writeUInt32LE(start, at + 446 + slot * 16 + 8);
    disk.writeUInt32LE(count, at + 446 + slot * 16 + 12);
    disk.writeUInt16LE(0xaa55, at + 510);
  };
  record(0, 0, 0x83, 64, 512);
  record(0, 1, 0x05, 1024, 1024);
  makeExtImage(labels.linux).copy(disk, 64 * sector);
  record(1024 * sector, 0, 0x07, 64, 512);
  makeNtfs(labels.windows).copy(disk, (1024 + 64) * sector);
  return disk;
}

/** The boot sector of NTFS and the file record that contains the label. */
function makeNtfs(label: string): Buffer {
  const bytes = Buffer.alloc(16_384);
  bytes.write('NTFS    ', 3, 'latin1');
  bytes.writeUInt16LE(512, 11);
  bytes[13] = 8;
  bytes.writeBigUInt64LE(512n, 40);
  bytes.writeBigUInt64LE(1n, 48);
  bytes.writeInt8(-10, 64);
  const record = bytes.subarray(4096 + 3 * 1024);
  const name = Buffer.from(label, 'utf16le');
  record.write('FILE', 0, 'latin1');
  record.writeUInt16LE(56, 20);
  record.writeUInt32LE(0x10, 56);
  record.writeUInt32LE(48, 60);
  record.writeUInt32LE(0x60, 104);
  record.writeUInt32LE(24 + name.length + (8 - (name.length % 8)), 108);
  record.writeUInt32LE(name.length, 120);
  record.writeUInt16LE(24, 124);
  name.copy(record, 128);
  return bytes;
}

function footerOf(disk: Buffer, kind: number, next: bigint): Buffer {
  const footer = Buffer.alloc(512);
  footer.write('conectix', 0, 'latin1');
  footer.writeUInt32BE(2, 8);
  footer.writeUInt32BE(0x10000, 12);
  footer.writeBigUInt64BE(next, 16);
  footer.writeBigUInt64BE(BigInt(disk.length), 40);
  footer.writeBigUInt64BE(BigInt(disk.length), 48);
  footer.writeUInt32BE(kind, 60);
  footer.writeUInt32BE(checksum(footer), 64);
  return footer;
}

function checksum(bytes: Buffer): number {
  return ~bytes.reduce((sum, byte) => (sum + byte) >>> 0, 0) >>> 0;
}

export const asFixedVhd = (disk: Buffer): Buffer => Buffer.concat([disk, footerOf(disk, 2, 0xffff_ffff_ffff_ffffn)]);

/** The blocks are stored in reverse order, so that a reader that ignores the block map fails. */
function backwards(disk: Buffer, blockBytes: number): { blocks: Buffer[]; place(block: number): number } {
  const count = Math.ceil(disk.length / blockBytes);
  const blocks = Array.from({ length: count }, (_, n) => disk.subarray((count - 1 - n) * blockBytes, (count - n) * blockBytes));
  return { blocks, place: (block) => count - 1 - block };
}

export function asDynamicVhd(disk: Buffer): Buffer {
  const blockBytes = 65_536;
  const { blocks, place } = backwards(disk, blockBytes);
  const footer = footerOf(disk, 3, 512n);
  const header = Buffer.alloc(1024);
  header.write('cxsparse', 0, 'latin1');
  header.fill(0xff, 8, 16);
  header.writeBigUInt64BE(1536n, 16);
  header.writeUInt32BE(0x10000, 24);
  header.writeUInt32BE(blocks.length, 28);
  header.writeUInt32BE(blockBytes, 32);
  header.writeUInt32BE(checksum(header), 36);
  const table = Buffer.alloc(512, 0xff);
  for (let n = 0; n < blocks.length; n++) table.writeUInt32BE((2048 + place(n) * (512 + blockBytes)) / 512, n * 4);
  const bitmap = Buffer.alloc(512, 0xff);
  return Buffer.concat([footer, header, table, ...blocks.flatMap((block) => [bitmap, block]), footer]);
}

export function asVdi(disk: Buffer): Buffer {
  const blockBytes = 65_536;
  const { blocks, place } = backwards(disk, blockBytes);
  const head = Buffer.alloc(4096);
  head.write('<<< Oracle VM VirtualBox Disk Image >>>\n', 0, 'latin1');
  for (const [at, value] of [
    [64, 0xbeda107f],
    [68, 0x10001],
    [72, 400],
    [76, 1],
    [340, 1024],
    [344, 4096],
    [360, 512],
    [376, blockBytes],
    [384, blocks.length],
    [388, blocks.length],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeBigUInt64LE(BigInt(disk.length), 368);
  for (let n = 0; n < blocks.length; n++) head.writeUInt32LE(place(n), 1024 + n * 4);
  return Buffer.concat([head, ...blocks]);
}

export function asVmdk(disk: Buffer): Buffer {
  const grain = 128;
  const { blocks, place } = backwards(disk, grain * 512);
  const head = Buffer.alloc(65_536);
  head.write('KDMV', 0, 'latin1');
  head.writeUInt32LE(1, 4);
  head.writeUInt32LE(3, 8);
  for (const [at, value] of [
    [12, disk.length / 512],
    [20, grain],
    [28, 1],
    [36, 1],
    [48, 16],
    [56, 16],
    [64, 128],
  ] as const)
    head.writeBigUInt64LE(BigInt(value), at);
  head.writeUInt32LE(512, 44);
  head.write('\n \r\n', 73, 'latin1');
  const extent = `RW ${disk.length / 512} SPARSE "a.vmdk"\n`;
  head.write(`# Disk DescriptorFile\nversion=1\nCID=fffffffe\nparentCID=ffffffff\ncreateType="monolithicSparse"\n${extent}`, 512, 'latin1');
  head.writeUInt32LE(17, 16 * 512);
  for (let n = 0; n < blocks.length; n++) head.writeUInt32LE(128 + place(n) * grain, 17 * 512 + n * 4);
  return Buffer.concat([head, ...blocks]);
}

export function asQcow2(disk: Buffer): Buffer {
  const cluster = 65_536;
  const { blocks, place } = backwards(disk, cluster);
  const head = Buffer.alloc(cluster * 5);
  head.write('QFI\xfb', 0, 'latin1');
  for (const [at, value] of [
    [4, 2],
    [20, 16],
    [36, 1],
    [56, 1],
  ] as const)
    head.writeUInt32BE(value, at);
  head.writeBigUInt64BE(BigInt(disk.length), 24);
  head.writeBigUInt64BE(BigInt(cluster), 40);
  head.writeBigUInt64BE(BigInt(cluster * 3), 48);
  head.writeBigUInt64BE(BigInt(cluster * 2) | (1n << 63n), cluster);
  for (let n = 0; n < blocks.length; n++) head.writeBigUInt64BE(BigInt(cluster * (5 + place(n))) | (1n << 63n), cluster * 2 + n * 8);
  head.writeBigUInt64BE(BigInt(cluster * 4), cluster * 3);
  for (let n = 0; n < 5 + blocks.length; n++) head.writeUInt16BE(1, cluster * 4 + n * 2);
  return Buffer.concat([head, ...blocks]);
}
