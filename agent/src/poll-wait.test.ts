import { expect, test } from 'vitest';
import { createPollWait } from './poll-wait.ts';

test('polls wait as long as the service asks for, and as usual for a day after a longer one was cut', async () => {
  let now = 0;
  const wait = createPollWait(() => now);
  const waited: number[] = [];
  const poll = async (lastsSeconds: number, isCut = false): Promise<void> => {
    await wait
      .run(async (seconds) => {
        waited.push(seconds);
        now += lastsSeconds * 1000;
        if (isCut) throw new Error('The connection was closed.');
      })
      .catch(() => {});
  };
  await poll(50);
  wait.tell(120);
  await poll(120);
  // The service was stopped soon after the poll began: that says nothing about proxies.
  await poll(20, true);
  await poll(60, true);
  await poll(50);
  wait.tell(120);
  await poll(86_400);
  await poll(120);
  wait.tell(undefined);
  await poll(50);
  wait.tell(100_000);
  await poll(50);
  expect(waited).toEqual([50, 120, 120, 120, 50, 50, 120, 50, 50]);
});
