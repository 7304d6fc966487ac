import { afterAll, expect, test } from 'vitest';
import { makePst } from '../../../test/samples/outlook-store.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { mailbox } from './mailbox.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = (bytes: Buffer) => mailbox.read(samples.source('mail.pst', bytes));

test.each(['ansi', 'unicode'] as const)(
  'an Outlook data file (%s) whose tree turns in a circle is damaged, not endless',
  async (generation) => {
    const bytes = makePst(generation);
    const [page, tail] = [0x4000, generation === 'ansi' ? 496 : 488];
    bytes[page + tail + 3] = 1;
    for (let n = 0; n < 4; n++) bytes.writeUInt32LE(page, page + (generation === 'ansi' ? n * 12 + 8 : n * 24 + 16));
    await expect(read(bytes)).rejects.toMatchObject({ kind: 'corrupt' });
  },
);

test('an Outlook data file that is cut short or of an unknown version is damaged', async () => {
  const bytes = makePst('unicode');
  await expect(read(bytes.subarray(0, bytes.length - 600))).rejects.toMatchObject({ kind: 'corrupt', message: /ends too early/ });
  bytes.writeUInt16LE(9, 10);
  await expect(read(bytes)).rejects.toMatchObject({ kind: 'corrupt', message: /version/ });
});
