import { afterAll, expect, it } from 'vitest';
import { makeMp3 } from '../../test/samples/sounds.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { audio } from './audio.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it('tags are kept although the recording is missing or the tag is cut off', async () => {
  const whole = makeMp3();
  const { title, artist } = (await audio.read(samples.source('whole.mp3', whole))).metadata;
  expect(title).toBeDefined();
  const tagBytes = 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (whole[at] as number), 0);
  const tagOnly = await audio.read(samples.source('tag.mp3', whole.subarray(0, tagBytes)));
  expect(tagOnly.metadata).toMatchObject({ title, artist });
  // The tag states 100,000 bytes more than the file has, as in a download that stopped inside a cover.
  const longer = Buffer.from(whole.subarray(0, tagBytes));
  const size = tagBytes - 10 + 100_000;
  for (const [at, shift] of [21, 14, 7, 0].entries()) longer[6 + at] = (size >> shift) & 127;
  expect((await audio.read(samples.source('cut.mp3', longer))).metadata).toMatchObject({ title, artist });
});

it('a file without tags and without a recording is damaged', async () => {
  await expect(audio.read(samples.source('none.mp3', Buffer.alloc(5000, 1)))).rejects.toMatchObject({ kind: 'corrupt' });
});
