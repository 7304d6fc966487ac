import { locale, t } from '../../language/text.ts';
/*
 * Friendly choices for a cron expression. The server reads expressions in UTC; people choose and read times in their own time zone, with the
 * offset that applies today. Expressions that no choice stands for stay as they are (`custom`).
 */
export type Repeat = 'quarter' | 'hour' | 'hours' | 'day' | 'weekday' | 'week' | 'month' | 'custom';

export interface Timing {
  repeat: Repeat;
  /** HH:MM in local time. */
  time: string;
  /** 0 is Sunday. */
  weekday: string;
  day: string;
  cron: string;
}

const weekdayName = new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' });
/** 1 January 2023 was a Sunday. */
export const WEEKDAYS = Array.from({ length: 7 }, (_, day) => weekdayName.format(Date.UTC(2023, 0, 1 + day)));

const FIXED = { quarter: '*/15 * * * *', hour: '0 * * * *', hours: '0 */6 * * *' } as const;
const isFixed = (repeat: Repeat): repeat is keyof typeof FIXED => repeat in FIXED;
const DAY = 24 * 60;

/** How many minutes local time is ahead of UTC today. */
const localOffset = (): number => -new Date().getTimezoneOffset();

/** Minutes of the day moved by some minutes, and by how many days that crosses midnight. */
function shifted(minutes: number, by: number): { hour: number; minute: number; days: -1 | 0 | 1 } {
  const moved = minutes + by;
  const days = moved < 0 ? -1 : moved >= DAY ? 1 : 0;
  const rest = moved - days * DAY;
  return { hour: Math.floor(rest / 60), minute: rest % 60, days };
}

const weekdayAfter = (weekday: number, days: number): number => (weekday + days + 7) % 7;
/** Monday to Friday in local time, as the expression has to name them in UTC. */
const WORKDAYS = { '-1': '0-4', '0': '1-5', '1': '2-6' } as const;

/** The days of a month that can be chosen: every month has them, in UTC too. */
export function monthDays(time: string, offset = localOffset()): string[] {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const { days } = shifted(hour * 60 + minute, -offset);
  return Array.from({ length: 28 }, (_, day) => day + 1)
    .filter((day) => day + days >= 1 && day + days <= 28)
    .map(String);
}

export function toCron({ repeat, time, weekday, day, cron }: Timing, offset = localOffset()): string {
  if (repeat === 'custom') return cron.trim();
  if (isFixed(repeat)) return FIXED[repeat];
  const [local = 6, minutes = 0] = time.split(':').map(Number);
  const { hour, minute, days } = shifted(local * 60 + minutes, -offset);
  const at = `${minute} ${hour}`;
  if (repeat === 'day') return `${at} * * *`;
  if (repeat === 'weekday') return `${at} * * ${WORKDAYS[String(days) as keyof typeof WORKDAYS]}`;
  if (repeat === 'week') return `${at} * * ${weekdayAfter(Number(weekday), days)}`;
  return `${at} ${Math.min(28, Math.max(1, Number(day) + days))} * *`;
}

export function fromCron(cron: string, offset = localOffset()): Timing {
  const timing: Timing = { repeat: 'custom', time: '06:00', weekday: '1', day: '1', cron };
  const fixed = Object.entries(FIXED).find(([, expression]) => expression === cron);
  if (fixed) return { ...timing, repeat: fixed[0] as Repeat };
  const parts = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-2]-[4-6]|[0-6])$/.exec(cron);
  if (!parts) return timing;
  const [, minute = '0', hour = '0', day = '*', weekday = '*'] = parts;
  const local = shifted(Number(hour) * 60 + Number(minute), offset);
  const time = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')}`;
  if (day !== '*') {
    const own = Number(day) + local.days;
    return weekday === '*' && own >= 1 && own <= 28 ? { ...timing, repeat: 'month', time, day: String(own) } : timing;
  }
  if (weekday === '*') return { ...timing, repeat: 'day', time };
  if (weekday.includes('-'))
    return WORKDAYS[String(-local.days) as keyof typeof WORKDAYS] === weekday ? { ...timing, repeat: 'weekday', time } : timing;
  return { ...timing, repeat: 'week', time, weekday: String(weekdayAfter(Number(weekday), local.days)) };
}

/** "Every Monday at 06:00", in local time. */
export function cronWords(cron: string, offset = localOffset()): string {
  const { repeat, time, weekday, day } = fromCron(cron, offset);
  switch (repeat) {
    case 'quarter':
      return t('Every 15 minutes');
    case 'hour':
      return t('Every hour');
    case 'hours':
      return t('Every six hours');
    case 'day':
      return t('Every day at {time}', { time });
    case 'weekday':
      return t('Monday to Friday at {time}', { time });
    case 'week':
      return t('Every {weekday} at {time}', { weekday: WEEKDAYS[Number(weekday)] ?? '', time });
    case 'month':
      return t('On day {day} of every month at {time}', { day, time });
    case 'custom':
      return t('{cron} (UTC)', { cron });
  }
}
