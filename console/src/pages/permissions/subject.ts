import { isoDay } from '../../format/dates.ts';

export type Right = 'read' | 'write';

/** What the page is about. It is in the address. */
export interface Subject {
  principal: string;
  right: Right;
  /** A past day such as 2026-03-14; '' for today. */
  on: string;
}

/** The last moment of a past day in the user's time zone; nothing for today. */
export function endOfDay(on: string): { at?: string } {
  const end = new Date(`${on}T23:59:59.999`);
  return Number.isNaN(end.getTime()) || on >= isoDay(new Date()) ? {} : { at: end.toISOString() };
}
