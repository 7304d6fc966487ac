/** How an uncompressed picture of a HEIF file (ISO 23001-17) is stored. */
import { ExtractError } from '../../contract.ts';
import { type HeifItem, itemSize } from '../../formats/image/heif-items.ts';
import { maxPixels } from '../pixels.ts';

export type ComponentKind = 'grey' | 'y' | 'cb' | 'cr' | 'r' | 'g' | 'b' | 'alpha' | 'other';

export interface Component {
  kind: ComponentKind;
  bits: number;
  /** Bytes that a sample takes; 0 if samples follow each other bit by bit. */
  align: number;
  /** Samples of the picture per sample of the component. */
  stepX: number;
  stepY: number;
}

export type Interleave = 'component' | 'pixel' | 'mixed' | 'row' | 'tile' | 'multi-y';

export interface Layout {
  width: number;
  height: number;
  components: Component[];
  interleave: Interleave;
  littleEndian: boolean;
  /** Bytes of a block that holds several samples; 0 without blocks. */
  blockBytes: number;
  block: { padLow: boolean; littleEndian: boolean; reversed: boolean };
  pixelBytes: number;
  rowAlign: number;
  tileAlign: number;
  columns: number;
  rows: number;
}

const componentKinds: Readonly<Record<number, ComponentKind>> = { 0: 'grey', 1: 'y', 2: 'cb', 3: 'cr', 4: 'r', 5: 'g', 6: 'b', 7: 'alpha' };
const interleaves: readonly Interleave[] = ['component', 'pixel', 'mixed', 'row', 'tile', 'multi-y'];
const steps: Readonly<Record<number, readonly [number, number]>> = { 0: [1, 1], 1: [2, 1], 2: [2, 2], 3: [4, 1] };

/** Profiles that imply the whole layout. */
const profiles: Readonly<Record<string, readonly ComponentKind[]>> = {
  rgb3: ['r', 'g', 'b'],
  rgba: ['r', 'g', 'b', 'alpha'],
  abgr: ['alpha', 'b', 'g', 'r'],
};

const maxTiles = 65_536;

/** Returns null for shapes that are not drawn: floating point, more than 16 bits, and blocks of more than four bytes. */
export function readLayout(item: HeifItem): Layout | null {
  const size = itemSize(item);
  const config = item.properties.find(({ type }) => type === 'uncC')?.body;
  if (size === null || config === undefined || size.width === 0 || size.height === 0) return null;
  if (size.width * size.height > maxPixels) throw new ExtractError('guard', 'The picture has more pixels than are decoded.');
  const layout = config[0] === 1 ? profileLayout(config.toString('latin1', 4, 8)) : fullLayout(config, componentTypes(item));
  if (layout === null) return null;
  const { components, columns, rows, blockBytes } = layout;
  const drawable =
    components.every(
      ({ bits, align }) => bits <= 16 && align <= 8 && (align === 0 || align * 8 >= bits) && bits <= (blockBytes || 2) * 8,
    ) &&
    size.width % columns === 0 &&
    size.height % rows === 0 &&
    columns * rows <= maxTiles &&
    blockBytes <= 4;
  return drawable ? { ...size, ...layout } : null;
}

function profileLayout(profile: string): Omit<Layout, 'width' | 'height'> | null {
  const kinds = profiles[profile];
  if (kinds === undefined) return null;
  return {
    components: kinds.map((kind) => ({ kind, bits: 8, align: 0, stepX: 1, stepY: 1 })),
    interleave: 'pixel',
    littleEndian: false,
    blockBytes: 0,
    block: { padLow: false, littleEndian: false, reversed: false },
    pixelBytes: 0,
    rowAlign: 0,
    tileAlign: 0,
    columns: 1,
    rows: 1,
  };
}

const maxComponents = 32;
const componentBytes = 5;

function fullLayout(config: Buffer, types: readonly number[]): Omit<Layout, 'width' | 'height'> | null {
  const count = config[0] === 0 && config.length >= 12 ? config.readUInt32BE(8) : 0;
  const after = 12 + count * componentBytes;
  if (count === 0 || count > maxComponents || config.length < after + 24) return null;
  const interleave = interleaves[config.readUInt8(after + 1)];
  const [stepX, stepY] = steps[config.readUInt8(after)] ?? [0, 0];
  if (interleave === undefined || stepX === 0) return null;
  const components: Component[] = [];
  for (let at = 12; at < after; at += componentBytes) {
    const unsigned = config.readUInt8(at + 3) === 0;
    const kind = (unsigned && componentKinds[types[config.readUInt16BE(at)] ?? -1]) || 'other';
    const colour = kind === 'cb' || kind === 'cr';
    components.push({
      kind,
      bits: config.readUInt8(at + 2) + 1,
      align: config.readUInt8(at + 4),
      stepX: colour ? stepX : 1,
      stepY: colour ? stepY : 1,
    });
  }
  const flags = config.readUInt8(after + 3);
  return {
    components,
    interleave,
    littleEndian: (flags & 0x80) !== 0,
    blockBytes: config.readUInt8(after + 2),
    block: { padLow: (flags & 0x40) !== 0, littleEndian: (flags & 0x20) !== 0, reversed: (flags & 0x10) !== 0 },
    pixelBytes: config.readUInt32BE(after + 4),
    rowAlign: config.readUInt32BE(after + 8),
    tileAlign: config.readUInt32BE(after + 12),
    columns: config.readUInt32BE(after + 16) + 1,
    rows: config.readUInt32BE(after + 20) + 1,
  };
}

/** The types of the components that the picture declares. A type of 0x8000 or more is followed by an address. */
function componentTypes(item: HeifItem): number[] {
  const body = item.properties.find(({ type }) => type === 'cmpd')?.body;
  const types: number[] = [];
  if (body === undefined || body.length < 4) return types;
  const count = Math.min(body.readUInt32BE(0), 256);
  for (let at = 4; types.length < count && at + 2 <= body.length; ) {
    const type = body.readUInt16BE(at);
    types.push(type);
    at += 2;
    if (type < 0x8000) continue;
    const end = body.indexOf(0, at);
    if (end === -1) break;
    at = end + 1;
  }
  return types;
}
