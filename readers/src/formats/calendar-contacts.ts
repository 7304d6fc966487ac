import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { decodeText } from '../input/text-encoding.ts';
import { withoutEmpty } from './result.ts';
import { readTextHead } from './text/text-file.ts';

const maxBytes = 64 * 1024 * 1024;

/** Calendars: number of events and tasks, date range and searchable text. */
export const calendar: Extractor = {
  name: 'calendar',
  version: 2,
  text: true,
  extensions: ['ics', 'vcs'],
  tools: [],
  keys: [
    'calendar',
    ...['name', 'events', 'tasks', 'first_date', 'last_date', 'recurring', 'program', 'truncated'].map((key) => `calendar.${key}`),
  ],
  read: async (source): Promise<Extracted> => {
    const { text, truncated } = await readTextHead(source, maxBytes);
    if (!/^\s*BEGIN:VCALENDAR/i.test(text)) throw new ExtractError('corrupt', 'The file is not a calendar.');
    const body = createBodyText(source.limits.bodyTextMaxChars);
    const totals = { events: 0, tasks: 0, recurring: 0, first: '', last: '', name: '', program: '' };
    const stack: string[] = [];
    for (const line of contentLines(text)) {
      if (line.name === 'BEGIN') {
        stack.push(line.value.toUpperCase());
        if (stack.length > 50) throw new ExtractError('guard', 'The calendar is nested too deeply.');
        if (stack.at(-1) === 'VEVENT') totals.events++;
        if (stack.at(-1) === 'VTODO') totals.tasks++;
      } else if (line.name === 'END') stack.pop();
      else if (stack.at(-1) === 'VCALENDAR') {
        if (line.name === 'X-WR-CALNAME' || line.name === 'NAME') totals.name ||= line.value.slice(0, 200);
        if (line.name === 'PRODID') totals.program = line.value.slice(0, 200);
      } else if (stack.at(-1) === 'VEVENT' || stack.at(-1) === 'VTODO') {
        if (line.name === 'RRULE') totals.recurring++;
        if (line.name === 'DTSTART' || line.name === 'DTEND' || line.name === 'DUE') extendDateRange(totals, calendarDate(line.value));
        if (['SUMMARY', 'LOCATION', 'DESCRIPTION'].includes(line.name) && line.value.trim() !== '') {
          body.add(line.value);
          body.break();
        }
      }
    }
    const facts = {
      name: totals.name,
      events: totals.events,
      tasks: totals.tasks,
      recurring: totals.recurring,
      first_date: totals.first,
      last_date: totals.last,
    };
    return {
      metadata: { calendar: withoutEmpty({ ...facts, program: totals.program, truncated }) },
      ...withoutEmpty({ title: totals.name }),
      ...body.result(),
    };
  },
};

function extendDateRange(totals: { first: string; last: string }, date: string | undefined): void {
  if (date === undefined) return;
  if (totals.first === '' || date < totals.first) totals.first = date;
  if (date > totals.last) totals.last = date;
}

/** Parses `20240506` or `20240506T070809Z`. A time without a zone stays without one. */
function calendarDate(value: string): string | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/.exec(value.trim());
  if (!match) return undefined;
  const [, y, mo, d, h, mi, s, zone] = match;
  return h === undefined ? `${y}-${mo}-${d}` : `${y}-${mo}-${d}T${h}:${mi}:${s ?? '00'}${zone ?? ''}`;
}

/** One unfolded line of iCalendar or vCard: `NAME;PARAMETER=x:value`. */
interface ContentLine {
  name: string;
  parameters: Record<string, string>;
  value: string;
}

/** Folded lines continue on lines that begin with white space. Quoted-printable lines continue after a trailing `=`. */
function* contentLines(text: string): Generator<ContentLine> {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/(?<!=)\n[ \t]/g, '');
  let pending = '';
  for (const line of unfolded.split('\n')) {
    const joined = pending + line;
    if (/QUOTED-PRINTABLE/i.test(joined.slice(0, joined.indexOf(':') + 1)) && line.endsWith('=')) {
      pending = joined.slice(0, -1);
      continue;
    }
    pending = '';
    const parsed = parseLine(joined);
    if (parsed) yield parsed;
  }
}

function parseLine(line: string): ContentLine | undefined {
  const match = /^(?:[\w-]+\.)?([A-Za-z][\w-]*)((?:;(?:"[^"]*"|[^:;"])*)*):(.*)$/s.exec(line.slice(0, 200_000));
  if (!match) return undefined;
  const [, name = '', options = '', value = ''] = match;
  const parameters: Record<string, string> = {};
  for (const [, key = '', value = ''] of options.matchAll(/;([\w-]+)(?:=("[^"]*"|[^;]*))?/g))
    parameters[key.toUpperCase()] = value.replaceAll('"', '');
  const quoted = /QUOTED-PRINTABLE/i.test(parameters['ENCODING'] ?? '') || 'QUOTED-PRINTABLE' in parameters;
  return {
    name: name.toUpperCase(),
    parameters,
    value: quoted ? decodeQuotedPrintable(value, parameters['CHARSET']) : unescapeText(value),
  };
}

function decodeQuotedPrintable(text: string, charset: string | undefined): string {
  const bytes = Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return decodeText(bytes, true, charset)?.text ?? bytes.toString('utf8');
}

const unescapeText = (text: string): string =>
  text.replace(/\\([nN;,\\])/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? '\n' : letter));

const maxNames = 200;

/** Contact cards: number of cards, names, organizations and searchable text. */
export const contacts: Extractor = {
  name: 'contacts',
  version: 2,
  text: true,
  extensions: ['vcf', 'vct'],
  tools: [],
  keys: ['contacts', ...['count', 'names', 'organizations', 'versions', 'truncated'].map((key) => `contacts.${key}`)],
  read: async (source): Promise<Extracted> => {
    const { text, truncated } = await readTextHead(source, maxBytes);
    if (!/^\s*BEGIN:VCARD/i.test(text)) throw new ExtractError('corrupt', 'The file is not a contact card.');
    const body = createBodyText(source.limits.bodyTextMaxChars);
    const names: string[] = [];
    const organizations = new Set<string>();
    const versions = new Set<string>();
    let count = 0;
    for (const line of contentLines(text)) {
      if (line.name === 'BEGIN' && line.value.trim().toUpperCase() === 'VCARD') count++;
      else if (line.name === 'VERSION') versions.add(line.value.trim().slice(0, 10));
      else if (line.name === 'FN' && names.length < maxNames) names.push(line.value.trim().slice(0, 200));
      else if (line.name === 'ORG' && organizations.size < maxNames)
        organizations.add(
          line.value
            .replace(/;[\s\S]*$/, '')
            .trim()
            .slice(0, 200),
        );
      if (
        ['FN', 'NICKNAME', 'ORG', 'TITLE', 'ROLE', 'EMAIL', 'TEL', 'ADR', 'NOTE', 'URL'].includes(line.name) &&
        line.value.trim() !== ''
      ) {
        body.add(line.value.replace(/;+/g, ' '));
        body.break();
      }
    }
    const facts = {
      count,
      names,
      organizations: [...organizations],
      versions: [...versions].slice(0, 10),
      truncated: truncated || count > maxNames,
    };
    return { metadata: { contacts: facts }, ...(count === 1 && names[0] ? { title: names[0] } : {}), ...body.result() };
  },
};
