import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { createBodyText } from '../../body-text.ts';
import { withoutEmpty, readTextHead } from '../text-head.ts';
import { contentLines } from './content-lines.ts';

const maxBytes = 64 * 1024 * 1024;

/** Calendars: how many events and tasks, from when to when, and what they are about. */
export const calendar: Extractor = {
  name: 'calendar',
  version: 1,
  extensions: ['ics', 'vcs'],
  tools: [],
  keys: [
    'calendar',
    ...['name', 'events', 'tasks', 'first_date', 'last_date', 'recurring', 'program', 'truncated'].map((key) => `calendar.${key}`),
  ],
  read: async (source): Promise<Extracted> => {
    const { text, cut } = await readTextHead(source, maxBytes);
    if (!/^\s*BEGIN:VCALENDAR/i.test(text)) throw new ExtractError('corrupt', 'This is not a calendar.');
    const body = createBodyText(source.limits.bodyTextMaxChars);
    const seen = { events: 0, tasks: 0, recurring: 0, first: '', last: '', name: '', program: '' };
    const stack: string[] = [];
    for (const line of contentLines(text)) {
      if (line.name === 'BEGIN') {
        stack.push(line.value.toUpperCase());
        if (stack.length > 50) throw new ExtractError('guard', 'The calendar is nested too deeply.');
        if (stack.at(-1) === 'VEVENT') seen.events++;
        if (stack.at(-1) === 'VTODO') seen.tasks++;
      } else if (line.name === 'END') stack.pop();
      else if (stack.at(-1) === 'VCALENDAR') {
        if (line.name === 'X-WR-CALNAME' || line.name === 'NAME') seen.name ||= line.value.slice(0, 200);
        if (line.name === 'PRODID') seen.program = line.value.slice(0, 200);
      } else if (stack.at(-1) === 'VEVENT' || stack.at(-1) === 'VTODO') {
        if (line.name === 'RRULE') seen.recurring++;
        if (line.name === 'DTSTART' || line.name === 'DTEND' || line.name === 'DUE') extendDateRange(seen, calendarDate(line.value));
        if (['SUMMARY', 'LOCATION', 'DESCRIPTION'].includes(line.name) && line.value.trim() !== '') {
          body.add(line.value);
          body.break();
        }
      }
    }
    const facts = {
      name: seen.name,
      events: seen.events,
      tasks: seen.tasks,
      recurring: seen.recurring,
      first_date: seen.first,
      last_date: seen.last,
    };
    return {
      metadata: { calendar: withoutEmpty({ ...facts, program: seen.program, truncated: cut }) },
      ...withoutEmpty({ title: seen.name }),
      ...body.result(),
    };
  },
};

function extendDateRange(seen: { first: string; last: string }, date: string | undefined): void {
  if (date === undefined) return;
  if (seen.first === '' || date < seen.first) seen.first = date;
  if (date > seen.last) seen.last = date;
}

/** `20240506` or `20240506T070809Z`; what has no zone stays without one. */
export function calendarDate(value: string): string | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/.exec(value.trim());
  if (!match) return undefined;
  const [, y, mo, d, h, mi, s, zone] = match;
  return h === undefined ? `${y}-${mo}-${d}` : `${y}-${mo}-${d}T${h}:${mi}:${s ?? '00'}${zone ?? ''}`;
}
