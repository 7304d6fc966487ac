/**
 * WOFF2 stores TrueType outlines in a transformed `glyf` table: seven streams, one per kind of number, and no `loca` table. Glyphs can
 * only be read in order, so all are read at once.
 */
import { ExtractError } from '../contract.ts';
import { type AffineTransform, combine, contourPath, type GlyphOutliner, type GlyphPoint, identityTransform } from './glyf-outlines.ts';

const maxPoints = 20_000;
const maxDepth = 6;

interface Stream {
  u8(): number;
  i16(): number;
  u16(): number;
  /** The format's 255UInt16, which mostly takes one byte. */
  packed(): number;
}

function createStream(bytes: Buffer): Stream {
  let at = 0;
  const u8 = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new ExtractError('corrupt', 'The outlines of the font are damaged.');
    return value;
  };
  const u16 = (): number => u8() * 256 + u8();
  return {
    u8,
    u16,
    i16: () => (u16() << 16) >> 16,
    packed() {
      const code = u8();
      if (code === 253) return u16();
      if (code === 254) return u8() + 506;
      return code === 255 ? u8() + 253 : code;
    },
  };
}

type Shape = { contours: GlyphPoint[][] } | { parts: { glyph: number; transform: AffineTransform }[] } | null;

/** Reads every glyph of a transformed `glyf` table. */
export function woff2Outlines(table: Buffer): GlyphOutliner {
  if (table.length < 36) throw new ExtractError('corrupt', 'The outlines of the font are damaged.');
  const count = table.readUInt16BE(4);
  const sizes = Array.from({ length: 7 }, (_, i) => table.readUInt32BE(8 + i * 4));
  let at = 36;
  const [contours, points, flags, glyphs, composites] = sizes.map((size) => {
    at += size;
    return createStream(table.subarray(at - size, at));
  }) as [Stream, Stream, Stream, Stream, Stream];
  const shapes: Shape[] = [];
  for (let i = 0; i < count; i++) {
    const amount = contours.i16();
    if (amount === 0) shapes.push(null);
    else if (amount > 0) shapes.push({ contours: readSimple(amount, points, flags, glyphs) });
    else shapes.push({ parts: readParts(composites, glyphs) });
  }
  const draw = (glyph: number, transform: AffineTransform, depth: number): string => {
    const shape = shapes[glyph];
    if (!shape) return '';
    if (depth > maxDepth) throw new ExtractError('guard', 'A glyph of the font is nested too deeply.');
    if ('parts' in shape) return shape.parts.map((part) => draw(part.glyph, combine(transform, part.transform), depth + 1)).join('');
    const transformPoint = ({ x, y, on }: GlyphPoint): GlyphPoint => ({
      x: transform.a * x + transform.c * y + transform.x,
      y: transform.b * x + transform.d * y + transform.y,
      on,
    });
    return shape.contours.map((contour) => contourPath(contour.map(transformPoint))).join('');
  };
  return (glyph) => draw(glyph, identityTransform, 0);
}

function readSimple(contours: number, points: Stream, flags: Stream, glyphs: Stream): GlyphPoint[][] {
  const sizes = Array.from({ length: contours }, () => points.packed());
  if (sizes.reduce((sum, size) => sum + size, 0) > maxPoints) throw new ExtractError('guard', 'A glyph of the font has too many points.');
  let x = 0;
  let y = 0;
  const found = sizes.map((size) =>
    Array.from({ length: size }, (): GlyphPoint => {
      const flag = flags.u8();
      const [dx, dy] = readStep(flag & 0x7f, glyphs);
      x += dx;
      y += dy;
      return { x, y, on: flag < 128 };
    }),
  );
  // Skips the length of the hinting program; the program itself is in another stream.
  glyphs.packed();
  return found;
}

/** The distance to the next point. The flag determines its size in bytes and its signs. */
function readStep(flag: number, glyphs: Stream): [number, number] {
  const sign = (bit: number, value: number): number => (bit & 1 ? value : -value);
  if (flag < 10) return [0, sign(flag, ((flag & 14) << 7) + glyphs.u8())];
  if (flag < 20) return [sign(flag, (((flag - 10) & 14) << 7) + glyphs.u8()), 0];
  if (flag < 84) {
    const b0 = flag - 20;
    const b1 = glyphs.u8();
    return [sign(flag, 1 + (b0 & 0x30) + (b1 >> 4)), sign(flag >> 1, 1 + ((b0 & 0x0c) << 2) + (b1 & 15))];
  }
  if (flag < 120) {
    const b0 = flag - 84;
    return [sign(flag, 1 + (Math.floor(b0 / 12) << 8) + glyphs.u8()), sign(flag >> 1, 1 + (((b0 % 12) >> 2) << 8) + glyphs.u8())];
  }
  if (flag < 124) {
    const b1 = glyphs.u8();
    const b2 = glyphs.u8();
    const b3 = glyphs.u8();
    return [sign(flag, (b1 << 4) + (b2 >> 4)), sign(flag >> 1, ((b2 & 15) << 8) + b3)];
  }
  const dx = glyphs.u16();
  return [sign(flag, dx), sign(flag >> 1, glyphs.u16())];
}

function readParts(stream: Stream, glyphs: Stream): { glyph: number; transform: AffineTransform }[] {
  const parts: { glyph: number; transform: AffineTransform }[] = [];
  let flags = 0x20;
  while ((flags & 0x20) !== 0 && parts.length < 32) {
    flags = stream.u16();
    const glyph = stream.u16();
    const byte = (): number => (stream.u8() << 24) >> 24;
    const first = flags & 1 ? stream.i16() : byte();
    const second = flags & 1 ? stream.i16() : byte();
    const transform: AffineTransform = { ...identityTransform, x: flags & 2 ? first : 0, y: flags & 2 ? second : 0 };
    const fixed = (): number => stream.i16() / 16_384;
    if (flags & 8) transform.a = transform.d = fixed();
    else if (flags & 0x40) [transform.a, transform.d] = [fixed(), fixed()];
    else if (flags & 0x80) [transform.a, transform.b, transform.c, transform.d] = [fixed(), fixed(), fixed(), fixed()];
    parts.push({ glyph, transform });
  }
  if (flags & 0x100) glyphs.packed();
  return parts;
}
