import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { registryCategories } from '../taxonomy/index.ts';
import { seedMetadataProfiles } from './profiles.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('each shipped category has a profile; an unknown one has none', async () => {
  const all = (await t.request('GET', '/metadata-profiles', undefined, { as: 'read' })).json() as { file_category: string }[];
  expect(all.map(({ file_category }) => file_category)).toEqual(registryCategories.map(({ key }) => key).sort());
  const video = (await t.request('GET', '/metadata-profiles/video')).json();
  expect(video.fields['video_codec']).toEqual({ type: 'string', label: 'Video codec', required: false, facetable: true, sortable: false });
  expect((await t.request('GET', '/metadata-profiles/nowhere')).statusCode).toBe(404);
});

test('a newer version replaces an older profile, and an older version keeps a newer one', async () => {
  const { db } = t.deps;
  const read = async () => (await t.request('GET', '/metadata-profiles/video')).json();
  await sql`update metadata_profiles set version = 0, fields = '{}' where file_category = 'video'`.execute(db);
  await seedMetadataProfiles(db);
  expect(Object.keys((await read()).fields)).toContain('resolution');
  await sql`update metadata_profiles set version = 99, fields = '{}' where file_category = 'video'`.execute(db);
  await seedMetadataProfiles(db);
  expect(await read()).toMatchObject({ version: 99, fields: {} });
});
