import { foldText, recordHead, textOf, type UnitTable, unitsOf } from '../text/index.ts';
import { GrowingU16, GrowingU32 } from './growing-arrays.ts';
import { type Alphabet, codeUnitAlphabet, compareTexts, sameText, sortTexts, type Texts, type UnitSpans, unitTexts } from './sort-texts.ts';

/** Distinct values in their final order and, by the number a value had before (from 1), the number it has there; 0 stays 0. */
export interface Settled {
  texts: Texts;
  renumber: Uint32Array;
}

/** Values a draft has numbered in some way; they are put in order when a segment is written. */
export interface Values {
  settle(): Settled;
}

/** Values that stand in their final order already, each once: what a merge produces. */
export function settledValues(texts: Texts): Values {
  return {
    settle() {
      const renumber = new Uint32Array(texts.size + 1);
      for (let at = 1; at <= texts.size; at++) renumber[at] = at;
      return { texts, renumber };
    },
  };
}

export function spansOfTable({ units, starts, count, used }: UnitTable): UnitSpans {
  return { units, starts, gap: recordHead, size: count, end: used };
}

/** Values of a table: each is there once. */
export function settleTable(table: UnitTable, alphabet: Alphabet): Settled {
  return settleSpans(spansOfTable(table), alphabet);
}

export function settleSpans(spans: UnitSpans, alphabet: Alphabet): Settled {
  const order = sortTexts(spans, alphabet);
  const renumber = new Uint32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) renumber[order[at]! + 1] = at + 1;
  return { texts: unitTexts(spans, order), renumber };
}

/** Texts one after the other, equal ones as often as they come. */
export interface UnitList {
  units: GrowingU16;
  starts: GrowingU32;
}

export const createUnitList = (): UnitList => ({ units: new GrowingU16(), starts: new GrowingU32() });

/** Appends units[from … to), lone surrogates as U+FFFD; answers the text's number, from 1. */
export function appendUnits({ units: kept, starts }: UnitList, units: Uint16Array, from: number, to: number): number {
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
  if (surrogates) items.set(unitsOf(textOf(units, from, to).toWellFormed()), kept.length);
  kept.length = length;
  return starts.length;
}

export function spansOfList({ units, starts }: UnitList): UnitSpans {
  return { units: units.items, starts: starts.items, gap: 0, size: starts.length, end: units.length };
}

/** Values of a list, which are nearly all different: equal ones meet in the order and only then become one. */
export function settleList(list: UnitList, alphabet: Alphabet): Settled {
  const spans = spansOfList(list);
  return distinct(spans, sortTexts(spans, alphabet));
}

/** The same in the order in which people read names: without case and accents, equal readings by code units. */
export function settleReadings(list: UnitList): Settled {
  const spans = spansOfList(list);
  const readings = spansOfList(readingsOf(spans));
  const order = sortTexts(readings, codeUnitAlphabet);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && sameText(readings, order[from]!, order[to]!)) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareTexts(spans, a, b, 0, codeUnitAlphabet));
    from = to;
  }
  return distinct(spans, order);
}

function readingsOf({ units, starts, size, end }: UnitSpans): UnitList {
  const readings = createUnitList();
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
    else readings.units.append(unitsOf(foldText(textOf(units, from, to))));
  }
  return readings;
}

function distinct(spans: UnitSpans, order: Uint32Array): Settled {
  const renumber = new Uint32Array(order.length + 1);
  let kept = 0;
  for (let at = 0; at < order.length; at++) {
    const value = order[at]!;
    if (kept === 0 || !sameText(spans, order[kept - 1]!, value)) order[kept++] = value;
    renumber[value + 1] = kept;
  }
  return { texts: unitTexts(spans, order.subarray(0, kept)), renumber };
}
