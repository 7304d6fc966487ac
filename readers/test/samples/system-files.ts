/** Builders of small programs, fonts, tables, packet captures and MIDI songs. */
import { writeFileSync } from 'node:fs';

/** A 64-bit little-endian ELF file; an executable also names its interpreter. */
export function makeElf(machine = 62, type = 3, interpreted = true): Buffer {
  const bytes = Buffer.alloc(64 + 56);
  bytes.write('\x7fELF\x02\x01\x01\x00', 0, 'latin1');
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(interpreted ? 3 : 1, 64);
  return bytes;
}

export function makePe(machine = 0x8664, library = false): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128, 'latin1');
  bytes.writeUInt16LE(machine, 132);
  bytes.writeUInt32LE(1_600_000_000, 136);
  bytes.writeUInt16LE(240, 148);
  bytes.writeUInt16LE(library ? 0x2002 : 2, 150);
  bytes.writeUInt16LE(machine === 0x14c ? 0x10b : 0x20b, 152);
  bytes.writeUInt16LE(3, 152 + 68);
  return bytes;
}

export function makeMachO(): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(0x0100000c, 4);
  bytes.writeUInt32LE(6, 12);
  return bytes;
}

/** A dBase table with two fields. */
export function makeDbf(rows = 2, declared = rows): Buffer {
  const head = Buffer.alloc(32 + 64 + 1);
  head[0] = 3;
  head.set([124, 5, 6], 1);
  head.writeUInt32LE(declared, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(21, 10);
  head.write('NAME', 32, 'latin1');
  head.write('C', 43, 'latin1');
  head[48] = 12;
  head.write('PRICE', 64, 'latin1');
  head.write('N', 75, 'latin1');
  head[80] = 8;
  head[96] = 0x0d;
  return Buffer.concat([head, Buffer.alloc(rows * 21, 0x20)]);
}

/** A Parquet file with only a footer: 7 rows of `id` and `label`. */
export function makeParquet(): Buffer {
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const leaf = (type: number, text: string): number[] => [0x15, type * 2, 0x38, ...name(text), 0];
  const root = [0x48, ...name('schema'), 0];
  const footer = Buffer.from([
    0x15,
    2,
    0x19,
    0x3c,
    ...root,
    ...leaf(2, 'id'),
    ...leaf(6, 'label'),
    0x16,
    14,
    0x19,
    0x0c,
    0x28,
    ...name('sample'),
    0,
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}

/** A capture of three packets, one second apart. */
export function makePcap(): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(1, 20);
  const packets = [0, 1, 2].map((i) => {
    const record = Buffer.alloc(16 + 60);
    record.writeUInt32LE(1_700_000_000 + i, 0);
    record.writeUInt32LE(60, 8);
    record.writeUInt32LE(60, 12);
    return record;
  });
  return Buffer.concat([head, ...packets]);
}

export function makePcapNg(): Buffer {
  const block = (type: number, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(type, 0);
    head.writeUInt32LE(body.length + 12, 4);
    return Buffer.concat([head, body, head.subarray(4)]);
  };
  const section = Buffer.alloc(16);
  section.writeUInt32LE(0x1a2b3c4d, 0);
  const link = Buffer.alloc(8);
  link.writeUInt16LE(1, 0);
  const packet = Buffer.alloc(20 + 60);
  packet.writeUInt32LE(Math.floor((1_700_000_000 * 1e6) / 2 ** 32), 4);
  packet.writeUInt32LE((1_700_000_000 * 1e6) % 2 ** 32, 8);
  packet.writeUInt32LE(60, 12);
  packet.writeUInt32LE(60, 16);
  return Buffer.concat([block(0x0a0d0d0a, section), block(1, link), block(6, packet), block(6, packet)]);
}

/** A MIDI file with one track: four quarter notes at 120 beats per minute. */
export function makeMidi(): Buffer {
  const note = [0x00, 0x90, 60, 90, 0x60, 60, 0];
  const events = [
    0,
    0xff,
    3,
    5,
    ...Buffer.from('Piano'),
    0,
    0xff,
    0x51,
    3,
    0x07,
    0xa1,
    0x20,
    ...note,
    ...note,
    ...note,
    ...note,
    0,
    0xff,
    0x2f,
    0,
  ];
  const head = Buffer.from([...Buffer.from('MThd'), 0, 0, 0, 6, 0, 0, 0, 1, 0, 96]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(events.length);
  return Buffer.concat([head, Buffer.from('MTrk'), length, Buffer.from(events)]);
}

/** A database written by SQLite itself. */
export async function writeSqlite(path: string, statements: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  writeFileSync(path, '');
  const db = new DatabaseSync(path);
  db.exec(statements);
  db.close();
}

const u16 = (...values: number[]): Buffer => {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    out.writeUInt16BE(value & 0xffff, i * 2);
  });
  return out;
};

/** A TrueType font with a box for each letter from A to z. */
export function makeTrueType(family = 'Sample Sans', declaredTables?: number): Buffer {
  const square = Buffer.concat([u16(1, 0, 0, 600, 700, 3, 0), Buffer.from([1, 1, 1, 1]), u16(0, 600, 0, -600 & 0xffff), u16(0, 0, 700, 0)]);
  const names: [number, string][] = [
    [1, family],
    [2, 'Regular'],
    [4, `${family} Regular`],
    [5, 'Version 1.5'],
  ];
  const strings = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  let at = 0;
  const records = names.map(([id], i) => {
    const record = u16(3, 1, 0x409, id, strings[i]!.length, at);
    at += strings[i]!.length;
    return record;
  });
  const head = Buffer.alloc(54);
  head.writeUInt16BE(1000, 18);
  u16(0, 0, 600, 700).copy(head, 36);
  head.writeUInt16BE(1, 50);
  const hhea = Buffer.alloc(36);
  u16(800, -200).copy(hhea, 4);
  hhea.writeUInt16BE(2, 34);
  const loca = Buffer.alloc(12);
  loca.writeUInt32BE(square.length, 8);
  const codes = Array.from({ length: 58 }, (_, i) => 65 + i);
  const cmap = Buffer.concat([
    u16(0, 1, 3, 1),
    Buffer.from([0, 0, 0, 12]),
    u16(4, 32, 0, 4, 4, 1, 0, codes.at(-1)!, 0xffff, 0, codes[0]!, 0xffff, 0, 0, 4, 0),
    u16(...codes.map(() => 1)),
  ]);
  cmap.writeUInt16BE(cmap.length - 12, 14);
  const maxp = Buffer.alloc(32);
  maxp.writeUInt32BE(0x00010000, 0);
  maxp.writeUInt16BE(2, 4);
  const os2 = Buffer.alloc(78);
  os2.writeUInt16BE(400, 4);
  const tables: [string, Buffer][] = [
    ['OS/2', os2],
    ['cmap', cmap],
    ['glyf', square],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', u16(700, 0, 700, 0)],
    ['loca', loca],
    ['maxp', maxp],
    ['name', Buffer.concat([u16(0, names.length, 6 + names.length * 12), ...records, ...strings])],
  ];
  const directory = Buffer.alloc(12 + tables.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(declaredTables ?? tables.length, 4);
  let offset = directory.length;
  tables.forEach(([tag, data], i) => {
    directory.write(tag, 12 + i * 16, 'latin1');
    directory.writeUInt32BE(offset, 12 + i * 16 + 8);
    directory.writeUInt32BE(data.length, 12 + i * 16 + 12);
    offset += data.length;
  });
  return Buffer.concat([directory, ...tables.map(([, data]) => data)]);
}
