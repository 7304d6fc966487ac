// biome-ignore-all lint/style/noNonNullAssertion: the arrays of a glyph have equal lengths, and a contour has at least two points.
import { ExtractError } from '../contract.ts';
import type { FontTables } from '../formats/font/open-font.ts';

/** Returns the outline of a glyph as an SVG path in font units, with y pointing up. */
export type GlyphOutliner = (glyph: number) => string;

const maxDepth = 6;
const maxPoints = 20_000;

export interface AffineTransform {
  a: number;
  b: number;
  c: number;
  d: number;
  x: number;
  y: number;
}
export const identityTransform: AffineTransform = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };

/** Quadratic outlines from the `glyf` table of TrueType fonts; undefined when the font has no such table. */
export function glyfOutlines(font: FontTables): GlyphOutliner | undefined {
  const glyf = font.table('glyf');
  const loca = font.table('loca');
  const head = font.table('head');
  if (!glyf || !loca || !head || head.length < 52) return undefined;
  const wide = head.readUInt16BE(50) === 1;
  const glyphBytes = (glyph: number): Buffer | undefined => {
    const at = glyph * (wide ? 4 : 2);
    if (at + (wide ? 8 : 4) > loca.length) return undefined;
    const start = wide ? loca.readUInt32BE(at) : loca.readUInt16BE(at) * 2;
    const end = wide ? loca.readUInt32BE(at + 4) : loca.readUInt16BE(at + 2) * 2;
    return end > start && end <= glyf.length ? glyf.subarray(start, end) : undefined;
  };
  const draw = (glyph: number, transform: AffineTransform, depth: number): string => {
    const bytes = glyphBytes(glyph);
    if (!bytes || bytes.length < 10) return '';
    if (depth > maxDepth) throw new ExtractError('guard', 'A glyph of the font is nested too deeply.');
    const contours = bytes.readInt16BE(0);
    return contours >= 0 ? simpleOutline(bytes, contours, transform) : compositeOutline(bytes, transform, depth);
  };
  const compositeOutline = (bytes: Buffer, transform: AffineTransform, depth: number): string => {
    let path = '';
    let at = 10;
    for (let count = 0; count < 32; count++) {
      const flags = bytes.readUInt16BE(at);
      const glyph = bytes.readUInt16BE(at + 2);
      const words = (flags & 1) !== 0;
      const asOffset = (flags & 2) !== 0;
      const dx = asOffset ? (words ? bytes.readInt16BE(at + 4) : bytes.readInt8(at + 4)) : 0;
      const dy = asOffset ? (words ? bytes.readInt16BE(at + 6) : bytes.readInt8(at + 5)) : 0;
      at += words ? 8 : 6;
      const own = { ...identityTransform, x: dx, y: dy };
      const f2dot14 = (): number => {
        at += 2;
        return bytes.readInt16BE(at - 2) / 16_384;
      };
      if (flags & 8) own.a = own.d = f2dot14();
      else if (flags & 0x40) [own.a, own.d] = [f2dot14(), f2dot14()];
      else if (flags & 0x80) [own.a, own.b, own.c, own.d] = [f2dot14(), f2dot14(), f2dot14(), f2dot14()];
      path += draw(glyph, combine(transform, own), depth + 1);
      if ((flags & 0x20) === 0) break;
    }
    return path;
  };
  return (glyph) => {
    try {
      return draw(glyph, identityTransform, 0);
    } catch (error) {
      if (error instanceof RangeError) throw new ExtractError('corrupt', 'A glyph of the font is damaged.');
      throw error;
    }
  };
}

export function combine(outer: AffineTransform, inner: AffineTransform): AffineTransform {
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    x: outer.a * inner.x + outer.c * inner.y + outer.x,
    y: outer.b * inner.x + outer.d * inner.y + outer.y,
  };
}

export interface GlyphPoint {
  x: number;
  y: number;
  on: boolean;
}

function simpleOutline(bytes: Buffer, contours: number, transform: AffineTransform): string {
  if (contours === 0) return '';
  const ends: number[] = [];
  for (let i = 0; i < contours; i++) ends.push(bytes.readUInt16BE(10 + i * 2));
  const total = ends.at(-1)! + 1;
  if (total > maxPoints) throw new ExtractError('guard', 'A glyph of the font has too many points.');
  let at = 10 + contours * 2;
  at += 2 + bytes.readUInt16BE(at);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = bytes.readUInt8(at++);
    flags.push(flag);
    if (flag & 8) for (let repeat = bytes.readUInt8(at++); repeat > 0 && flags.length < total; repeat--) flags.push(flag);
  }
  const axis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += bytes.readUInt8(at++) * (flag & same ? 1 : -1);
      else if ((flag & same) === 0) {
        value += bytes.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = axis(2, 16);
  const ys = axis(4, 32);
  const points = flags.map(
    (flag, i): GlyphPoint => ({
      x: transform.a * xs[i]! + transform.c * ys[i]! + transform.x,
      y: transform.b * xs[i]! + transform.d * ys[i]! + transform.y,
      on: (flag & 1) !== 0,
    }),
  );
  let start = 0;
  return ends
    .map((end) => {
      const contour = points.slice(start, end + 1);
      start = end + 1;
      return contourPath(contour);
    })
    .join('');
}

const middle = (a: GlyphPoint, b: GlyphPoint): GlyphPoint => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true });
const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10);

/** TrueType omits the on-curve point halfway between two consecutive control points. */
export function contourPath(points: GlyphPoint[]): string {
  if (points.length < 2) return '';
  const first = points[0]!.on ? points[0]! : points.at(-1)!.on ? points.at(-1)! : middle(points[0]!, points.at(-1)!);
  let path = `M${formatCoordinate(first.x)} ${formatCoordinate(first.y)}`;
  const begin = points[0]!.on ? 1 : 0;
  for (let i = begin; i < points.length; i++) {
    const point = points[i]!;
    if (point.on) path += `L${formatCoordinate(point.x)} ${formatCoordinate(point.y)}`;
    else {
      const next = points[i + 1] ?? first;
      const end = next.on ? next : middle(point, next);
      path += `Q${formatCoordinate(point.x)} ${formatCoordinate(point.y)} ${formatCoordinate(end.x)} ${formatCoordinate(end.y)}`;
      if (next.on) i++;
    }
  }
  return `${path}Z`;
}
