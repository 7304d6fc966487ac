import { expect, test } from 'vitest';
import { createIndexedApp } from '../../../test/indexed-app.ts';
import { runSections } from './within.ts';

test('a section that fails or is late is reported under degraded and the remainder is served normally', async () => {
  const never = new Promise<number>(() => {});
  const { values, degraded } = await runSections(
    { good: async () => 1, bad: async () => Promise.reject(new Error('is away')), slow: () => never },
    { sectionMs: 50, deadlineMs: 5000 },
  );
  expect(values).toEqual({ good: 1 });
  expect(degraded).toEqual({ bad: 'is away', slow: 'took longer than 0.05 seconds' });
  const late = await runSections({ one: () => never, two: () => never }, { sectionMs: 5000, deadlineMs: 50 });
  expect(Object.keys(late.degraded)).toEqual(['one', 'two']);
});

test('GET /stats answers seven aggregates', async () => {
  const t = await createIndexedApp();
  const library = await t.addLibrary('A');
  await t.addItems(library, [
    { path: 'a.jpg', category: 'image', group: 'raster-photo', size: 5 },
    { path: 'b.pdf', metadata: { _extract_error: 'x' }, size: 7 },
  ]);
  await t.waitForIndex();
  const stats = (await t.request('GET', '/stats')).json();
  expect(stats).toMatchObject({
    by_type: { image: { count: 1, bytes: 5 }, document: { count: 1, bytes: 7 } },
    extract: { failed: 1 },
    extract_errors: { [library]: 1 },
    meili: { document_count: 2, drift: 0, in_sync: true },
    thumbs: { count: 0, over_budget: false },
    degraded: {},
  });
  expect(stats.disk.paths[0].label).toBe('config');
  await t.close();
});
