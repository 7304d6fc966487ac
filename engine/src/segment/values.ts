// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import { caseFold, fromCodeUnits, type InternTable, recordHeaderLength, toCodeUnits } from '../text/index.ts';
import { GrowingU16, GrowingU32 } from './growing-arrays.ts';
import { type Alphabet, codeUnitAlphabet, compareTexts, sameText, sortTexts, spanTexts, type TextSpans, type Texts } from './sort-texts.ts';

/** Distinct values in their final order. `renumber` maps the earlier number of a value (from 1) to its final number; 0 stays 0. */
interface SortedValues {
  texts: Texts;
  renumber: Uint32Array;
}

/** Values that a draft has numbered in any order; they are sorted when the segment is written. */
export interface Values {
  sort(): SortedValues;
}

/** Distinct values that are in final order already, as a merge produces them. */
export function alreadySorted(texts: Texts): Values {
  return {
    sort() {
      const renumber = new Uint32Array(texts.size + 1);
      for (let at = 1; at <= texts.size; at++) renumber[at] = at;
      return { texts, renumber };
    },
  };
}

export function spansOfTable({ units, starts, count, used }: InternTable): TextSpans {
  return { units, starts, gap: recordHeaderLength, size: count, end: used };
}

/** Sorts the values of an intern table, which are distinct. */
export function sortTable(table: InternTable, alphabet: Alphabet): SortedValues {
  return sortSpans(spansOfTable(table), alphabet);
}

export function sortSpans(spans: TextSpans, alphabet: Alphabet): SortedValues {
  const order = sortTexts(spans, alphabet);
  const renumber = new Uint32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) renumber[order[at]! + 1] = at + 1;
  return { texts: spanTexts(spans, order), renumber };
}

/** A list of texts that may contain duplicates. */
export interface TextList {
  units: GrowingU16;
  starts: GrowingU32;
}

export const createTextList = (): TextList => ({ units: new GrowingU16(), starts: new GrowingU32() });

/** Appends units[from … to), with lone surrogates replaced by U+FFFD, and returns the number of the text, from 1. */
export function appendText({ units: kept, starts }: TextList, units: Uint16Array, from: number, to: number): number {
  starts.push(kept.length);
  kept.reserve(to - from);
  const { items } = kept;
  let length = kept.length;
  let surrogates = false;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    if ((unit & 0xf800) === 0xd800) surrogates = true;
    items[length++] = unit;
  }
  if (surrogates) items.set(toCodeUnits(fromCodeUnits(units, from, to).toWellFormed()), kept.length);
  kept.length = length;
  return starts.length;
}

export function spansOfList({ units, starts }: TextList): TextSpans {
  return { units: units.items, starts: starts.items, gap: 0, size: starts.length, end: units.length };
}

/** Sorts a list of mostly distinct values; duplicates become adjacent and are then removed. */
export function sortTextList(list: TextList, alphabet: Alphabet): SortedValues {
  const spans = spansOfList(list);
  return distinct(spans, sortTexts(spans, alphabet));
}

/** The same by case-folded text without accents; equal ones by code units. */
export function sortCaseFolded(list: TextList): SortedValues {
  const spans = spansOfList(list);
  const readings = spansOfList(caseFoldAll(spans));
  const order = sortTexts(readings, codeUnitAlphabet);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && sameText(readings, order[from]!, order[to]!)) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareTexts(spans, a, b, 0, codeUnitAlphabet));
    from = to;
  }
  return distinct(spans, order);
}

function caseFoldAll({ units, starts, size, end }: TextSpans): TextList {
  const readings = createTextList();
  for (let value = 0; value < size; value++) {
    const from = starts[value]!;
    const to = value + 1 < size ? starts[value + 1]! : end;
    readings.starts.push(readings.units.length);
    readings.units.reserve(to - from);
    const { items } = readings.units;
    let length = readings.units.length;
    let at = from;
    for (; at < to && units[at]! < 128; at++) {
      const unit = units[at]!;
      items[length++] = unit >= 65 && unit <= 90 ? unit | 32 : unit;
    }
    if (at === to) readings.units.length = length;
    else readings.units.append(toCodeUnits(caseFold(fromCodeUnits(units, from, to))));
  }
  return readings;
}

function distinct(spans: TextSpans, order: Uint32Array): SortedValues {
  const renumber = new Uint32Array(order.length + 1);
  let kept = 0;
  for (let at = 0; at < order.length; at++) {
    const value = order[at]!;
    if (kept === 0 || !sameText(spans, order[kept - 1]!, value)) order[kept++] = value;
    renumber[value + 1] = kept;
  }
  return { texts: spanTexts(spans, order.subarray(0, kept)), renumber };
}
