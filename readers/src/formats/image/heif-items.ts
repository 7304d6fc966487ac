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
  return readItem(file, (boxes) => {
    const primary = boxes.get('pitm')?.body;
    return primary === undefined ? null : primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4);
  });
}

const maxExifBytes = 1 << 20;

/** The Exif block, which is an item of its own. It starts with the distance to the TIFF structure. */
export function readHeifExif(file: FileBytes): Buffer | null {
  const item = readItem(file, (boxes) => listItems(boxes.get('iinf')?.body).find(({ type }) => type === 'Exif')?.id ?? null);
  const extent = item?.extents[0];
  const block = extent === undefined ? Buffer.alloc(0) : file.read(extent.offset, Math.min(extent.length || maxExifBytes, maxExifBytes));
  return block.length < 12 ? null : block.subarray(4 + Math.min(block.readUInt32BE(0), block.length - 4));
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

type Boxes = ReadonlyMap<string, HeifBox & { offset: number }>;

function readItem(file: FileBytes, choose: (boxes: Boxes) => number | null): HeifItem | null {
  try {
    const meta = findMeta(file);
    if (meta === null) return null;
    const boxes: Boxes = new Map([...boxesIn(meta.body)].map((box) => [box.type, box]));
    const id = choose(boxes);
    const type = listItems(boxes.get('iinf')?.body).find((item) => item.id === id)?.type;
    const [locations, properties, data] = ['iloc', 'iprp', 'idat'].map((name) => boxes.get(name));
    if (id === null || type === undefined || locations === undefined) return null;
    const extents = itemExtents(locations.body, id, data === undefined ? undefined : meta.offset + data.offset);
    return extents === null ? null : { type, extents, properties: properties === undefined ? [] : itemProperties(properties.body, id) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function listItems(items: Buffer = Buffer.alloc(0)): { id: number; type: string }[] {
  const found: { id: number; type: string }[] = [];
  for (const { type, body } of boxesIn(items.subarray(items[0] === 0 ? 6 : 8))) {
    if (type !== 'infe' || (body[0] ?? 0) < 2) continue;
    const long = body[0] === 3;
    const at = long ? 10 : 8;
    found.push({ id: long ? body.readUInt32BE(4) : body.readUInt16BE(4), type: body.toString('latin1', at, at + 4) });
  }
  return found;
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
