import { describe, expect, it } from 'vitest';
import { makeTrueType } from '../../test/samples/system-files.ts';
import { openFontBytes } from '../formats/font/open-font.ts';
import { type CffIndex, runCharstring } from './cff-outlines.ts';
import { readGlyphMap } from './font.ts';
import { glyfOutlines } from './glyf-outlines.ts';
import { woff2Outlines } from './woff2-glyphs.ts';

const square = 'M0 0L600 0L600 700L0 700Z';
const none: CffIndex = { count: 0, end: 0, item: () => Buffer.alloc(0) };

/** A transformed glyf table with one glyph: a square, or the given contours and composite parts. */
function makeTransformed(contours: number[], composite: number[] = []): Buffer {
  const steps = [
    [0, 0],
    [600, 0],
    [0, 700],
    [-600, 0],
  ] as const;
  const flags = Buffer.from(steps.map(([dx, dy]) => 124 + (dx >= 0 ? 1 : 0) + (dy >= 0 ? 2 : 0)));
  const glyph = Buffer.alloc(17);
  steps.forEach(([dx, dy], i) => {
    glyph.writeUInt16BE(Math.abs(dx), i * 4);
    glyph.writeUInt16BE(Math.abs(dy), i * 4 + 2);
  });
  const counts = Buffer.alloc(contours.length * 2);
  contours.forEach((value, i) => {
    counts.writeInt16BE(value, i * 2);
  });
  const streams = [counts, Buffer.from([4]), flags, glyph, Buffer.from(composite), Buffer.alloc(4), Buffer.alloc(0)];
  const head = Buffer.alloc(36);
  head.writeUInt16BE(contours.length, 4);
  streams.forEach((stream, i) => {
    head.writeUInt32BE(stream.length, 8 + i * 4);
  });
  return Buffer.concat([head, ...streams]);
}

describe('TrueType outlines', () => {
  it('are converted to SVG paths', () => {
    const outline = glyfOutlines(openFontBytes(makeTrueType()))!;
    expect(outline(1)).toBe(square);
    expect(outline(0)).toBe('');
    expect(outline(99)).toBe('');
  });

  it('are found by code point', () => {
    const map = readGlyphMap(openFontBytes(makeTrueType()).table('cmap')!)!;
    expect(map.glyph('A'.codePointAt(0)!)).toBe(1);
    expect(map.glyph('é'.codePointAt(0)!)).toBe(0);
    expect(map.firstCodes(3)).toEqual([65, 66, 67]);
  });

  it('are the same in WOFF2', () => {
    expect(woff2Outlines(makeTransformed([1]))(0)).toBe(square);
    // The second glyph is the first one translated by (100, 50).
    expect(woff2Outlines(makeTransformed([1, -1], [0, 3, 0, 0, 0, 100, 0, 50]))(1)).toBe('M100 50L700 50L700 750L100 750Z');
  });

  it('that contain themselves are rejected', () => {
    const self = woff2Outlines(makeTransformed([-1], [0, 3, 0, 0, 0, 0, 0, 0]));
    expect(() => self(0)).toThrow(expect.objectContaining({ kind: 'guard' }));
    expect(() => woff2Outlines(makeTransformed([1, 1, 1]))).toThrow(expect.objectContaining({ kind: 'corrupt' }));
  });
});

describe('Type 2 charstrings', () => {
  const number = (value: number): number[] => [28, (value >> 8) & 0xff, value & 0xff];
  it('draw lines and curves', () => {
    const code = [...number(10), ...number(20), 21, ...number(100), 6, ...number(50), 7, ...[1, 2, 3, 4, 5, 6].flatMap(number), 8, 14];
    expect(runCharstring(Buffer.from(code), none, undefined)).toBe('M10 20L110 20L110 70C111 72 114 76 119 82Z');
  });

  it('skip the bytes of hint masks', () => {
    const code = [...[1, 2, 3, 4].flatMap(number), 18, 19, 0xff, ...number(5), 22, ...number(7), 6, 14];
    expect(runCharstring(Buffer.from(code), none, undefined)).toBe('M5 0L12 0Z');
  });

  it('that call themselves endlessly are rejected', () => {
    const loop: CffIndex = { count: 1, end: 0, item: () => Buffer.from([...number(-107), 10]) };
    expect(() => runCharstring(loop.item(0), none, loop)).toThrow(expect.objectContaining({ kind: 'guard' }));
  });
});
