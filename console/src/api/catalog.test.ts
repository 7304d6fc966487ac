import { afterEach, expect, test, vi } from 'vitest';
import { libraries } from './catalog.ts';

afterEach(() => vi.unstubAllGlobals());

test('libraries are sorted by name, with numbers in numeric order', async () => {
  vi.stubGlobal('fetch', async () => Response.json(['Disk 10', 'archive', 'Disk 2', 'Berlin'].map((name) => ({ name }))));
  expect((await libraries()).map(({ name }) => name)).toEqual(['archive', 'Berlin', 'Disk 2', 'Disk 10']);
});
