/** Friendly choices for a cron expression. Times are UTC, as in the expression. */
export type Repeat = 'day' | 'weekday' | 'week' | 'month' | 'custom';

export interface Timing {
  repeat: Repeat;
  /** HH:MM in UTC. */
  time: string;
  /** 0 is Sunday. */
  weekday: string;
  day: string;
  cron: string;
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export function toCron({ repeat, time, weekday, day, cron }: Timing): string {
  if (repeat === 'custom') return cron.trim();
  const [hour = '6', minute = '0'] = time.split(':');
  const at = `${Number(minute)} ${Number(hour)}`;
  return { day: `${at} * * *`, weekday: `${at} * * 1-5`, week: `${at} * * ${weekday}`, month: `${at} ${day} * *` }[repeat];
}

export function fromCron(cron: string): Timing {
  const timing: Timing = { repeat: 'custom', time: '06:00', weekday: '1', day: '1', cron };
  const parts = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-6])$/.exec(cron);
  if (!parts) return timing;
  const [, minute = '0', hour = '0', day = '*', weekday = '*'] = parts;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day !== '*') return weekday === '*' ? { ...timing, repeat: 'month', time, day } : timing;
  if (weekday === '*') return { ...timing, repeat: 'day', time };
  return weekday === '1-5' ? { ...timing, repeat: 'weekday', time } : { ...timing, repeat: 'week', time, weekday };
}

/** "Every Monday at 06:00 UTC". */
export function cronWords(cron: string): string {
  const { repeat, time, weekday, day } = fromCron(cron);
  if (repeat === 'custom') return cron;
  const when = {
    day: 'Every day',
    weekday: 'Monday to Friday',
    week: `Every ${WEEKDAYS[Number(weekday)]}`,
    month: `On day ${day} of every month`,
  }[repeat];
  return `${when} at ${time} UTC`;
}
