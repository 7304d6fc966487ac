// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the length of the sample data.
/**
 * Draws uncompressed HEIF pictures. Samples are averaged to about the wanted size while they are read, so memory depends on the thumbnail
 * and not on the picture.
 */
import type { HeifItem } from '../../formats/image/heif-items.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { loadSharp, type RenderedImage } from '../pixels.ts';
import { type Plane, toColours, turnPicture } from './colours.ts';
import { type Component, type ComponentKind, type Layout, readLayout } from './layout.ts';
import { planRow, type RowPlan } from './row-plan.ts';
import { openPictureStream } from './stream.ts';

export async function drawUncompressedHeif(file: FileBytes, item: HeifItem, longestEdge: number): Promise<RenderedImage | null> {
  const layout = readLayout(item);
  const stream = layout === null ? null : openPictureStream(file, item);
  if (layout === null || stream === null) return null;
  const factor = Math.max(1, Math.floor(Math.max(layout.width, layout.height) / longestEdge));
  const planes = createPlanes(layout, factor);
  let bytesInTile = 0;
  for (const step of rowsOf(layout)) {
    if (step === 'tile-end') {
      if (layout.tileAlign > 0) stream.skip((layout.tileAlign - (bytesInTile % layout.tileAlign)) % layout.tileAlign);
      bytesInTile = 0;
      continue;
    }
    const row = stream.take(step.plan.stride);
    // A truncated picture is drawn as far as it goes.
    if (row === null) break;
    bytesInTile += row.length;
    addRow(planes, layout, row, step, factor);
  }
  const picture = toColours(planes, item);
  if (picture === null) return null;
  const upright = turnPicture(picture, item);
  const sharp = await loadSharp();
  const { width, height, channels } = upright;
  const { data, info } = await sharp(upright.data, { raw: { width, height, channels } })
    .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels } };
}

function createPlanes(layout: Layout, factor: number): Map<ComponentKind, Plane> {
  const planes = new Map<ComponentKind, Plane>();
  for (const { kind, stepX, stepY } of layout.components) {
    if (kind === 'other' || planes.has(kind)) continue;
    const width = Math.ceil(layout.width / stepX / factor);
    const height = Math.ceil(layout.height / stepY / factor);
    planes.set(kind, { width, height, sums: new Uint32Array(width * height), counts: new Uint32Array(width * height) });
  }
  return planes;
}

interface Row {
  plan: RowPlan;
  /** Of the first sample, counted in samples of the picture. */
  x: number;
  /** Counted in samples of the component. */
  y: number;
}

/** The rows of all tiles in the order in which the file stores them. */
function* rowsOf(layout: Layout): Generator<Row | 'tile-end'> {
  const tileWidth = layout.width / layout.columns;
  const tileHeight = layout.height / layout.rows;
  const passes = passesOf(layout, tileWidth);
  // Tiles of one component follow each other only in this order; else a tile holds all components.
  const groups = layout.interleave === 'tile' ? passes.map((pass) => [pass]) : [passes];
  for (const group of groups)
    for (let row = 0; row < layout.rows; row++)
      for (let column = 0; column < layout.columns; column++) {
        for (const { plans, stepY } of group) {
          const height = Math.floor(tileHeight / stepY);
          for (let y = 0; y < height; y++) for (const plan of plans) yield { plan, x: column * tileWidth, y: row * height + y };
        }
        yield 'tile-end';
      }
}

/** What is stored for all rows of a tile before the next pass: one component, two that alternate, or all. */
function passesOf(layout: Layout, tileWidth: number): { plans: RowPlan[]; stepY: number }[] {
  const { components, interleave } = layout;
  const plan = (...parts: Component[]): RowPlan => planRow(layout, parts, Math.floor(tileWidth / (parts[0] as Component).stepX));
  if (interleave === 'row') return [{ plans: components.map((one) => plan(one)), stepY: 1 }];
  if (interleave === 'pixel' || interleave === 'multi-y') {
    const perGroup = interleave === 'pixel' ? 1 : Math.max(1, components.filter(({ kind }) => kind === 'y').length);
    return [{ plans: [planRow(layout, components, Math.floor(tileWidth / perGroup), layout.pixelBytes)], stepY: 1 }];
  }
  const colours = interleave === 'mixed' ? components.filter(({ kind }) => kind === 'cb' || kind === 'cr') : [];
  return components
    .filter((one) => !colours.includes(one) || one === colours[0])
    .map((one) => ({ plans: [one === colours[0] ? plan(...colours) : plan(one)], stepY: one.stepY }));
}

/** Adds the samples of a row, scaled to eight bits, to the planes. */
function addRow(planes: ReadonlyMap<ComponentKind, Plane>, layout: Layout, row: Buffer, { plan, x, y }: Row, factor: number): void {
  if (layout.blockBytes > 1 && layout.block.littleEndian) swapBlocks(row, layout.blockBytes);
  const { pattern, positions } = plan;
  pattern.forEach((component, part) => {
    const plane = planes.get(component.kind);
    if (plane === undefined) return;
    const { bits, align, stepX } = component;
    const swapped = layout.littleEndian && layout.blockBytes === 0 && align > 1;
    const mask = 2 ** bits - 1;
    const scale = 255 / mask;
    // Groups with several samples of brightness store them side by side.
    const same = pattern.filter(({ kind }) => kind === component.kind);
    const [first, perGroup] = [same.indexOf(component), same.length];
    const lineStart = Math.min(plane.height - 1, Math.floor(y / factor)) * plane.width;
    for (let i = part, group = 0; i < positions.length; i += pattern.length, group++) {
      const at = positions[i]!;
      const byte = at >>> 3;
      const value = swapped
        ? (row[byte]! | (row[byte + 1]! << 8)) & mask
        : (((row[byte]! << 16) | (row[byte + 1]! << 8) | row[byte + 2]!) >>> (24 - (at & 7) - bits)) & mask;
      const cell = lineStart + Math.min(plane.width - 1, Math.floor((x / stepX + group * perGroup + first) / factor));
      plane.sums[cell]! += Math.round(value * scale);
      plane.counts[cell]! += 1;
    }
  });
}

function swapBlocks(row: Buffer, bytes: number): void {
  for (let at = 0; at + bytes <= row.length; at += bytes) row.subarray(at, at + bytes).reverse();
}
