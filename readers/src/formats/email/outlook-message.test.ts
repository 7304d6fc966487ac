import { createRequire } from 'node:module';
import { afterAll, expect, it } from 'vitest';
import { makeMsg } from '../../../test/samples/outlook.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { email } from './email.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it('agrees with another reader about the same Outlook message', async () => {
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
