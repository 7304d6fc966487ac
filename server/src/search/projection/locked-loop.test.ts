import { expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { until } from '../../../test/service.ts';
import { silentLog } from '../../platform/log/index.ts';
import { createLockedLoop } from './locked-loop.ts';

test('work that keeps failing is started less and less often', async () => {
  const database = await cloneDatabase();
  const starts: number[] = [];
  const options = { name: 'failing', lockKey: 1, channel: 'failing', failure: 'It failed.' };
  const loop = createLockedLoop({ database, log: silentLog }, options, async () => {
    starts.push(performance.now());
    throw new Error('The search server is down.');
  });
  loop.start();
  try {
    await until(() => starts.length >= 5, 'the fifth attempt');
  } finally {
    await loop.stop();
    await database.close();
  }
  expect((starts[4] ?? 0) - (starts[3] ?? 0)).toBeGreaterThan(1500);
});
