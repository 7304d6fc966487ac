import { createRequire } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { makeCompoundFile } from '../../../test/samples/compound-files.ts';
import { makeMsg } from '../../../test/samples/mails.ts';
import { makePst } from '../../../test/samples/outlook-store.ts';
import { u32le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { email } from './email.ts';
import { mailbox } from './mailbox.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = (bytes: Buffer) => mailbox.read(samples.source('mail.pst', bytes));

test.each(['ansi', 'unicode'] as const)('rejects an Outlook data file (%s) with a circular tree as corrupt', async (generation) => {
  const bytes = makePst(generation);
  const [page, tail] = [0x4000, generation === 'ansi' ? 496 : 488];
  bytes[page + tail + 3] = 1;
  for (let n = 0; n < 4; n++) bytes.writeUInt32LE(page, page + (generation === 'ansi' ? n * 12 + 8 : n * 24 + 16));
  await expect(read(bytes)).rejects.toMatchObject({ kind: 'corrupt' });
});

test('rejects an Outlook data file that is truncated or has an unknown version as corrupt', async () => {
  const bytes = makePst('unicode');
  await expect(read(bytes.subarray(0, bytes.length - 600))).rejects.toMatchObject({ kind: 'corrupt', message: /ends too early/ });
  bytes.writeUInt16LE(9, 10);
  await expect(read(bytes)).rejects.toMatchObject({ kind: 'corrupt', message: /version/ });
});

test('matches the output of msgreader for the same Outlook message', async () => {
  const bytes = makeMsg();
  const { default: MsgReader } = createRequire(import.meta.url)('@kenjiuno/msgreader') as {
    default: new (
      data: ArrayBuffer,
    ) => { getFileData(): { subject: string; senderName: string; body: string; attachments: { fileName: string }[] } };
  };
  const theirs = new MsgReader(new Uint8Array(bytes).buffer).getFileData();
  const ours = await email.read(samples.source('a.msg', bytes));
  expect(ours.title).toBe(theirs.subject);
  expect(ours.bodyText).toContain(theirs.body);
  expect(ours.metadata['email_from']).toContain(theirs.senderName);
  expect((ours.metadata['attachments'] as { name: string }[]).map((one) => one.name)).toEqual(
    theirs.attachments.map((one) => one.fileName),
  );
});

test.each([
  [0x407, Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
  [0x419, Buffer.from('cff0e8e2e5f2', 'hex'), 'Привет'],
  [0x407, Buffer.from('Grüße'), 'Grüße'],
])('texts of language %i that are stated as UTF-8 are read as what they are', async (language, bytes, text) => {
  const row = (tag: number, value: number) => Buffer.concat([u32le(tag), u32le(6), u32le(value), u32le(0)]);
  const properties = Buffer.concat([Buffer.alloc(32), row(0x3ffd0003, 65_001), row(0x3ff10003, language)]);
  const message = makeCompoundFile({ '__properties_version1.0': properties, '__substg1.0_0037001E': bytes, '__substg1.0_1000001E': bytes });
  expect(await email.read(samples.source('b.msg', message))).toMatchObject({ title: text, bodyText: text });
});

test('separates the messages of a mailbox like pages, also those without a text', async () => {
  const message = (subject: string, text: string) =>
    `From a@example.org Mon Jan  1 10:00:00 2024\nFrom: a@example.org\nSubject: ${subject}\nContent-Type: text/plain\n\n${text}\n`;
  const bytes = Buffer.from([message('First', 'one yacht'), message('', ''), message('Third', 'three')].join('\n'));
  const { bodyText } = await mailbox.read(samples.source('mail.mbox', bytes));
  const pages = String(bodyText).split('\f');
  expect(pages).toHaveLength(3);
  expect(pages[0]).toContain('one yacht');
  expect(pages[2]).toContain('Third');
});
