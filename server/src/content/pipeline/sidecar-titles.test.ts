import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, items, tree } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest } from './extraction.fixture.ts';

let x: Awaited<ReturnType<typeof createExtractionTest>>;
beforeAll(async () => {
  x = await createExtractionTest();
});
afterAll(() => x.close());

const nfo = '<movie><title>Sun</title><year>1999</year></movie>';
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><title>Sun</title></svg>';

test.each([
  ['keeps its own title, which is the same', { 'a.svg': picture }, 'extracted', 'Sun'],
  ['that cannot be read does not keep the title of the sidecar', { 'a.docx': 'PK\u0003\u0004 this is no document' }, 'failed', null],
])('a file with a sidecar %s when the sidecar is gone', async (_what, files, outcome, left) => {
  const { db } = x.t.deps;
  const root = tree({ ...files, 'a.nfo': nfo });
  const library = await addLibrary(db, root);
  const file = async () => (await items(db, library))[Object.keys(files)[0]!];
  await x.rescan(library);
  expect(await x.read(library)).toContain(outcome);
  expect(await file()).toMatchObject({ title: 'Sun', year: 1999 });
  rmSync(path.join(root, 'a.nfo'));
  await x.rescan(library);
  expect(await file()).toMatchObject({ title: left, year: null });
});
