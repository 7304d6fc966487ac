import type { Cron } from './cron.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The longest wait is for 29 February across a century that has none, on one day of the week. */
const furthestDays = 366 * 41;

/** The first occurrence after `after`. */
export function nextOccurrence(cron: Cron, after: Date): Date | null {
  const from = Math.floor(after.getTime() / minute) * minute + minute;
  return search(cron, from, 1);
}

/** The last occurrence at or before `at`. */
export function previousOccurrence(cron: Cron, at: Date): Date | null {
  return search(cron, Math.floor(at.getTime() / minute) * minute, -1);
}

/** Walks whole days, then looks for the time within the first day that fits. */
function search(cron: Cron, from: number, direction: 1 | -1): Date | null {
  const firstDay = Math.floor(from / day) * day;
  for (let walked = 0; walked <= furthestDays; walked += 1) {
    const start = firstDay + direction * walked * day;
    if (!fitsDay(cron, new Date(start))) continue;
    const time = timeWithin(cron, start, walked === 0 ? from : null, direction);
    if (time !== null) return new Date(time);
  }
  return null;
}

function fitsDay({ months, daysOfMonth, daysOfWeek, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const byMonth = daysOfMonth.has(date.getUTCDate());
  const byWeek = daysOfWeek.has(date.getUTCDay());
  return eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

function timeWithin({ hours, minutes }: Cron, start: number, bound: number | null, direction: 1 | -1): number | null {
  const ordered = (values: ReadonlySet<number>): number[] => [...values].sort((a, b) => (a - b) * direction);
  for (const hour of ordered(hours)) {
    for (const past of ordered(minutes)) {
      const time = start + (hour * 60 + past) * minute;
      if (bound === null || (time - bound) * direction >= 0) return time;
    }
  }
  return null;
}
