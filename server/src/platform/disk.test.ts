import { expect, test } from 'vitest';
import { settingsForTests } from '../settings/index.ts';
import { classifyDisk, probeDisks } from './disk.ts';

const settings = settingsForTests();
const gb = 1e9;

test.each([
  [100 * gb, 500 * gb, 'ok'],
  [19 * gb, 100 * gb, 'warn'],
  [49 * gb, 500 * gb, 'warn'],
  [4.9 * gb, 20 * gb, 'critical'],
  [30 * gb, 2000 * gb, 'critical'],
  [5 * gb, 50 * gb, 'warn'],
])('%d free of %d is %s: absolute and percent floors, the more conservative wins', (free, total, status) => {
  expect(classifyDisk(settings, free, total).status).toBe(status);
});

test('a path that cannot be read is reported as unknown, with the reason', async () => {
  const { status, paths } = await probeDisks(settingsForTests({ SVC_CONFIG_DIR: '/nowhere/at/all' }));
  expect(status).toBe('unknown');
  expect(paths[0]?.reason).toContain('ENOENT');
});
