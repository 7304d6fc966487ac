import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../test/samples/source.ts';
import { calendar, contacts } from './calendar-contacts.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const agenda = [
  ...[
    'BEGIN:VCALENDAR',
    'PRODID:-//Sample//EN',
    'X-WR-CALNAME:Team',
    'BEGIN:VEVENT',
    'DTSTART;TZID=Europe/Berlin:20240506T090000',
    'DTEND:20240506T100000Z',
  ],
  ...[
    'SUMMARY:Quarterly rev',
    ' iew\\, with cake',
    'RRULE:FREQ=WEEKLY',
    'BEGIN:VALARM',
    'SUMMARY:never',
    'END:VALARM',
    'END:VEVENT',
    'BEGIN:VEVENT',
  ],
  ...['DTSTART;VALUE=DATE:20231224', 'SUMMARY:Holiday', 'END:VEVENT', 'BEGIN:VTODO', 'SUMMARY:Pay rent', 'END:VTODO', 'END:VCALENDAR', ''],
].join('\r\n');

describe('calendars', () => {
  it('counts events, finds the date range and extracts summaries as text', async () => {
    const extracted = await calendar.read(samples.source('team.ics', agenda));
    expect(extracted.title).toBe('Team');
    expect(extracted.metadata['calendar']).toMatchObject({
      events: 2,
      tasks: 1,
      recurring: 1,
      first_date: '2023-12-24',
      last_date: '2024-05-06T10:00:00Z',
    });
    expect(extracted.bodyText).toBe('Quarterly review, with cake\nHoliday\nPay rent');
  });

  it('rejects deep nesting as a guard and other files as corrupt', async () => {
    await expect(calendar.read(samples.source('deep.ics', `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100)}`))).rejects.toMatchObject({
      kind: 'guard',
    });
    await expect(calendar.read(samples.source('text.ics', 'hello'))).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(calendar.read(samples.source('bin.ics', Buffer.alloc(500)))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('contacts', () => {
  it('counts cards and lists names', async () => {
    const cards =
      'BEGIN:VCARD\nVERSION:3.0\nFN:Ada Example\nORG:Sample Works;Lab\nEMAIL:ada@example.org\nPHOTO;ENCODING=b:AAAA\nEND:VCARD\nBEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen=\n Muster\nEND:VCARD\n';
    const extracted = await contacts.read(samples.source('a.vcf', cards));
    expect(extracted.metadata['contacts']).toEqual({
      count: 2,
      names: ['Ada Example', 'Jürgen Muster'],
      organizations: ['Sample Works'],
      versions: ['3.0', '2.1'],
      truncated: false,
    });
    expect(extracted.bodyText).toContain('ada@example.org');
    expect(extracted.bodyText).not.toContain('AAAA');
  });

  it.each([
    ['FN;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:J=FCrgen', 'Jürgen'],
    ['FN;CHARSET=windows-1251;ENCODING=QUOTED-PRINTABLE:=CF=F0=E8=E2=E5=F2', 'Привет'],
    ['FN;ENCODING=QUOTED-PRINTABLE:J=FCrgen', 'Jürgen'],
  ])('reads an encoded name in its character set (%s)', async (line, name) => {
    const { title } = await contacts.read(samples.source('one.vcf', `BEGIN:VCARD\nVERSION:2.1\n${line}\nEND:VCARD\n`));
    expect(title).toBe(name);
  });

  it('uses the name as title of a single card', async () => {
    const extracted = await contacts.read(samples.source('one.vcf', 'BEGIN:VCARD\nFN:Ada Example\nEND:VCARD\n'));
    expect(extracted.title).toBe('Ada Example');
  });

  it('rejects other files as corrupt', async () => {
    await expect(contacts.read(samples.source('x.vcf', 'FN:Ada'))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
