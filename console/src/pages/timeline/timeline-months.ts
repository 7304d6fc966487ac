import type { SearchHit, SearchTimeline } from '../../api/types.ts';
import { locale, t } from '../../language/text.ts';
import type { Months } from '../search/grid-layout.ts';

/** Which date a timeline uses. */
export type TimelineDate = SearchTimeline['date'];

const monthName = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat(locale(), { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', timeZone: 'UTC' });

export const shortMonthName = (start: number): string => shortMonth.format(start * 1000);

/** The sections of a timeline: the months, newest first, and the files without a date. All are known before any file is loaded. */
export function timelineMonths({ months, undated, total }: SearchTimeline): Months {
  const list: Months['list'] = [];
  let at = 0;
  for (const { from, to, count } of months) {
    list.push({ title: monthName.format(from * 1000), from: at, start: from, end: to });
    at += count;
  }
  if (undated > 0) list.push({ title: t('No date'), from: at, start: 0, end: 0 });
  return { list, knownCount: total };
}

/** The day of a file as YYYY-MM-DD: by the camera's clock, or in UTC as the months are. */
export function dayOf(hit: Pick<SearchHit, 'taken' | 'mtime'>, date: TimelineDate): string | null {
  if (date === 'taken') return hit.taken?.slice(0, 10) ?? null;
  const when = new Date(hit.mtime * 1000);
  return hit.mtime > 0 && !Number.isNaN(when.getTime()) ? when.toISOString().slice(0, 10) : null;
}

/** "Wed 14". */
export const formatWeekday = (day: string): string => {
  const when = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(when.getTime()) ? '' : dayName.format(when);
};

/** The month section that contains a file. */
export function sectionOf(months: Months, file: number): number {
  const at = months.list.findLastIndex(({ from }) => from <= file);
  return Math.max(0, at);
}

/** The section to show for a month given as YYYY-MM: that month, or the nearest older one. */
export function sectionOfMonth(months: Months, month: string): number {
  const start = Date.parse(`${month}-01T00:00:00Z`) / 1000;
  const at = months.list.findIndex((one) => one.end === 0 || one.start <= start);
  return at < 0 ? Math.max(0, months.list.length - 1) : at;
}

/** The shape of a tile; very wide and very tall pictures are cropped. */
export const ratioOf = ({ width, height }: Pick<SearchHit, 'width' | 'height'>): number =>
  width && height ? Math.min(2.2, Math.max(0.62, width / height)) : 4 / 3;
