import { makeCompoundFile } from './compound-files.ts';
import { type Sample, u32le } from './sample.ts';

/** An Outlook message with one attachment. */
export function makeMsg(): Buffer {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const ticks = Buffer.alloc(8);
  ticks.writeBigUInt64LE(BigInt(Date.UTC(2022, 0, 2, 3, 4, 5) + 11_644_473_600_000) * 10_000n);
  const properties = Buffer.concat([Buffer.alloc(32), u32le(0x00390040), u32le(6), ticks]);
  const attachment = '__attach_version1.0_#00000000';
  return makeCompoundFile({
    '__properties_version1.0': properties,
    '__substg1.0_0037001F': wide('Quarterly numbers'),
    '__substg1.0_0C1A001F': wide('Ann Example'),
    '__substg1.0_0C1F001F': wide('ann@example.org'),
    '__substg1.0_0E04001F': wide('Bob'),
    '__substg1.0_1000001F': wide('Please find the numbers attached.'),
    [`${attachment}/__properties_version1.0`]: Buffer.alloc(8),
    [`${attachment}/__substg1.0_3707001F`]: wide('numbers.xlsx'),
    [`${attachment}/__substg1.0_37010102`]: Buffer.from('PK numbers'),
  });
}

export const outlookSamples: readonly Sample[] = [
  {
    extractor: 'email',
    filename: 'mail.msg',
    build: makeMsg,
    expected: {
      email_from: 'Ann Example <ann@example.org>',
      email_to: 'Bob',
      email_date: '2022-01-02T03:04:05.000Z',
      attachment_count: 1,
      attachments: [{ name: 'numbers.xlsx', size: 10 }],
    },
    title: 'Quarterly numbers',
    word: 'attached',
  },
];
