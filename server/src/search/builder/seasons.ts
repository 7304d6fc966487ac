/** Dates as people say them, as values of the filter language. All in UTC; seasons are those of the north. */
const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
export const monthNames = `${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')}|sept`;

const seasonStarts: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

export function monthNumber(name: string): number {
  return months.findIndex((each) => each.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `2024-05`. */
export function monthText(year: number, month: number): string {
  return `${year}-${two(month)}`;
}

/** The newest season of this name that has begun ("this") or ended ("last"), or that of a year. */
export function seasonRange(season: string, now: Date, which: 'last' | 'this' | number): string {
  const first = seasonStarts[season.toLowerCase()]!;
  const start = (year: number) => new Date(Date.UTC(year, first, 1));
  const end = (year: number) => new Date(Date.UTC(year, first + 3, 1));
  let year = typeof which === 'number' ? which : now.getUTCFullYear();
  if (which === 'last') while (end(year) > now) year -= 1;
  if (which === 'this') while (start(year) > now) year -= 1;
  return `${dayText(start(year))}..${dayText(new Date(end(year).getTime() - 86_400_000))}`;
}

/** The calendar week, month or year that holds now, or the one before it. */
export function calendarRange(unit: string, now: Date, which: 'last' | 'this'): string {
  const back = which === 'last' ? 1 : 0;
  if (unit === 'year') return String(now.getUTCFullYear() - back);
  if (unit === 'month') {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return monthText(start.getUTCFullYear(), start.getUTCMonth() + 1);
  }
  const monday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7) - 7 * back));
  return `${dayText(monday)}..${dayText(new Date(monday.getTime() + 6 * 86_400_000))}`;
}

function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}
