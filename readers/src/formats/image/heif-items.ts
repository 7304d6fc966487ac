/** The primary item of a HEIF file: where its data is and which properties apply. All counts and offsets are untrusted. */
import type { FileBytes } from '../../input/file-bytes.ts';

export interface HeifItem {
  /** `unci` for uncompressed pictures, `hvc1` for HEVC, `jpeg`, `grid` and so on. */
  type: string;
  extents: { offset: number; length: number }[];
  /** In the order in which they apply. */
  properties: HeifBox[];
}

export interface HeifBox {
  type: string;
  body: Buffer;
}

const maxMetaBytes = 16 << 20;
const maxBoxes = 10_000;
const maxExtents = 100_000;

/** Returns null if the file has no item structure, or a damaged one. */
export function readPrimaryItem(file: FileBytes): HeifItem | null {
  try {
    const meta = findMeta(file);
    return meta === null ? null : primaryItem(meta.body, meta.offset);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Size of the upright picture and how it is coded; null if the file does not say. */
export function readHeifHeader(file: FileBytes): { width: number; height: number; type: string } | null {
  const item = readPrimaryItem(file);
  const size = item === null ? null : itemSize(item);
  if (item === null || size === null) return minimalHeader(file);
  const turned = item.properties.reduce((sum, box) => sum + itemTurns(box), 0) % 2 === 1;
  return { type: item.type, width: turned ? size.height : size.width, height: turned ? size.width : size.height };
}

/** Small pictures may have one short box instead of items: 13 bits of flags, the orientation, and the size in 7 or 15 bits each. */
function minimalHeader(file: FileBytes): { width: number; height: number; type: string } | null {
  const start = topLevelBox(file, 'mini')?.start;
  const bytes = start === undefined ? Buffer.alloc(0) : file.read(start, 8);
  if (bytes.length < 8) return null;
  const bits = bytes.readBigUInt64BE(0);
  const take = (at: number, length: number): number => Number((bits >> BigInt(64 - at - length)) & ((1n << BigInt(length)) - 1n));
  const length = take(16, 1) === 1 ? 15 : 7;
  const [width, height] = [take(17, length) + 1, take(17 + length, length) + 1];
  // Orientations from 5 on are turned by a quarter.
  const turned = take(13, 3) >= 4;
  return { type: 'mini', width: turned ? height : width, height: turned ? width : height };
}

/** Width and height of an item as stored, before it is turned. */
export function itemSize(item: HeifItem): { width: number; height: number } | null {
  const body = item.properties.find(({ type }) => type === 'ispe')?.body;
  return body === undefined || body.length < 12 ? null : { width: body.readUInt32BE(4), height: body.readUInt32BE(8) };
}

/** Quarter turns counter-clockwise. */
export const itemTurns = (box: HeifBox): number => (box.type === 'irot' ? (box.body[0] ?? 0) & 3 : 0);

function findMeta(file: FileBytes): { body: Buffer; offset: number } | null {
  const box = topLevelBox(file, 'meta');
  if (box === null) return null;
  const offset = box.start + 4;
  return { body: file.read(offset, Math.min(maxMetaBytes, box.end - offset)), offset };
}

function topLevelBox(file: FileBytes, name: string): { start: number; end: number } | null {
  for (let at = 0, n = 0; n < 64 && at + 16 <= file.size; n++) {
    const head = file.read(at, 16);
    const wide = head.readUInt32BE(0) === 1;
    const size = wide ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    const end = size === 0 ? file.size : at + size;
    if (head.toString('latin1', 4, 8) === name) return { start: at + (wide ? 16 : 8), end };
    if (size < 8) return null;
    at = end;
  }
  return null;
}

function* boxesIn(body: Buffer): Generator<HeifBox & { offset: number }> {
  for (let at = 0, n = 0; n < maxBoxes && at + 8 <= body.length; n++) {
    const size = body.readUInt32BE(at) || body.length - at;
    if (size < 8) return;
    yield { type: body.toString('latin1', at + 4, at + 8), body: body.subarray(at + 8, at + size), offset: at + 8 };
    at += size;
  }
}

function primaryItem(meta: Buffer, metaOffset: number): HeifItem | null {
  const boxes = new Map([...boxesIn(meta)].map((box) => [box.type, box]));
  const [primary, locations, items, properties] = ['pitm', 'iloc', 'iinf', 'iprp'].map((name) => boxes.get(name)?.body);
  if (!primary || !locations || !items || !properties) return null;
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4);
  const type = itemType(items, id);
  const data = boxes.get('idat');
  const extents = itemExtents(locations, id, data === undefined ? undefined : metaOffset + data.offset);
  return type === null || extents === null ? null : { type, extents, properties: itemProperties(properties, id) };
}

function itemType(items: Buffer, id: number): string | null {
  for (const { type, body } of boxesIn(items.subarray(items[0] === 0 ? 6 : 8))) {
    if (type !== 'infe' || (body[0] ?? 0) < 2) continue;
    const long = body[0] === 3;
    if ((long ? body.readUInt32BE(4) : body.readUInt16BE(4)) === id) return body.toString('latin1', long ? 10 : 8, long ? 14 : 12);
  }
  return null;
}

/** `dataOffset` is where the file holds the data box that extents of the second construction method refer to. */
function itemExtents(locations: Buffer, wanted: number, dataOffset: number | undefined): HeifItem['extents'] | null {
  const version = locations[0] ?? 0;
  let at = 4;
  const take = (bytes: number): number => {
    const value = bytes === 0 ? 0 : bytes === 8 ? Number(locations.readBigUInt64BE(at)) : locations.readUIntBE(at, bytes);
    at += bytes;
    return value;
  };
  const [sizes, more] = [take(1), take(1)];
  const count = take(version < 2 ? 2 : 4);
  for (let i = 0; i < count; i++) {
    const id = take(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : take(2) & 15;
    at += 2;
    const base = take(more >> 4);
    const amount = take(2);
    const extents: HeifItem['extents'] = [];
    for (let k = 0; k < Math.min(amount, maxExtents); k++) {
      if (version > 0) take(more & 15);
      extents.push({ offset: base + take(sizes >> 4), length: take(sizes & 15) });
    }
    if (id !== wanted) continue;
    if (method === 0) return extents;
    if (method !== 1 || dataOffset === undefined) return null;
    return extents.map(({ offset, length }) => ({ offset: offset + dataOffset, length }));
  }
  return null;
}

function itemProperties(properties: Buffer, wanted: number): HeifBox[] {
  const children = [...boxesIn(properties)];
  const all = [...boxesIn(children.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0))];
  const found: HeifBox[] = [];
  for (const { type, body } of children) {
    if (type !== 'ipma') continue;
    const [longId, longIndex] = [body[0] !== 0, ((body[3] ?? 0) & 1) === 1];
    let at = 8;
    for (let i = body.readUInt32BE(4); i > 0 && at < body.length; i--) {
      const id = longId ? body.readUInt32BE(at) : body.readUInt16BE(at);
      at += longId ? 4 : 2;
      const amount = body.readUInt8(at++);
      for (let k = 0; k < amount; k++) {
        const index = longIndex ? body.readUInt16BE(at) & 0x7fff : body.readUInt8(at) & 0x7f;
        at += longIndex ? 2 : 1;
        const box = all[index - 1];
        if (id === wanted && box !== undefined) found.push({ type: box.type, body: box.body });
      }
    }
  }
  return found;
}
