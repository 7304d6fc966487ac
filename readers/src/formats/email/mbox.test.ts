import { afterAll, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { mailbox } from './mailbox.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it.each(['\n', '\r\n'])('a date in the text of a message is not that of the message (line ends %j)', async (end) => {
  const lines = [
    ...['From a@b Mon Jan  1 00:00:00 2024', 'Subject: one', 'Date: Tue, 2 Jan 2024 10:00:00 +0100', '', 'Hello', ''],
    ...[
      'From a@b Wed Jan  3 00:00:00 2024',
      'Subject: two',
      '',
      'Date: Fri, 1 Jan 1999 10:00:00 +0000',
      'was the date of a quoted message',
      '',
    ],
  ];
  const { metadata } = await mailbox.read(samples.source('a.mbox', lines.join(end)));
  expect(metadata['mailbox']).toMatchObject({ message_count: 2, first_date: '2024-01-02T09:00:00.000Z' });
  expect((metadata['mailbox'] as { last_date: string }).last_date.slice(0, 7)).toBe('2024-01');
});
