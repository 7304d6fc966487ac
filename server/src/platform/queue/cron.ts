/**
 * Five-field cron in UTC: minute, hour, day of month, month, day of week. A field is a list of `*`, `a`, `a-b`, each with an optional
 * `/step`; months and days may be named (jan, mon), Sunday is 0 or 7. When both day fields are restricted (neither begins with `*`), a day
 * fits if either does, as cron has always done it.
 */
export interface Cron {
  text: string;
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  daysOfMonth: ReadonlySet<number>;
  months: ReadonlySet<number>;
  daysOfWeek: ReadonlySet<number>;
  eitherDay: boolean;
}

/** Says in one sentence what is wrong with a schedule. */
export class CronError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronError';
  }
}

interface Field {
  label: string;
  least: number;
  most: number;
  names?: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const fields: readonly Field[] = [
  { label: 'minute', least: 0, most: 59 },
  { label: 'hour', least: 0, most: 23 },
  { label: 'day of month', least: 1, most: 31 },
  { label: 'month', least: 1, most: 12, names: monthNames },
  { label: 'day of week', least: 0, most: 7, names: dayNames },
];

export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5 || parts[0] === '') {
    throw new CronError('A schedule has five fields: minute, hour, day of month, month and day of week, for example "30 4 * * *".');
  }
  const [minutes, hours, daysOfMonth, months, days] = fields.map((field, place) => parseField(field, parts[place]!)) as [
    Set<number>,
    ...Set<number>[],
  ];
  const daysOfWeek = new Set([...days!].map((day) => day % 7));
  const eitherDay = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*');
  const possible = eitherDay || [...months!].some((month) => Math.min(...daysOfMonth!) <= longestMonth[month - 1]!);
  if (!possible) throw new CronError(`The schedule "${text.trim()}" never fires: none of its months has such a day.`);
  return { text: parts.join(' '), minutes, hours: hours!, daysOfMonth: daysOfMonth!, months: months!, daysOfWeek, eitherDay };
}

function parseField(field: Field, text: string): Set<number> {
  const values = new Set<number>();
  for (const item of text.toLowerCase().split(',')) for (const value of expand(field, item)) values.add(value);
  return values;
}

function expand(field: Field, item: string): number[] {
  const match = /^(?:(\*)|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/(\d{1,4}))?$/.exec(item);
  if (!match) throw new CronError(`"${item}" is no ${field.label}. ${allowed(field)}`);
  const [, star, first, last, step] = match;
  const from = star ? field.least : numberOf(field, first!, item);
  let to = star ? field.most : last !== undefined ? numberOf(field, last, item) : step !== undefined ? field.most : from;
  // `*` must not count Sunday twice, and `fri-sun` means up to the seventh day.
  if (field.names === dayNames && star) to = 6;
  if (field.names === dayNames && last === 'sun') to = 7;
  if (from > to) throw new CronError(`"${item}" runs backwards. Write the smaller ${field.label} first.`);
  const by = step === undefined ? 1 : Number(step);
  if (by === 0) throw new CronError(`"${item}" has a step of zero. Use a step of 1 or more.`);
  const values: number[] = [];
  for (let value = from; value <= to; value += by) values.push(value);
  return values;
}

function numberOf(field: Field, text: string, item: string): number {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + field.least : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.least && value <= field.most)) throw new CronError(`"${item}" is no ${field.label}. ${allowed(field)}`);
  return value;
}

function allowed({ least, most, names }: Field): string {
  return `Use ${least} to ${most}${names ? ` or a name such as ${names[1]}` : ''}, a range, a list or a step such as */5.`;
}

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
