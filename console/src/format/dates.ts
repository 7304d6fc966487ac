import { locale, t } from '../language/text.ts';

/** Dates in the chosen language and the user's time zone. */
const day = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: 'numeric' });
const dayThisYear = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' });
const time = new Intl.DateTimeFormat(locale(), { timeStyle: 'short' });
const timeSeconds = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const month = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' });
const shortMonth = new Intl.DateTimeFormat(locale(), { month: 'short', year: 'numeric' });
const cameraDay = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const cameraMonth = new Intl.DateTimeFormat(locale(), { month: 'short', year: 'numeric', timeZone: 'UTC' });
const ago = new Intl.RelativeTimeFormat(locale(), { style: 'short', numeric: 'auto' });

/** The API uses both ISO strings and epoch seconds. */
export function toDate(value: string | number | Date): Date {
  if (value instanceof Date) return value;
  return typeof value === 'number' ? new Date(value * 1000) : new Date(value);
}

export const formatDate = (value: string | number | Date): string => day.format(toDate(value));
export const formatDayMonth = (value: string | number | Date): string => dayThisYear.format(toDate(value));
export const formatTime = (value: string | number | Date): string => time.format(toDate(value));
export const formatLogTime = (value: string | number | Date): string => timeSeconds.format(toDate(value));
export const formatDateTime = (value: string | number | Date): string => `${formatDate(value)}, ${formatTime(value)}`;
export const formatMonth = (value: string | number | Date): string => month.format(toDate(value));
export const formatShortMonth = (value: string | number | Date): string => shortMonth.format(toDate(value));

/** Dates by the clock of the camera, which are counted as if it were in UTC. */
export const formatCameraDate = (value: number): string => cameraDay.format(toDate(value));
export const formatCameraMonth = (value: number): string => cameraMonth.format(toDate(value));

/** "3 Nov" in the current year, otherwise "3 Nov 2023". */
export function formatShortDate(value: string | number | Date, now = new Date()): string {
  const when = toDate(value);
  return when.getFullYear() === now.getFullYear() ? dayThisYear.format(when) : day.format(when);
}

/** "today 06:12", "yesterday 18:40", "3 Nov, 02:14". */
export function formatRecent(value: string | number | Date, now = new Date()): string {
  const when = toDate(value);
  const days = Math.round((startOfDay(now) - startOfDay(when)) / 86_400_000);
  if (days === 0) return t('today {time}', { time: time.format(when) });
  if (days === 1) return t('yesterday {time}', { time: time.format(when) });
  return days < 300 ? `${formatShortDate(when, now)}, ${time.format(when)}` : formatDate(when);
}

function startOfDay(when: Date): number {
  return new Date(when.getFullYear(), when.getMonth(), when.getDate()).getTime();
}

/** "3 hr ago", "vor 3 Std." */
export function timeAgo(value: string | number | Date, now = Date.now()): string {
  const seconds = Math.round((toDate(value).getTime() - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 60) return t('just now');
  if (size < 3570) return ago.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return ago.format(Math.round(seconds / 3600), 'hour');
  if (size < 86_400 * 60) return ago.format(Math.round(seconds / 86_400), 'day');
  return formatDate(value);
}

/** "2026-03-14" in the user's time zone, as date fields write it. */
export function isoDay(when: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
}
