import { textOf } from '../text/index.ts';
import type { GrowingBytes } from './growing-arrays.ts';

/** Texts in the order in which a section holds them, read one by one while the section is written. */
export interface Texts {
  size: number;
  /** About how many bytes they are together. */
  bytes: number;
  /** Appends the UTF-8 of text `at`. */
  encode(at: number, into: GrowingBytes): void;
}

const encoder = new TextEncoder();

export function stringTexts(strings: readonly string[]): Texts {
  return {
    get size() {
      return strings.length;
    },
    bytes: 1 << 16,
    encode: (at, into) => encodeString(strings[at]!, into),
  };
}

/** Texts that stand on UTF-16 units: text n is units[starts[n] … ends(n)); `places` says which of them, in order. */
export function unitTexts(source: UnitSpans, places: Uint32Array): Texts {
  return {
    size: places.length,
    bytes: source.end,
    encode: (at, into) => encodeUnits(source.units, source.starts[places[at]!]!, endOf(source, places[at]!), into),
  };
}

/** Many texts on one array of units, `gap` units between the end of one and the start of the next. */
export interface UnitSpans {
  units: Uint16Array;
  starts: Uint32Array;
  gap: number;
  size: number;
  /** Where the last text ends. */
  end: number;
}

export function endOf({ starts, gap, size, end }: UnitSpans, at: number): number {
  return at + 1 < size ? starts[at + 1]! - gap : end;
}

function encodeString(text: string, into: GrowingBytes): void {
  into.reserve(text.length * 3);
  into.length += encoder.encodeInto(text, into.items.subarray(into.length)).written;
}

/** Plain ASCII is copied unit by unit; anything else goes by way of a string. */
function encodeUnits(units: Uint16Array, from: number, to: number, into: GrowingBytes): void {
  into.reserve(to - from);
  const { items } = into;
  let length = into.length;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    if (unit > 127) break;
    items[length++] = unit;
  }
  if (length - into.length === to - from) into.length = length;
  else encodeString(textOf(units, from, to), into);
}
