/** Builds HEIF files with one uncompressed picture (ISO 23001-17). The data is given as it is stored. */
import { u16be, u32be } from './sample.ts';

export interface UncompressedPicture {
  width: number;
  height: number;
  /** Type of the component (0 grey, 1 to 3 YCbCr, 4 to 6 RGB, 7 alpha), its bits, and the bytes it is aligned to. */
  components: readonly (readonly [type: number, bits: number, align: number])[];
  /** 0 component, 1 pixel, 2 mixed, 3 row, 4 tile, 5 several samples of brightness per pixel. */
  interleave: number;
  data: Buffer;
  /** 1 for 4:2:2, 2 for 4:2:0. */
  sampling?: number;
  blockBytes?: number;
  /** 0x80 for little-endian samples, 0x40 for padding below, 0x20 for little-endian blocks, 0x10 for reversed blocks. */
  flags?: number;
  pixelBytes?: number;
  rowAlign?: number;
  tileAlign?: number;
  columns?: number;
  rows?: number;
  /** Further properties of the item. */
  properties?: Buffer[];
  /** The type of the item, if it is not an uncompressed one. */
  type?: string;
  /** A TIFF structure of tags, stored as an item of its own. */
  tags?: Buffer;
}

export function makeUncompressedHeif(picture: UncompressedPicture): Buffer {
  const { width, height, components, columns = 1, rows = 1, properties = [] } = picture;
  const tags = picture.tags === undefined ? undefined : Buffer.concat([u32be(0), picture.tags]);
  const data = tags === undefined ? picture.data : Buffer.concat([picture.data, tags]);
  const items = [{ type: picture.type ?? 'unci', at: 0, length: picture.data.length }];
  if (tags !== undefined) items.push({ type: 'Exif', at: picture.data.length, length: tags.length });
  const own = [
    heifBox('ispe', u32be(0), u32be(width), u32be(height)),
    heifBox('cmpd', u32be(components.length), ...components.map(([type]) => u16be(type))),
    heifBox(
      'uncC',
      u32be(0),
      u32be(0),
      u32be(components.length),
      ...components.flatMap(([, bits, align], i) => [u16be(i), Buffer.from([bits - 1, 0, align])]),
      Buffer.from([picture.sampling ?? 0, picture.interleave, picture.blockBytes ?? 0, picture.flags ?? 0]),
      ...[picture.pixelBytes ?? 0, picture.rowAlign ?? 0, picture.tileAlign ?? 0, columns - 1, rows - 1].map(u32be),
    ),
    ...properties,
  ];
  const type = heifBox('ftyp', Buffer.from('mif2\0\0\0\0unifmif2miaf', 'latin1'));
  const meta = (offset: number): Buffer =>
    heifBox(
      'meta',
      u32be(0),
      heifBox('hdlr', u32be(0), u32be(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      heifBox('pitm', u32be(0), u16be(1)),
      heifBox('iinf', u32be(0), u16be(items.length), ...items.map(({ type }, i) => itemEntry(i + 1, type))),
      heifBox(
        'iloc',
        u32be(0),
        u16be(0x4400),
        u16be(items.length),
        ...items.flatMap(({ at, length }, i) => [u16be(i + 1), u16be(0), u16be(1), u32be(offset + at), u32be(length)]),
      ),
      heifBox(
        'iprp',
        heifBox('ipco', ...own),
        heifBox('ipma', u32be(0), u32be(1), u16be(1), Buffer.from([own.length, ...own.map((_, i) => i + 1)])),
      ),
    );
  const offset = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(offset), heifBox('mdat', data)]);
}

const itemEntry = (id: number, type: string): Buffer =>
  heifBox('infe', u32be(0x02000000), u16be(id), u16be(0), Buffer.from(`${type}\0`, 'latin1'));

export function heifBox(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32be(body.length + 8), Buffer.from(type, 'latin1'), body]);
}
