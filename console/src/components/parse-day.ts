import { locale } from '../language/text.ts';

/** A year, a month or a day; months count from 0. */
type Period = [year: number, month?: number, day?: number];

/** The months of the chosen language in this form. */
const monthsIn = (month: 'short' | 'long'): string[] =>
  Array.from({ length: 12 }, (_, at) =>
    new Intl.DateTimeFormat(locale(), { month, timeZone: 'UTC' })
      .format(Date.UTC(2023, at, 1))
      .toLowerCase()
      .replace(/\.$/, ''),
  );
const shortMonths = monthsIn('short');
const longMonths = monthsIn('long');

/** A month by its name, or by at least three letters of it: in British English the short name is Sept. */
function monthOf(name: string): number | null {
  const typed = name.toLowerCase();
  const month = longMonths.findIndex(
    (long, at) => typed.startsWith(shortMonths[at] as string) || (typed.length >= 3 && long.startsWith(typed)),
  );
  return month < 0 ? null : month;
}

/** Whether the chosen language writes the day before the month, as in 31.12.2023. */
const dayFirst = new Intl.DateTimeFormat(locale()).formatToParts(0).find(({ type }) => type === 'day' || type === 'month')?.type === 'day';

function periodOf(text: string): Period | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text) ?? [];
  if (year) return [Number(year), month ? Number(month) - 1 : undefined, day ? Number(day) : undefined];
  const [, first, second, yearAfter] = /^(\d{1,2})[./-]\s*(\d{1,2})[./-]\s*(\d{4})$/.exec(text) ?? [];
  if (yearAfter) return [Number(yearAfter), Number(dayFirst ? second : first) - 1, Number(dayFirst ? first : second)];
  // "14. Juni 2023", "junio de 2023", "Jun 14, 2023".
  const named = /^\D*?(\d{1,2})?[.\s]*(?:de )?(\p{L}+)\.?\s*(?:de )?(\d{4})$/u.exec(text) ?? undefined;
  const american = /^(\p{L}+)\.?\s+(\d{1,2}),?\s+(\d{4})$/u.exec(text);
  const [, namedDay, name = '', namedYear] = american ? [american[0], american[2], american[1], american[3]] : (named ?? []);
  const namedMonth = monthOf(name);
  return name === '' || namedMonth === null ? null : [Number(namedYear), namedMonth, namedDay ? Number(namedDay) : undefined];
}

const isReal = ([, month = 0, day = 1]: Period): boolean => month >= 0 && month < 12 && day >= 1 && day <= 31;

/** Parses "2023", "2023-06" or a day as the chosen language writes it, to epoch seconds: the first second of the period, or the last with `end`. */
export function parseDay(text: string, end = false, zone: 'local' | 'UTC' = 'local'): number | null {
  const period = periodOf(text.trim());
  if (!period || !isReal(period)) return null;
  const [year, month, day] = period;
  const at = (y: number, m: number, d: number): number => (zone === 'UTC' ? Date.UTC(y, m, d) : new Date(y, m, d).getTime()) / 1000;
  if (!end) return at(year, month ?? 0, day ?? 1);
  const next = month === undefined ? at(year + 1, 0, 1) : day === undefined ? at(year, month + 1, 1) : at(year, month, day + 1);
  return next - 1;
}
