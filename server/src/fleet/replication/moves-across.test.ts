import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { databaseChecks } from '../../assembly/checks.ts';
import { reattachAll } from '../../catalog/scan/reattach.ts';

let t: TestApp;
let first: TestAgent;
let second: TestAgent;
const numbers = new Map<string, number>();

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  [first, second] = [await enrolAgent(t, { name: 'first' }), await enrolAgent(t, { name: 'second' })];
  for (const agent of [first, second])
    for (const root of ['/a', '/b']) await report(agent, [root, 'created', 'other.txt', { digit: root === '/a' ? 'd' : 'e' }]);
});
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

interface Facts {
  digit: string;
  inode?: string;
  mtime?: string;
  links?: number;
  size?: number;
}
type Entry = [root: string, kind: 'created' | 'deleted', path: string, facts?: Facts];

async function report(agent: TestAgent, ...given: Entry[]): Promise<Record<string, number>> {
  const entries = given.map(([library_ref, event_type, rel_path, facts]) => {
    const seq_no = (numbers.get(agent.id) ?? 0) + 1;
    numbers.set(agent.id, seq_no);
    if (!facts) return { seq_no, event_type, library_ref, rel_path };
    const { digit, inode = '7', mtime = '1700000000000000001', links = 1, size = 10 } = facts;
    const hashes = { quick_hash: digit.repeat(16), content_hash: digit.repeat(64), policy_version: 'h1:full' };
    return { seq_no, event_type, library_ref, rel_path, size, mtime_ns: mtime, inode, device: 1, links, ctime_ns: '1', ...hashes };
  });
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const tag = (path: string) => sql`update items set tags = '{kept}' where rel_path = ${path} and status = 'active'`.execute(t.deps.db);
const shown = async (digit: string) =>
  (
    await sql<{ at: string; status: string; tags: string[] }>`
      select l.name || '/' || i.rel_path as at, i.status, i.tags from items i join libraries l on l.id = i.library_id
      where i.content_hash = ${digit.repeat(64)} order by 1`.execute(t.deps.db)
  ).rows.map(({ at, status, tags }) => `${at} ${status} ${tags.join()}`.trim());

test('tags follow a file to another folder of its agent, in whichever order the two halves are reported', async () => {
  await report(first, ['/a', 'created', 'one.txt', { digit: '1' }]);
  await tag('one.txt');
  await report(first, ['/a', 'deleted', 'one.txt']);
  expect(await report(first, ['/b', 'created', 'moved.txt', { digit: '1' }])).toMatchObject({ moved: 1, upserted: 0 });
  expect(await shown('1')).toEqual(['first: b/moved.txt active kept']);
  // Back, and the new place is reported first.
  await report(first, ['/a', 'created', 'back.txt', { digit: '1' }]);
  expect(await report(first, ['/b', 'deleted', 'moved.txt'])).toMatchObject({ moved: 0, tombstoned: 1 });
  expect(await shown('1')).toEqual(['first: a/back.txt active kept']);
  // Both in one batch, where libraries are applied in the order of their folders.
  await report(first, ['/a', 'deleted', 'back.txt'], ['/b', 'created', 'again.txt', { digit: '1' }]);
  const { rows } = await sql<{ kind: string; from_rel_path: string | null }>`select c.kind, c.from_rel_path from scan_changes c
    join items i on i.id = c.item_id where i.rel_path = 'again.txt' order by c.run_id desc limit 1`.execute(t.deps.db);
  expect(rows).toEqual([{ kind: 'moved', from_rel_path: 'back.txt' }]);
  await report(first, ['/b', 'deleted', 'again.txt'], ['/a', 'created', 'end.txt', { digit: '1' }]);
  expect(await shown('1')).toEqual(['first: a/end.txt active kept']);
});

test('tags follow a file to another agent', async () => {
  await report(first, ['/a', 'created', 'two.txt', { digit: '2' }]);
  await tag('two.txt');
  await report(first, ['/a', 'deleted', 'two.txt']);
  await report(second, ['/b', 'created', 'two.txt', { digit: '2', inode: '99', mtime: '5' }]);
  expect(await shown('2')).toEqual(['second: b/two.txt active kept']);
});

test('a copy that was there before the original went missing is left alone', async () => {
  await report(first, ['/a', 'created', 'three.txt', { digit: '3', inode: '3' }]);
  await tag('three.txt');
  await report(first, ['/b', 'created', 'copy.txt', { digit: '3', inode: '4' }]);
  await report(second, ['/b', 'created', 'copy.txt', { digit: '3', inode: '3' }]);
  await report(first, ['/a', 'deleted', 'three.txt']);
  expect(await shown('3')).toEqual(['first: a/three.txt missing kept', 'first: b/copy.txt active', 'second: b/copy.txt active']);
  // A second link to the same file.
  await report(first, ['/a', 'created', 'four.txt', { digit: '4', links: 2 }], ['/b', 'created', 'link.txt', { digit: '4', links: 2 }]);
  await tag('four.txt');
  await report(first, ['/a', 'deleted', 'four.txt']);
  expect(await shown('4')).toEqual(['first: a/four.txt missing kept', 'first: b/link.txt active']);
});

test('a machine cannot take over a file of the service, and two candidates are ambiguous', async () => {
  await report(first, ['/a', 'created', 'five.txt', { digit: '5' }]);
  await tag('five.txt');
  await sql`update libraries set source_agent_id = null where name = 'first: a'`.execute(t.deps.db);
  await sql`update items set status = 'missing', deleted_at = now() where rel_path = 'five.txt'`.execute(t.deps.db);
  await report(second, ['/a', 'created', 'claim.txt', { digit: '5' }]);
  await reattachAll(t.deps.db, { crossLibrary: true, signal: new AbortController().signal, queueExtraction: async () => {} });
  expect(await shown('5')).toEqual(['first: a/five.txt missing kept', 'second: a/claim.txt active']);
  await sql`update libraries set source_agent_id = ${first.id} where name = 'first: a'`.execute(t.deps.db);
  await report(first, ['/b', 'created', 'six.txt', { digit: '6', inode: '1' }]);
  await tag('six.txt');
  await report(first, ['/b', 'deleted', 'six.txt']);
  await report(second, ['/a', 'created', 'x.txt', { digit: '6', inode: '2' }], ['/a', 'created', 'y.txt', { digit: '6', inode: '3' }]);
  expect(await shown('6')).toEqual(['first: b/six.txt missing kept', 'second: a/x.txt active', 'second: a/y.txt active']);
});

test('the daily task pairs a file that was reported at its new path first, and leaves a copy alone', async () => {
  await report(
    first,
    ['/a', 'created', 'seven.txt', { digit: '7', inode: '70' }],
    ['/a', 'created', 'eight.txt', { digit: '8', inode: '80' }],
  );
  for (const path of ['seven.txt', 'eight.txt']) await tag(path);
  await report(first, ['/a', 'created', 'moved-7.txt', { digit: '7', inode: '70' }]);
  await report(first, ['/a', 'created', 'copy-8.txt', { digit: '8', inode: '81' }]);
  await report(first, ['/a', 'created', 'unrelated.txt', { digit: '9' }]);
  await report(first, ['/a', 'deleted', 'seven.txt'], ['/a', 'deleted', 'eight.txt']);
  await reattachAll(t.deps.db, { crossLibrary: true, signal: new AbortController().signal, queueExtraction: async () => {} });
  expect(await shown('7')).toEqual(['first: a/moved-7.txt active kept']);
  expect(await shown('8')).toEqual(['first: a/copy-8.txt active', 'first: a/eight.txt missing kept']);
});

test('who sees only the library that lost a file sees it as gone, and not where it is now', async () => {
  await report(first, ['/a', 'created', 'private.txt', { digit: 'a', inode: '90' }]);
  const { rows } = await sql<{ id: string }>`select id from libraries where name = 'first: a'`.execute(t.deps.db);
  const lost = rows[0]!.id;
  const lastRun = async () =>
    (await sql<{ id: string }>`select id from scan_runs where library_id = ${lost} order by id desc limit 1`.execute(t.deps.db)).rows[0]!
      .id;
  const before = await lastRun();
  await report(first, ['/b', 'created', 'secret/elsewhere.txt', { digit: 'a', inode: '90' }]);
  await report(first, ['/a', 'deleted', 'private.txt']);
  expect(await shown('a')).toEqual(['first: b/secret/elsewhere.txt active']);
  const { id: person, key } = await addPerson(t.deps, [[lost, '', 'search_metadata']]);
  for (const as of [key, 'read']) {
    const diff = await t.request('GET', `/scans/${before}/diff/${await lastRun()}`, undefined, { as });
    expect(diff.json().items).toMatchObject([{ kind: 'gone', rel_path: 'private.txt', from_rel_path: null }]);
  }
  expect((await t.request('GET', `/scans/${await lastRun()}`)).json()).toMatchObject({ missing: 1, moved: 0 });
  await sql`delete from principals where id = ${person}`.execute(t.deps.db);
});

test('a file that is restored continues the one that its own library lost, before that of another library', async () => {
  await report(
    first,
    ['/a', 'created', 'here.txt', { digit: 'b', inode: '1' }],
    ['/b', 'created', 'there.txt', { digit: 'b', inode: '2' }],
  );
  for (const name of ['here', 'there'])
    await sql`update items set tags = ${[name]} where rel_path = ${`${name}.txt`} and status = 'active'`.execute(t.deps.db);
  await report(first, ['/a', 'deleted', 'here.txt'], ['/b', 'deleted', 'there.txt']);
  await report(first, ['/a', 'created', 'restored.txt', { digit: 'b', inode: '3', mtime: '3' }]);
  expect(await shown('b')).toEqual(['first: a/restored.txt active here', 'first: b/there.txt missing there']);
  // Two missing files of the same library match, which is ambiguous. The one of the other library must not be used instead.
  await report(first, ['/a', 'created', 'second.txt', { digit: 'b', inode: '4', mtime: '4' }]);
  await sql`update items set tags = '{second}' where rel_path = 'second.txt'`.execute(t.deps.db);
  await report(first, ['/a', 'deleted', 'restored.txt'], ['/a', 'deleted', 'second.txt']);
  await report(first, ['/a', 'created', 'unknown.txt', { digit: 'b', inode: '5', mtime: '5' }]);
  expect(await shown('b')).toContain('first: a/unknown.txt active');
});

test('empty files and bytes that many files share are left alone', async () => {
  await report(first, ['/a', 'created', 'empty.txt', { digit: 'c', size: 0 }]);
  await tag('empty.txt');
  await report(first, ['/a', 'deleted', 'empty.txt']);
  await report(first, ['/b', 'created', 'also-empty.txt', { digit: 'c', size: 0 }]);
  expect(await shown('c')).toEqual(['first: a/empty.txt missing kept', 'first: b/also-empty.txt active']);
  await report(
    second,
    ...Array.from({ length: 60 }, (_, n): Entry => ['/a', 'created', `${n}/LICENSE`, { digit: 'f', inode: `${1000 + n}` }]),
  );
  await report(first, ['/a', 'created', 'mine/LICENSE', { digit: 'f', inode: '6' }]);
  await tag('mine/LICENSE');
  await report(first, ['/a', 'deleted', 'mine/LICENSE']);
  await report(first, ['/b', 'created', 'LICENSE', { digit: 'f', inode: '6' }]);
  expect(await shown('f')).toEqual(expect.arrayContaining(['first: a/mine/LICENSE missing kept', 'first: b/LICENSE active']));
});
