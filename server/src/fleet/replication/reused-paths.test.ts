import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';

// Several files that use one path after the other, within one batch and across batches.
let t: TestApp;
let agent: TestAgent;
let seq = 0;
let root = '';
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
});
afterAll(() => t.close());
let roots = 0;
beforeEach(async () => {
  // Files of the same bytes in other libraries would count as moved.
  await sql`delete from items`.execute(t.deps.db);
  roots += 1;
  root = `/root ${roots}`;
});

/** The bytes of a file, told by one digit. */
type Digit = '1' | '2' | '3' | '4' | '5';
const facts = (digit: Digit) => ({
  size: 10,
  mtime_ns: `170000000000000000${digit}`,
  inode: digit,
  device: 1,
  links: 1,
  quick_hash: digit.repeat(16),
  content_hash: digit.repeat(64),
  policy_version: 'h1:full',
});
const entry = (event_type: string, rel_path: string, more: object) => {
  seq += 1;
  return { seq_no: seq, event_type, library_ref: root, rel_path, ...more };
};
const created = (path: string, digit: Digit) => entry('created', path, facts(digit));
const moved = (from: string, to: string, digit: Digit) => entry('moved', to, { from_rel_path: from, ...facts(digit) });
const deleted = (path: string) => entry('deleted', path, {});
const apply = async (...entries: unknown[]) => {
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const tag = (path: string, name: string) =>
  sql`update items i set tags = ${[name]} from libraries l where l.id = i.library_id and l.root_path = ${root} and i.rel_path = ${path}`.execute(
    t.deps.db,
  );
/** Status, bytes and tags by path. */
const shown = async () =>
  Object.fromEntries(
    (
      await sql<{ rel_path: string; shown: string }>`
        select i.rel_path, concat_ws(' ', i.status, left(i.content_hash, 1), nullif(array_to_string(i.tags, ' '), '')) as shown
        from items i join libraries l on l.id = i.library_id where l.root_path = ${root}`.execute(t.deps.db)
    ).rows.map((row) => [row.rel_path, row.shown]),
  );

test('two files that left the same path in one batch are two files', async () => {
  await apply(created('current/x', '1'), created('other', '5'));
  await tag('current/x', 'mine');
  await apply(moved('current/x', 'day1/x', '1'), created('current/x', '2'), moved('current/x', 'day2/x', '2'));
  expect(await shown()).toEqual({ 'day1/x': 'active 1 mine', 'day2/x': 'active 2', other: 'active 5' });
});

test('the file that left a path first continues the item, also through further moves', async () => {
  await apply(created('a', '1'));
  await tag('a', 'mine');
  await apply(moved('a', 'b', '1'), created('a', '2'), moved('b', 'd', '1'), moved('a', 'b', '2'), created('a', '3'), created('a', '4'));
  expect(await shown()).toEqual({ a: 'active 4', b: 'active 2', d: 'active 1 mine' });
});

test('log files that are rotated twice in one batch keep their tags', async () => {
  await apply(created('log', '1'), created('log.1', '2'));
  await tag('log', 'one');
  await tag('log.1', 'two');
  const rotate = (digits: readonly Digit[]) =>
    digits.map((digit, at) =>
      moved(at === digits.length - 1 ? 'log' : `log.${digits.length - at - 1}`, `log.${digits.length - at}`, digit),
    );
  await apply(...rotate(['2', '1']), created('log', '3'), ...rotate(['2', '1', '3']), created('log', '5'));
  expect(await shown()).toEqual({ log: 'active 5', 'log.1': 'active 3', 'log.2': 'active 1 one', 'log.3': 'active 2 two' });
});

test('a file that takes the path of a missing one keeps its own tags, and the missing one its', async () => {
  await apply(created('a/x', '3'), created('b/x', '4'), created('other', '5'));
  await tag('a/x', 'A');
  await tag('b/x', 'B');
  await apply(deleted('b/x'));
  await apply(moved('a/x', 'b/x', '3'));
  const { 'b/x': there, other: _, ...rest } = await shown();
  expect(there).toBe('active 3 A');
  expect(Object.values(rest)).toEqual(['missing 4 B']);
  expect(Object.keys(rest)[0]).toMatch(/^b\/x \(replaced /);
});

test('a file in the recycle bin stays there when it is moved', async () => {
  await apply(created('old/x', '1'), created('other', '5'));
  await sql`update items i set status = 'trashed', deleted_at = now() from libraries l
    where l.id = i.library_id and l.root_path = ${root} and i.rel_path = 'old/x'`.execute(t.deps.db);
  await apply(moved('old/x', 'new/x', '1'));
  expect(await shown()).toEqual({ 'new/x': 'trashed 1', other: 'active 5' });
});

describe.each([
  ['one batch', true],
  ['several batches', false],
])('a file that takes the path of one that was deleted before, in %s', (_name, together) => {
  const applyAll = async (...entries: unknown[]): Promise<number> => {
    const batches = together ? [entries] : entries.map((each) => [each]);
    let tombstoned = 0;
    for (const batch of batches) tombstoned += (await apply(...batch)).tombstoned;
    return tombstoned;
  };
  beforeEach(async () => {
    await apply(created('a', '3'), created('b', '4'), created('other', '5'));
  });

  test.each(['A', null])('keeps its own tags: %s', async (own) => {
    if (own) await tag('a', own);
    await tag('b', 'B');
    expect(await applyAll(deleted('b'), moved('a', 'b', '3'))).toBe(1);
    const { b, other: _, ...rest } = await shown();
    expect(b).toBe(own ? 'active 3 A' : 'active 3');
    expect(Object.values(rest)).toEqual(['missing 4 B']);
    expect(Object.keys(rest)[0]).toMatch(/^b \(replaced /);
  });

  test('keeps its own tags when it is changed there afterwards', async () => {
    await tag('a', 'A');
    await tag('b', 'B');
    expect(await applyAll(deleted('b'), moved('a', 'b', '3'), created('b', '2'))).toBe(1);
    const { b, other: _, ...rest } = await shown();
    expect(b).toBe('active 2 A');
    expect(Object.values(rest)).toEqual(['missing 4 B']);
  });

  test('is counted when nobody tagged the deleted file', async () => {
    await tag('a', 'A');
    expect(await applyAll(deleted('b'), moved('a', 'b', '3'))).toBe(1);
    expect(await shown()).toEqual({ b: 'active 3 A', other: 'active 5' });
  });

  test('leaves the tags of a path that was written again to that path', async () => {
    await tag('a', 'A');
    await tag('b', 'B');
    await applyAll(deleted('b'), created('b', '2'), moved('a', 'b', '3'));
    expect(await shown()).toEqual({ a: 'missing 3 A', b: 'active 3 B', other: 'active 5' });
  });

  test('leaves a file in the recycle bin there', async () => {
    await sql`update items i set status = 'trashed', deleted_at = now() from libraries l
      where l.id = i.library_id and l.root_path = ${root} and i.rel_path = 'b'`.execute(t.deps.db);
    await applyAll(deleted('b'), moved('a', 'b', '3'));
    expect(await shown()).toMatchObject({ b: 'trashed 4', other: 'active 5' });
  });
});

test('a deleted file whose path another one took in the same batch still moves to another library', async () => {
  await apply(created('a', '3'), created('b', '4'), created('other', '5'));
  await tag('a', 'A');
  await tag('b', 'B');
  const elsewhere = { ...created('b', '4'), library_ref: `${root} elsewhere` };
  await apply(elsewhere);
  await apply(deleted('b'), moved('a', 'b', '3'));
  expect(await shown()).toEqual({ b: 'active 3 A', other: 'active 5' });
  root = `${root} elsewhere`;
  expect(await shown()).toEqual({ b: 'active 4 B' });
});
