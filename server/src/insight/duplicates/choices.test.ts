import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { proveTask } from './tasks.ts';

let t: TestApp;
let folder: string;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-choices-'));
  library = await addLibrary(t.deps, { root_path: folder });
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Writes a file and its item, of which only samples were read. */
async function addSampled(relPath: string, text: string): Promise<string> {
  mkdirSync(path.dirname(path.join(folder, relPath)), { recursive: true });
  writeFileSync(path.join(folder, relPath), text);
  return addItem(t.deps, library, relPath, { size: text.length, quick_hash: sha(text.slice(0, 6)).slice(0, 16), content_hash: null });
}
const groups = async (tier: string): Promise<{ key: string }[]> =>
  (await t.request('GET', `/duplicates/groups?tier=${tier}`)).json().groups;
/** What the plan does with each copy of a group, and which rule decided. */
const planned = async (key: string) =>
  Object.fromEntries(
    (await t.request('GET', `/duplicates/groups/${key}`))
      .json()
      .copies.map(({ rel_path, action, decided_by }: Record<string, unknown>) => [rel_path, [action, decided_by]]),
  );
async function choose(key: string, item_id: string | null): Promise<void> {
  expect((await t.request('PUT', `/duplicates/groups/${key}/keep`, { item_id })).statusCode).toBe(204);
}
async function prove(): Promise<void> {
  const { job_id } = (await t.request('POST', '/duplicates/prove', {})).json();
  const { rows } = await sql<{ payload: never }>`select payload from jobs where id = ${job_id}`.execute(t.deps.db);
  await performTask(t.deps, proveTask(t.deps), rows[0]!.payload);
}

test('a copy kept by hand stays the kept one when its group is proven, until the choice is taken back', async () => {
  const text = 'picked before it was proven';
  await addSampled('a/one.mov', text);
  const two = await addSampled('b/two.mov', text);
  const [sampled] = await groups('sampled');
  expect(await planned(sampled!.key)).toEqual({ 'a/one.mov': ['keep', null], 'b/two.mov': ['unproven', null] });
  await choose(sampled!.key, two);
  expect(await planned(sampled!.key)).toEqual({ 'a/one.mov': ['unproven', null], 'b/two.mov': ['keep', 0] });
  await prove();
  expect(await groups('sampled')).toEqual([]);
  expect(await planned(sha(text))).toEqual({ 'a/one.mov': ['remove', null], 'b/two.mov': ['keep', 0] });
  await choose(sha(text), null);
  // The group is computed again, as after a scan.
  await sql`insert into duplicate_changes values (${sha(text).slice(0, 8)})`.execute(t.deps.db);
  expect(await planned(sha(text))).toEqual({ 'a/one.mov': ['keep', null], 'b/two.mov': ['remove', null] });
});

test('a choice that was made in the proven group wins over one that was made before', async () => {
  const text = 'chosen before and after';
  const one = await addSampled('c/one.mov', text);
  await addSampled('d/two.mov', text);
  const three = await addSampled('e/three.mov', text);
  const [sampled] = await groups('sampled');
  await choose(sampled!.key, three);
  // Two of the three copies are proven before the third.
  await sql`update items set content_hash = ${sha(text)} where rel_path in ('c/one.mov', 'd/two.mov')`.execute(t.deps.db);
  await choose(sha(text), one);
  await sql`update items set content_hash = ${sha(text)} where rel_path = 'e/three.mov'`.execute(t.deps.db);
  expect(await planned(sha(text))).toMatchObject({ 'c/one.mov': ['keep', 0], 'e/three.mov': ['remove', null] });
});
