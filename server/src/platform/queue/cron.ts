/**
 * Five-field cron in UTC: minute, hour, day of month, month, day of week. A field is a list of `*`, `a`, `a-b`, each with an optional
 * `/step`; months and days may be named (jan, mon), Sunday is 0 or 7. As in standard cron, when both day fields are restricted (neither
 * begins with `*`), a day matches if either field does.
 */
interface Cron {
  text: string;
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  daysOfMonth: ReadonlySet<number>;
  months: ReadonlySet<number>;
  daysOfWeek: ReadonlySet<number>;
  eitherDay: boolean;
}

/** An invalid schedule; the message is shown to users. */
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

const minuteField: Field = { label: 'minute', least: 0, most: 59 };
const hourField: Field = { label: 'hour', least: 0, most: 23 };
const dayOfMonthField: Field = { label: 'day of month', least: 1, most: 31 };
const monthField: Field = { label: 'month', least: 1, most: 12, names: monthNames };
const dayOfWeekField: Field = { label: 'day of week', least: 0, most: 7, names: dayNames };

export function parseCron(text: string): Cron {
  const [minute, hour, dayOfMonth, month, dayOfWeek, ...rest] = text.trim().split(/\s+/);
  if (!minute || !hour || !dayOfMonth || !month || !dayOfWeek || rest.length > 0) {
    throw new CronError('A schedule has five fields: minute, hour, day of month, month and day of week, for example "30 4 * * *".');
  }
  const minutes = parseField(minuteField, minute);
  const hours = parseField(hourField, hour);
  const daysOfMonth = parseField(dayOfMonthField, dayOfMonth);
  const months = parseField(monthField, month);
  const daysOfWeek = new Set([...parseField(dayOfWeekField, dayOfWeek)].map((day) => day % 7));
  const eitherDay = !dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*');
  const firstDay = Math.min(...daysOfMonth);
  const possible = eitherDay || longestMonth.some((days, index) => months.has(index + 1) && firstDay <= days);
  if (!possible) throw new CronError(`The schedule "${text.trim()}" never runs: none of its months has such a day.`);
  return { text: [minute, hour, dayOfMonth, month, dayOfWeek].join(' '), minutes, hours, daysOfMonth, months, daysOfWeek, eitherDay };
}

function parseField(field: Field, text: string): Set<number> {
  const values = new Set<number>();
  for (const item of text.toLowerCase().split(',')) for (const value of expand(field, item)) values.add(value);
  return values;
}

function expand(field: Field, item: string): number[] {
  const match = /^(?:(\*)|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/(\d{1,4}))?$/.exec(item);
  if (!match) throw new CronError(`"${item}" is not a valid ${field.label}. ${allowed(field)}`);
  const [, star, first, last, step] = match;
  const from = star || first === undefined ? field.least : numberOf(field, first, item);
  let to = star ? field.most : last !== undefined ? numberOf(field, last, item) : step !== undefined ? field.most : from;
  // `*` must not include Sunday twice (0 and 7), and in `fri-sun` Sunday is day 7.
  if (field.names === dayNames && star) to = 6;
  if (field.names === dayNames && last === 'sun') to = 7;
  if (from > to) throw new CronError(`The range "${item}" is reversed. Write the smaller ${field.label} first.`);
  const by = step === undefined ? 1 : Number(step);
  if (by === 0) throw new CronError(`"${item}" has a step of zero. Use a step of 1 or more.`);
  const values: number[] = [];
  for (let value = from; value <= to; value += by) values.push(value);
  return values;
}

function numberOf(field: Field, text: string, item: string): number {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + field.least : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.least && value <= field.most)) throw new CronError(`"${item}" is not a valid ${field.label}. ${allowed(field)}`);
  return value;
}

function allowed({ least, most, names }: Field): string {
  return `Use ${least} to ${most}${names ? ` or a name such as ${names[1]}` : ''}, a range, a list or a step such as */5.`;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The longest gap between occurrences is a 29 February on a given weekday, across a century year without one. */
const maxSearchDays = 366 * 41;

/** The first occurrence after `after`. */
export function nextOccurrence(cron: Cron, after: Date): Date | null {
  const from = Math.floor(after.getTime() / minuteMs) * minuteMs + minuteMs;
  return search(cron, from, 1);
}

/** The last occurrence at or before `at`. */
export function previousOccurrence(cron: Cron, at: Date): Date | null {
  return search(cron, Math.floor(at.getTime() / minuteMs) * minuteMs, -1);
}

/** Searches day by day, then for the time within the first matching day. */
function search(cron: Cron, from: number, direction: 1 | -1): Date | null {
  const firstDay = Math.floor(from / dayMs) * dayMs;
  for (let days = 0; days <= maxSearchDays; days += 1) {
    const start = firstDay + direction * days * dayMs;
    if (!matchesDay(cron, new Date(start))) continue;
    const time = timeWithin(cron, start, days === 0 ? from : null, direction);
    if (time !== null) return new Date(time);
  }
  return null;
}

function matchesDay({ months, daysOfMonth, daysOfWeek, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const byMonth = daysOfMonth.has(date.getUTCDate());
  const byWeek = daysOfWeek.has(date.getUTCDay());
  return eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

function timeWithin({ hours, minutes }: Cron, start: number, bound: number | null, direction: 1 | -1): number | null {
  const ordered = (values: ReadonlySet<number>): number[] => [...values].sort((a, b) => (a - b) * direction);
  for (const hour of ordered(hours)) {
    for (const past of ordered(minutes)) {
      const time = start + (hour * 60 + past) * minuteMs;
      if (bound === null || (time - bound) * direction >= 0) return time;
    }
  }
  return null;
}
