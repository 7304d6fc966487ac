/** Builders of small disk images. */

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
