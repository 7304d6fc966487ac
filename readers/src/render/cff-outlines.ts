// biome-ignore-all lint/style/noNonNullAssertion: every index is checked against the length of the bytes.
import { ExtractError } from '../contract.ts';
import type { FontTables } from '../formats/font/open-font.ts';
import type { GlyphOutliner } from './glyf-outlines.ts';

/** Cubic outlines from the CFF table of OpenType fonts. */
export function cffOutlines(font: FontTables): GlyphOutliner | undefined {
  const cff = font.table('CFF ');
  if (!cff || cff.length < 8) return undefined;
  try {
    return openCff(cff);
  } catch (error) {
    if (error instanceof RangeError) throw new ExtractError('corrupt', 'The outlines of the font are damaged.');
    throw error;
  }
}

function openCff(cff: Buffer): GlyphOutliner {
  const names = readIndex(cff, cff[2]!);
  const tops = readIndex(cff, names.end);
  const strings = readIndex(cff, tops.end);
  const globalSubroutines = readIndex(cff, strings.end);
  const top = readDict(tops.item(0));
  const charstrings = readIndex(cff, top.get(17)?.[0] ?? 0);
  const subroutinesOf = (dict: Map<number, number[]>): CffIndex | undefined => {
    const [size = 0, offset = 0] = dict.get(18) ?? [];
    if (size === 0) return undefined;
    const local = readDict(cff.subarray(offset, offset + size)).get(19)?.[0];
    return local === undefined ? undefined : readIndex(cff, offset + local);
  };
  // CJK fonts have several sets of subroutines; the first is enough for a specimen.
  const sets = top.get(0x0c24)?.[0];
  const local = sets === undefined ? subroutinesOf(top) : subroutinesOf(readDict(readIndex(cff, sets).item(0)));
  return (glyph) => {
    if (glyph >= charstrings.count) return '';
    try {
      return runCharstring(charstrings.item(glyph), globalSubroutines, local);
    } catch (error) {
      if (error instanceof RangeError) throw new ExtractError('corrupt', 'A glyph of the font is damaged.');
      throw error;
    }
  };
}

/** A CFF INDEX: a numbered list of byte strings. */
export interface CffIndex {
  count: number;
  /** Offset of the first byte after the list. */
  end: number;
  item(index: number): Buffer;
}

function readIndex(cff: Buffer, at: number): CffIndex {
  const count = cff.readUInt16BE(at);
  if (count === 0) return { count, end: at + 2, item: () => Buffer.alloc(0) };
  const width = cff.readUInt8(at + 2);
  if (width < 1 || width > 4) throw new RangeError('offset width');
  const offset = (index: number): number => cff.readUIntBE(at + 3 + index * width, width);
  const base = at + 2 + (count + 1) * width;
  return {
    count,
    end: base + offset(count),
    item(index) {
      if (index < 0 || index >= count) return Buffer.alloc(0);
      return cff.subarray(base + offset(index), base + offset(index + 1));
    },
  };
}

/** A CFF DICT by operator; two-byte operators are numbered from 0x0c00. */
function readDict(bytes: Buffer): Map<number, number[]> {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++]!;
    if (first <= 21) {
      dict.set(first === 12 ? 0x0c00 + bytes.readUInt8(at++) : first, operands);
      operands = [];
    } else if (first === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (first === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (first === 30) {
      // Real numbers are packed decimals; none is needed here, so 0 takes their place.
      while (at < bytes.length && (bytes[at]! & 15) !== 15 && bytes[at]! >> 4 !== 15) at++;
      at++;
      operands.push(0);
    } else if (first <= 246) operands.push(first - 139);
    else if (first <= 250) operands.push((first - 247) * 256 + bytes.readUInt8(at++) + 108);
    else operands.push(-(first - 251) * 256 - bytes.readUInt8(at++) - 108);
  }
  return dict;
}

const maxSteps = 200_000;
const maxCalls = 12;

const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10);

/** Runs a Type 2 charstring and returns its SVG path. Hints are ignored but counted, because the count gives the length of hint masks. */
export function runCharstring(code: Buffer, globals: CffIndex, locals: CffIndex | undefined): string {
  const path: string[] = [];
  let stack: number[] = [];
  let x = 0;
  let y = 0;
  let hints = 0;
  let steps = 0;
  let open = false;
  let ended = false;

  const close = (): void => {
    if (open) path.push('Z');
    open = false;
  };
  const move = (dx: number, dy: number): void => {
    close();
    x += dx;
    y += dy;
    path.push(`M${formatCoordinate(x)} ${formatCoordinate(y)}`);
    open = true;
  };
  const line = (dx: number, dy: number): void => {
    x += dx;
    y += dy;
    path.push(`L${formatCoordinate(x)} ${formatCoordinate(y)}`);
  };
  const curve = (a: number, b: number, c: number, d: number, e: number, f: number): void => {
    const x1 = x + a;
    const y1 = y + b;
    const x2 = x1 + c;
    const y2 = y1 + d;
    x = x2 + e;
    y = y2 + f;
    path.push(
      `C${formatCoordinate(x1)} ${formatCoordinate(y1)} ${formatCoordinate(x2)} ${formatCoordinate(y2)} ${formatCoordinate(x)} ${formatCoordinate(y)}`,
    );
  };
  const at = (index: number): number => stack[index] ?? 0;

  const draw = (operator: number): void => {
    const s = stack;
    if (operator === 21) move(at(s.length - 2), at(s.length - 1));
    else if (operator === 22) move(at(s.length - 1), 0);
    else if (operator === 4) move(0, at(s.length - 1));
    else if (operator === 5) for (let i = 0; i + 1 < s.length; i += 2) line(at(i), at(i + 1));
    else if (operator === 6 || operator === 7)
      for (const [i, value] of s.entries()) (i % 2 === 0) === (operator === 6) ? line(value, 0) : line(0, value);
    else if (operator === 8) for (let i = 0; i + 5 < s.length; i += 6) curve(at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5));
    else if (operator === 24) {
      let i = 0;
      for (; i + 7 < s.length; i += 6) curve(at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5));
      line(at(i), at(i + 1));
    } else if (operator === 25) {
      let i = 0;
      for (; i + 7 < s.length; i += 2) line(at(i), at(i + 1));
      curve(at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5));
    } else if (operator === 26) {
      let i = s.length % 4;
      let first = i ? at(0) : 0;
      for (; i + 3 < s.length; i += 4) {
        curve(first, at(i), at(i + 1), at(i + 2), 0, at(i + 3));
        first = 0;
      }
    } else if (operator === 27) {
      let i = s.length % 4;
      let first = i ? at(0) : 0;
      for (; i + 3 < s.length; i += 4) {
        curve(at(i), first, at(i + 1), at(i + 2), at(i + 3), 0);
        first = 0;
      }
    } else if (operator === 30 || operator === 31) alternate(operator === 31);
  };
  /** Curves whose tangents are horizontal and vertical in turn. */
  const alternate = (horizontal: boolean): void => {
    let flat = horizontal;
    for (let i = 0; i + 3 < stack.length; i += 4) {
      const last = stack.length - i === 5 ? at(i + 4) : 0;
      if (flat) curve(at(i), 0, at(i + 1), at(i + 2), last, at(i + 3));
      else curve(0, at(i), at(i + 1), at(i + 2), at(i + 3), last);
      flat = !flat;
    }
  };
  const flex = (operator: number): void => {
    if (operator === 35) {
      curve(at(0), at(1), at(2), at(3), at(4), at(5));
      curve(at(6), at(7), at(8), at(9), at(10), at(11));
    } else if (operator === 34) {
      curve(at(0), 0, at(1), at(2), at(3), 0);
      curve(at(4), 0, at(5), -at(2), at(6), 0);
    } else if (operator === 36) {
      curve(at(0), at(1), at(2), at(3), at(4), 0);
      curve(at(5), 0, at(6), at(7), at(8), -(at(1) + at(3) + at(7)));
    } else if (operator === 37) {
      const dx = at(0) + at(2) + at(4) + at(6) + at(8);
      const dy = at(1) + at(3) + at(5) + at(7) + at(9);
      curve(at(0), at(1), at(2), at(3), at(4), at(5));
      if (Math.abs(dx) > Math.abs(dy)) curve(at(6), at(7), at(8), at(9), at(10), -dy);
      else curve(at(6), at(7), at(8), at(9), -dx, at(10));
    }
  };
  const bias = (index: CffIndex): number => (index.count < 1240 ? 107 : index.count < 33_900 ? 1131 : 32_768);

  const run = (bytes: Buffer, depth: number): void => {
    if (depth > maxCalls) throw new ExtractError('guard', 'A glyph of the font calls itself too deeply.');
    let i = 0;
    while (i < bytes.length && !ended) {
      if (++steps > maxSteps) throw new ExtractError('guard', 'A glyph of the font takes too many steps.');
      const byte = bytes[i++]!;
      if (byte >= 32 || byte === 28) {
        const read = readNumber(bytes, i, byte);
        stack.push(read.value);
        i = read.next;
        if (stack.length > 512) throw new ExtractError('corrupt', 'A glyph of the font is damaged.');
      } else if (byte === 10 || byte === 29) {
        const index = byte === 10 ? locals : globals;
        const number = stack.pop() ?? 0;
        if (index) run(index.item(number + bias(index)), depth + 1);
      } else if (byte === 11) return;
      else if (byte === 14) ended = true;
      else {
        if ([1, 3, 18, 23, 19, 20].includes(byte)) hints += stack.length >> 1;
        if (byte === 19 || byte === 20) i += (hints + 7) >> 3;
        else if (byte === 12) flex(bytes[i++] ?? 0);
        else draw(byte);
        stack = [];
      }
    }
  };
  run(code, 0);
  close();
  return path.join('');
}

function readNumber(bytes: Buffer, i: number, byte: number): { value: number; next: number } {
  if (byte === 28) return { value: bytes.readInt16BE(i), next: i + 2 };
  if (byte <= 246) return { value: byte - 139, next: i };
  if (byte <= 250) return { value: (byte - 247) * 256 + bytes.readUInt8(i) + 108, next: i + 1 };
  if (byte <= 254) return { value: -(byte - 251) * 256 - bytes.readUInt8(i) - 108, next: i + 1 };
  return { value: bytes.readInt32BE(i) / 65_536, next: i + 4 };
}
