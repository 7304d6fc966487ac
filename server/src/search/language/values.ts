import type { RangeBounds } from './ast.ts';
import { queryError } from './query-error.ts';

/** Reads filter values: numbers, sizes and times, alone, with a comparator or as a range. All times are UTC. */
export interface ValueSource {
  value: string;
  /** Where the value starts in the query. */
  at: number;
}

type Comparator = '>' | '>=' | '<' | '<=' | '=';

/** The half-open interval that a value covers. For a plain number `from` equals `to`. */
interface Extent {
  from: number;
  to: number;
}

export function sizeBounds(source: ValueSource): RangeBounds {
  return boundsOf(source, (value, at) => point(sizeOf(value, at)));
}

export function numberBounds(source: ValueSource): RangeBounds {
  return boundsOf(source, (value, at) => {
    if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value))
      throw queryError('bad_number', at, `"${abbreviate(value)}" is not a number. Write digits, as in 2024 or 1.5.`);
    return point(Number(value));
  });
}

export function timeBounds(source: ValueSource, now: Date): RangeBounds {
  const age = /^(>=|<=|>|<|=)?(\d{1,6}(?:s|m|h|d|w|mo|y))$/i.exec(source.value);
  if (age) {
    const then = timeOf(age[2] ?? '', source.at, now).from;
    // A smaller age is a later time, so the comparison is reversed.
    const meaning: Record<string, RangeBounds> = { '<': { gt: then }, '>': { lt: then }, '>=': { lte: then } };
    return meaning[age[1] ?? ''] ?? { gte: then };
  }
  return boundsOf(source, (value, at) => timeOf(value, at, now));
}

function boundsOf({ value, at }: ValueSource, read: (value: string, at: number) => Extent): RangeBounds {
  const comparator = /^(?:>=|<=|>|<|=)/.exec(value)?.[0] as Comparator | undefined;
  const rest = value.slice(comparator?.length ?? 0);
  const restAt = at + (comparator?.length ?? 0);
  const dots = rest.indexOf('..');
  if (dots >= 0) {
    if (comparator)
      throw queryError('bad_range', at, 'A range cannot have a comparator. Write A..B, or one of >, >=, <, <= with one value.');
    return rangeOf(rest.slice(0, dots), restAt, rest.slice(dots + 2), restAt + dots + 2, read);
  }
  if (rest === '') throw queryError('empty_value', restAt, 'The value is missing after the comparator. Add one, as in >10.');
  const { from, to } = read(rest, restAt);
  const isPoint = from === to;
  if (comparator === '>') return isPoint ? { gt: from } : { gte: to };
  if (comparator === '>=') return { gte: from };
  if (comparator === '<') return { lt: from };
  if (comparator === '<=') return isPoint ? { lte: from } : { lt: to };
  return isPoint ? { gte: from, lte: from } : { gte: from, lt: to };
}

function rangeOf(low: string, lowAt: number, high: string, highAt: number, read: (value: string, at: number) => Extent): RangeBounds {
  if (low === '' && high === '')
    throw queryError('bad_range', lowAt, 'A range needs a value on at least one side of the dots, as in 10.. or ..20.');
  const a = low === '' ? null : read(low, lowAt);
  const b = high === '' ? null : read(high, highAt);
  if (a && b && a.from > b.from) throw queryError('bad_range', lowAt, 'The start of the range is after its end. Swap the two values.');
  return { ...(a ? { gte: a.from } : {}), ...(b ? (b.from === b.to ? { lte: b.from } : { lt: b.to }) : {}) };
}

function point(value: number): Extent {
  return { from: value, to: value };
}

const sizeSteps: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4, p: 1024 ** 5 };

function sizeOf(value: string, at: number): number {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]*)$/i.exec(value);
  if (!match) throw queryError('bad_size_value', at, `"${abbreviate(value)}" is not a size. Write a number with K, M, G or T, as in 10m.`);
  const [, digits = '', unit = ''] = match;
  const step = sizeSteps[unit.toLowerCase().replace(/i?b$/, '')];
  if (step === undefined)
    throw queryError('bad_size_suffix', at + digits.length, `"${abbreviate(unit)}" is not a unit of size. Use K, M, G or T.`);
  return Math.round(Number(digits) * step);
}

const ageSteps: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, mo: 2_592_000, y: 31_536_000 };

function timeOf(value: string, at: number, now: Date): Extent {
  const age = /^(\d{1,6})(s|m|h|d|w|mo|y)$/i.exec(value);
  const step = ageSteps[age?.[2]?.toLowerCase() ?? ''];
  if (age && step) return point(Math.floor(now.getTime() / 1000) - Number(age[1]) * step);
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) / 1000;
  if (/^today$/i.test(value)) return { from: today, to: today + 86_400 };
  if (/^yesterday$/i.test(value)) return { from: today - 86_400, to: today };
  return calendarExtent(value, at);
}

/** A whole year, month or day. */
function calendarExtent(value: string, at: number): Extent {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value);
  if (!match)
    throw queryError(
      'bad_time_value',
      at,
      `"${abbreviate(value)}" is not a time. Write an age such as 30d, or a year, month or day such as 2024-05-31.`,
    );
  const [year, month, day] = [
    Number(match[1]),
    match[2] === undefined ? null : Number(match[2]),
    match[3] === undefined ? null : Number(match[3]),
  ];
  const start = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  // Date.UTC reads years below 100 as 19xx.
  start.setUTCFullYear(year);
  if ((month !== null && start.getUTCMonth() !== month - 1) || (day !== null && start.getUTCDate() !== day))
    throw queryError('bad_date', at, `The date ${abbreviate(value)} does not exist.`);
  const end = new Date(start);
  if (day !== null) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== null) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  return { from: start.getTime() / 1000, to: end.getTime() / 1000 };
}

export function abbreviate(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
