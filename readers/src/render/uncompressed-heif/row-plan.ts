/** The bit positions of the samples in a row. Rows of the same kind share one plan, so it is computed once. */
import { ExtractError } from '../../contract.ts';
import type { Component, Layout } from './layout.ts';

export interface RowPlan {
  /** The components of a group of samples that repeats along the row. */
  pattern: readonly Component[];
  /** The position of each sample in bits from the start of the row. */
  positions: Uint32Array;
  /** Bytes of the row with its padding. */
  stride: number;
}

const maxRowBytes = 64 << 20;
const maxRowSamples = 4 << 20;

export function planRow(layout: Layout, pattern: readonly Component[], repeats: number, pixelBytes = 0): RowPlan {
  if (repeats * pattern.length > maxRowSamples) throw tooWide();
  const positions = new Uint32Array(repeats * pattern.length);
  const bytes =
    layout.blockBytes > 0 ? placeInBlocks(layout, pattern, positions, pixelBytes) : place(layout, pattern, positions, pixelBytes);
  const padding = layout.rowAlign > 0 ? (layout.rowAlign - (bytes % layout.rowAlign)) % layout.rowAlign : 0;
  if (bytes + padding > maxRowBytes) throw tooWide();
  return { pattern, positions, stride: bytes + padding };
}

const tooWide = (): ExtractError => new ExtractError('guard', 'The picture has more pixels than are decoded.');

/** Samples bit by bit, or each in whole bytes with the value in the last bits. Returns the bytes that they take. */
function place(layout: Layout, pattern: readonly Component[], positions: Uint32Array, pixelBytes: number): number {
  let bit = 0;
  let start = 0;
  for (let i = 0; i < positions.length; i++) {
    const { bits, align } = pattern[i % pattern.length] as Component;
    if (align > 0) bit = toByte(bit);
    positions[i] = bit + (align > 0 && !layout.littleEndian ? align * 8 - bits : 0);
    bit += align > 0 ? align * 8 : bits;
    if (pixelBytes > 0 && (i + 1) % pattern.length === 0) {
      bit = Math.max(toByte(bit), start + pixelBytes * 8);
      start = bit;
    }
    if (bit > maxRowBytes * 8) throw tooWide();
  }
  return toByte(bit) / 8;
}

const toByte = (bit: number): number => Math.ceil(bit / 8) * 8;

/** Each block holds as many samples as fit; a pixel starts with a new one. */
function placeInBlocks(layout: Layout, pattern: readonly Component[], positions: Uint32Array, pixelBytes: number): number {
  const blockBits = layout.blockBytes * 8;
  let block = 0;
  let group: number[] = [];
  let used = 0;
  let start = 0;
  const bitsOf = (i: number): number => (pattern[i % pattern.length] as Component).bits;
  const close = (): void => {
    let at = block + (layout.block.padLow ? 0 : blockBits - used);
    for (const i of layout.block.reversed ? group.reverse() : group) {
      positions[i] = at;
      at += bitsOf(i);
    }
    if (group.length > 0) block += blockBits;
    [group, used] = [[], 0];
  };
  for (let i = 0; i < positions.length; i++) {
    if (used + bitsOf(i) > blockBits) close();
    group.push(i);
    used += bitsOf(i);
    if (layout.interleave === 'pixel' && (i + 1) % pattern.length === 0) {
      close();
      block = Math.max(block, start + pixelBytes * 8);
      start = block;
    }
    if (block > maxRowBytes * 8) throw tooWide();
  }
  close();
  return block / 8;
}
