/** Builds OLE2 compound files with sectors of 512 bytes; streams below 4096 bytes go into the mini stream. */
import { u16le, u32le } from './sample.ts';

const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

export function makeCompoundFile(streams: Record<string, Buffer>): Buffer {
  const tree = nest(streams);
  const entries: { name: string; type: number; child: number; right: number; start: number; size: number }[] = [];
  const sectors: Buffer[] = [];
  const table: number[] = [];
  const small: Buffer[] = [];
  const smallTable: number[] = [];
  const store = (bytes: Buffer): number => {
    const first = sectors.length;
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const piece = Buffer.alloc(SECTOR);
      bytes.copy(piece, 0, at, at + SECTOR);
      sectors.push(piece);
      table.push(sectors.length);
    }
    table[table.length - 1] = END;
    return first;
  };
  const add = (name: string, node: Node): number => {
    const index = entries.length;
    entries.push({ name, type: index === 0 ? 5 : node instanceof Map ? 1 : 2, child: FREE, right: FREE, start: END, size: 0 });
    const entry = entries[index] as (typeof entries)[number];
    if (node instanceof Map) {
      let before: number | undefined;
      for (const [childName, child] of node) {
        const at = add(childName, child);
        if (before === undefined) entry.child = at;
        else (entries[before] as typeof entry).right = at;
        before = at;
      }
    } else {
      entry.size = node.length;
      if (node.length >= 4096) entry.start = store(node);
      else if (node.length > 0) {
        entry.start = smallTable.length;
        for (let at = 0; at < node.length; at += 64) {
          const piece = Buffer.alloc(64);
          node.copy(piece, 0, at, at + 64);
          small.push(piece);
          smallTable.push(smallTable.length + 1);
        }
        smallTable[smallTable.length - 1] = END;
      }
    }
    return index;
  };
  add('Root Entry', tree);
  const root = entries[0] as (typeof entries)[number];
  const smallBytes = Buffer.concat(small);
  root.size = smallBytes.length;
  root.start = smallBytes.length === 0 ? END : store(smallBytes);
  const smallTableStart = smallTable.length === 0 ? END : store(Buffer.concat(smallTable.map(u32le)));
  const directory = Buffer.concat(entries.map((entry) => directoryEntry(entry)));
  const directoryStart = store(Buffer.concat([directory, Buffer.alloc((SECTOR - (directory.length % SECTOR)) % SECTOR)]));
  const tableSectors = Math.ceil((table.length + 16) / (SECTOR / 4));
  const tableStart = sectors.length;
  const full = [...table, ...Array.from({ length: tableSectors }, () => 0xfffffffd)];
  while (full.length < tableSectors * (SECTOR / 4)) full.push(FREE);
  const tableBytes = Buffer.concat(full.map(u32le));
  for (let i = 0; i < tableSectors; i++) sectors.push(tableBytes.subarray(i * SECTOR, (i + 1) * SECTOR));
  const head = Buffer.alloc(SECTOR, 0xff);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head, 0);
  head.fill(0, 8, 76);
  u16le(0x3e).copy(head, 24);
  u16le(3).copy(head, 26);
  u16le(0xfffe).copy(head, 28);
  u16le(9).copy(head, 30);
  u16le(6).copy(head, 32);
  u32le(tableSectors).copy(head, 44);
  u32le(directoryStart).copy(head, 48);
  u32le(4096).copy(head, 56);
  u32le(smallTableStart).copy(head, 60);
  u32le(Math.ceil((smallTable.length * 4) / SECTOR)).copy(head, 64);
  u32le(END).copy(head, 68);
  for (let i = 0; i < tableSectors; i++) u32le(tableStart + i).copy(head, 76 + i * 4);
  return Buffer.concat([head, ...sectors]);
}

type Node = Buffer | Map<string, Node>;

function nest(streams: Record<string, Buffer>): Map<string, Node> {
  const root = new Map<string, Node>();
  for (const [path, bytes] of Object.entries(streams)) {
    const parts = path.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      if (!folder.has(part)) folder.set(part, new Map());
      folder = folder.get(part) as Map<string, Node>;
    }
    folder.set(parts.at(-1) as string, bytes);
  }
  return root;
}

function directoryEntry(entry: { name: string; type: number; child: number; right: number; start: number; size: number }): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(entry.name, 0, 62, 'utf16le');
  u16le((entry.name.length + 1) * 2).copy(bytes, 64);
  bytes[66] = entry.type;
  bytes[67] = 1;
  u32le(FREE).copy(bytes, 68);
  u32le(entry.right).copy(bytes, 72);
  u32le(entry.child).copy(bytes, 76);
  u32le(entry.start).copy(bytes, 116);
  u32le(entry.size).copy(bytes, 120);
  return bytes;
}

/** A summary information stream with strings (type 30), integers (3) and file times (64). */
export function makePropertySet(values: Record<number, string | number | Date | Buffer>): Buffer {
  const rows: Buffer[] = [];
  const places: Buffer[] = [];
  const list = Object.entries<string | number | Date | Buffer>({ 1: 65_001, ...values });
  let at = 8 + list.length * 8;
  for (const [id, value] of list) {
    let body: Buffer;
    if (typeof value === 'number')
      body = id === '1' ? Buffer.concat([u32le(2), u16le(value), u16le(0)]) : Buffer.concat([u32le(3), u32le(value)]);
    else if (typeof value === 'string') {
      const text = Buffer.from(`${value}\0`);
      body = Buffer.concat([u32le(30), u32le(text.length), text, Buffer.alloc((4 - (text.length % 4)) % 4)]);
    } else if (Buffer.isBuffer(value)) {
      // A picture in a format of the Windows clipboard.
      body = Buffer.concat([u32le(71), u32le(value.length + 4), u32le(0xffffffff), value]);
    } else {
      const ticks = Buffer.alloc(8);
      ticks.writeBigUInt64LE(BigInt(value.getTime() + 11_644_473_600_000) * 10_000n);
      body = Buffer.concat([u32le(64), ticks]);
    }
    places.push(u32le(Number(id)), u32le(at));
    rows.push(body);
    at += body.length;
  }
  const section = Buffer.concat([u32le(at), u32le(list.length), ...places, ...rows]);
  return Buffer.concat([u16le(0xfffe), u16le(0), Buffer.alloc(20), u32le(1), Buffer.alloc(16), u32le(48), section]);
}
