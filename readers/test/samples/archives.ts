/** Builders of small archives, valid and hostile. */
import { crc32, deflateRawSync } from 'node:zlib';

interface SampleMember {
  name: string | Buffer;
  data?: Buffer | string;
  /** Wrong header values for hostile samples. */
  declaredSize?: number;
  offset?: number;
  store?: boolean;
  encrypted?: boolean;
}

const u16 = (value: number): Buffer => {
  const out = Buffer.alloc(2);
  out.writeUInt16LE(value);
  return out;
};
const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value >>> 0);
  return out;
};
const u64 = (value: number): Buffer => {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
};

/** A zip file. `zip64` writes 64-bit records even if not needed; `before` is put in front of the archive. */
export function makeZip(
  members: readonly SampleMember[],
  options: { zip64?: boolean; before?: Buffer; declaredCount?: number } = {},
): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const data = Buffer.from(member.data ?? '');
    const packed = member.store ? data : deflateRawSync(data, { level: 9 });
    const size = member.declaredSize ?? data.length;
    const facts = [u16(member.encrypted ? 0x801 : 0x800), u16(member.store ? 0 : 8), u32(0), u32(crc32(data))];
    const body = Buffer.concat([u32(0x04034b50), u16(20), ...facts, u32(packed.length), u32(size), u16(name.length), u16(0), name, packed]);
    const offset = member.offset ?? at;
    const extra = options.zip64 ? Buffer.concat([u16(1), u16(24), u64(size), u64(packed.length), u64(offset)]) : Buffer.alloc(0);
    const big = (value: number): Buffer => u32(options.zip64 ? 0xffffffff : value);
    central.push(
      Buffer.concat([
        ...[u32(0x02014b50), u16(45), u16(20), ...facts, big(packed.length), big(size), u16(name.length), u16(extra.length), u16(0)],
        ...[u16(0), u16(0), u32(0), big(offset), name, extra],
      ]),
    );
    if (member.offset === undefined) {
      local.push(body);
      at += body.length;
    }
  }
  const directory = Buffer.concat(central);
  const count = options.declaredCount ?? members.length;
  const before = options.before ?? Buffer.alloc(0);
  const record = Buffer.concat([
    ...[u32(0x06064b50), u64(44), u16(45), u16(45), u32(0), u32(0), u64(count), u64(count), u64(directory.length), u64(at)],
    ...[u32(0x07064b50), u32(0), u64(before.length + at + directory.length), u32(1)],
  ]);
  const end = options.zip64
    ? Buffer.concat([record, u32(0x06054b50), u16(0), u16(0), u16(0xffff), u16(0xffff), u32(0xffffffff), u32(0xffffffff), u16(0)])
    : Buffer.concat([u32(0x06054b50), u16(0), u16(0), u16(count), u16(count), u32(directory.length), u32(at), u16(0)]);
  return Buffer.concat([before, ...local, directory, end]);
}

/** A zip bomb: many directory entries that point to the same compressed bytes. */
export function makeOverlappingZip(copies: number): Buffer {
  const members: SampleMember[] = [{ name: 'kernel', data: Buffer.alloc(1 << 20) }];
  for (let i = 1; i < copies; i++) members.push({ name: `copy-${i}`, data: Buffer.alloc(1 << 20), offset: 0 });
  return makeZip(members);
}

function tarHeader(name: Buffer, size: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  name.copy(block, 0, 0, 100);
  block.write('0000644\0', 100, 'latin1');
  if (size < 8 ** 11) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)]);

export function makeTar(members: readonly (SampleMember & { type?: string })[], options: { longNames?: 'gnu' | 'pax' } = {}): Buffer {
  const blocks: Buffer[] = [];
  for (const member of members) {
    const name = Buffer.from(member.name);
    const data = Buffer.from(member.data ?? '');
    if (name.length > 100 && options.longNames === 'pax') {
      const body = paxRecord('path', name.toString());
      blocks.push(tarHeader(Buffer.from('PaxHeader'), body.length, 'x'), padded(body));
    } else if (name.length > 100) {
      blocks.push(tarHeader(Buffer.from('././@LongLink'), name.length + 1, 'L'), padded(Buffer.concat([name, Buffer.alloc(1)])));
    }
    blocks.push(tarHeader(name, member.declaredSize ?? data.length, member.type ?? '0'), padded(data));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length++;
  return Buffer.from(`${length}${rest}`);
}

/** A stored RAR 5 archive. */
export function makeRar(members: readonly { name: string; data: string | Buffer }[]): Buffer {
  const vint = (value: number): Buffer => {
    const out: number[] = [];
    do {
      out.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
      value = Math.floor(value / 128);
    } while (value > 0);
    return Buffer.from(out);
  };
  const block = (fields: Buffer): Buffer => {
    const sized = Buffer.concat([vint(fields.length), fields]);
    return Buffer.concat([u32(crc32(sized)), sized]);
  };
  const parts = [Buffer.from('526172211a070100', 'hex'), block(Buffer.concat([vint(1), vint(0), vint(0)]))];
  for (const member of members) {
    const name = Buffer.from(member.name);
    const data = Buffer.from(member.data);
    const fields = [vint(2), vint(2), vint(data.length), vint(4), vint(data.length), vint(0o100644), u32(crc32(data)), vint(0), vint(1)];
    parts.push(block(Buffer.concat([...fields, vint(name.length), name])), data);
  }
  parts.push(block(Buffer.concat([vint(5), vint(0), vint(0)])));
  return Buffer.concat(parts);
}

/** A cpio archive in the new ASCII format. */
export function makeCpio(members: readonly { name: string; data: string }[]): Buffer {
  const pad4 = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const entry = (name: string, data: Buffer, mode: number): Buffer => {
    const hex = (value: number): string => value.toString(16).padStart(8, '0');
    const fields = [1, mode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, name.length + 1, 0].map(hex).join('');
    return Buffer.concat([pad4(Buffer.from(`070701${fields}${name}\0`, 'latin1')), pad4(data)]);
  };
  return Buffer.concat([...members.map((m) => entry(m.name, Buffer.from(m.data), 0o100644)), entry('TRAILER!!!', Buffer.alloc(0), 0)]);
}
