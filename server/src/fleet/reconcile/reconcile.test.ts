import { addToDigest, bucketOf, digestText, emptyDigest, mergeDigest } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { databaseChecks } from '../../assembly/checks.ts';
import { reconcileChecks } from './checks.ts';
import { purgeSessions } from './store.ts';

let t: TestApp;
let agent: TestAgent;
let other: TestAgent;
const root = '/data/photos';
const file = (digit: string) => ({
  size: 10,
  mtime_ns: '1700000000000000001',
  quick_hash: digit.repeat(16),
  content_hash: digit.repeat(64),
  policy_version: 'h1:full',
  symlink_target: null,
});
/** The agent's index: path and facts. */
const index = new Map([
  ['top.jpg', file('1')],
  ['a/one.jpg', file('2')],
  ['a/ä "b\n.jpg', file('3')],
  ['a/b/two.jpg', { ...file('4'), quick_hash: null as never, content_hash: null as never }],
  ['c/three.jpg', file('5')],
  ['a-b/four.jpg', file('6')],
]);
const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const digestOf = (select: (path: string) => boolean): string => {
  const sum = emptyDigest();
  for (const [path, facts] of index)
    if (select(path)) {
      const own = emptyDigest();
      addToDigest(own, facts, path);
      mergeDigest(sum, own);
    }
  return digestText(sum);
};
const post = async (step: string, body: object, as = agent) => as.send('POST', `/agents/${as.id}/reconcile/${step}`, body);
const start = (seq_no = index.size, more: object = {}) =>
  post('start', { library_ref: root, digest: digestOf(() => true), row_count: index.size, seq_no, ...more });
const items = async () =>
  (
    await sql<{ rel_path: string; status: string; size: number; tags: string[] }>`
      select rel_path, status, size, tags from items where library_id in (select id from libraries where root_path = ${root}) order by rel_path`.execute(
      t.deps.db,
    )
  ).rows;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
  other = await enrolAgent(t, { name: 'nas-02' });
  const entries = [...index].map(([rel_path, facts], at) => ({
    seq_no: at + 1,
    event_type: 'created',
    library_ref: root,
    rel_path,
    initial: true,
    ...facts,
  }));
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries });
  expect(answer.json()).toMatchObject({ upserted: index.size, quarantined: 0 });
});
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

test('equal indexes have equal digests, whatever the names and however many hashes are missing', async () => {
  expect((await start()).json()).toEqual({ status: 'match' });
  const { last_reconcile_at } = (await t.request('GET', `/agents/${agent.id}`)).json();
  expect(last_reconcile_at).not.toBeNull();
});

test('folders are compared downwards; only those whose files differ are listed, and the service is corrected', async () => {
  await sql`update items set tags = '{kept}'`.execute(t.deps.db);
  await sql`delete from items where rel_path = 'c/three.jpg'`.execute(t.deps.db);
  await sql`update items set size = 99 where rel_path = 'a/one.jpg'`.execute(t.deps.db);
  await sql`update items set filename = 'ghost.jpg' where rel_path = 'a/b/two.jpg'`.execute(t.deps.db);
  const { status, session_id: session } = (await start()).json();
  expect(status).toBe('mismatch');
  const compared = (path: string) => {
    const prefix = path === '' ? '' : `${path}/`;
    const names = new Set([...index.keys()].filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length)));
    const children = [...new Set([...names].filter((each) => each.includes('/')).map((each) => each.split('/')[0]!))];
    return {
      path,
      digest: digestOf((each) => dirOf(each) === path),
      children: children.map((name) => [name, digestOf((each) => each.startsWith(`${prefix}${name}/`))]),
    };
  };
  const compare = async (...paths: string[]) => (await post(`${session}/folders`, { folders: paths.map(compared) })).json();
  expect(await compare('')).toEqual({ list: [], enter: ['a', 'c'] });
  expect(await compare('a', 'c')).toEqual({ list: ['a', 'c'], enter: ['a/b'] });
  expect(await compare('a/b')).toEqual({ list: ['a/b'], enter: [] });
  // Another agent has no part in it.
  for (const step of ['folders', 'rows', 'buckets', 'finish'])
    expect(
      (
        await post(
          `${session}/${step}`,
          step === 'finish'
            ? {}
            : step === 'buckets'
              ? { path: '', digests: ['0'.repeat(16)] }
              : { folders: [step === 'rows' ? { path: '', files: [] } : compared('')] },
          other,
        )
      ).statusCode,
      step,
    ).toBe(404);
  const listed = (path: string) => ({
    path,
    files: [...index].filter(([each]) => dirOf(each) === path).map(([each, facts]) => ({ name: nameOf(each), ...facts })),
  });
  expect((await post(`${session}/rows`, { folders: ['a', 'c', 'a/b'].map(listed) })).json()).toEqual({ differing: 4, refused: 0 });
  expect((await post(`${session}/finish`, {})).json()).toEqual({
    status: 'reconciled',
    upserted: 3,
    tombstoned: 1,
    trashed_conflicts: 0,
    refused: 0,
  });
  expect((await start()).json()).toEqual({ status: 'match' });
  expect((await items()).find(({ rel_path }) => rel_path === 'a/one.jpg')).toMatchObject({ size: 10, status: 'active', tags: ['kept'] });
  expect((await items()).find(({ rel_path }) => rel_path === 'a/b/ghost.jpg')?.status).toBe('missing');
});

test('a tree that the agent does not have becomes missing without being listed', async () => {
  const gone = [...index].filter(([path]) => path.startsWith('a/b/') || path.startsWith('a-b/'));
  for (const [path] of gone) index.delete(path);
  const { session_id: session } = (await start(6)).json();
  const folders = [
    {
      path: '',
      digest: digestOf((path) => dirOf(path) === ''),
      children: ['a', 'c'].map((name) => [name, digestOf((path) => path.startsWith(`${name}/`))]),
    },
    { path: 'a', digest: digestOf((path) => dirOf(path) === 'a'), children: [] },
  ];
  expect((await post(`${session}/folders`, { folders })).json()).toEqual({ list: [], enter: ['a'] });
  expect((await post(`${session}/finish`, {})).json()).toMatchObject({ tombstoned: 2, upserted: 0 });
  expect((await start(6)).json()).toEqual({ status: 'match' });
});

test('a large folder is compared in buckets, and only the files of differing buckets are listed', async () => {
  await sql`update items set size = 11 where rel_path = 'a/one.jpg'`.execute(t.deps.db);
  const { session_id: session } = (await start(6)).json();
  const count = 16;
  const digests = Array.from({ length: count }, (_, bucket) =>
    digestOf((path) => dirOf(path) === 'a' && bucketOf(nameOf(path), count) === bucket),
  );
  const which = bucketOf('one.jpg', count);
  expect((await post(`${session}/buckets`, { path: 'a', digests })).json()).toEqual({ differing: [which] });
  const files = [{ name: 'one.jpg', ...file('2') }];
  expect((await post(`${session}/rows`, { folders: [{ path: 'a', buckets: { count, which: [which] }, files }] })).json()).toMatchObject({
    differing: 1,
  });
  expect((await start(6)).json()).toEqual({ status: 'match' });
  expect((await post(`${session}/buckets`, { path: 'a', digests: digests.slice(0, 3) })).statusCode).toBe(400);
});

test('a comparison waits for all changes, ends with the next one, and never empties a library', async () => {
  expect((await start(5)).json()).toMatchObject({ status: 409, reason: 'changed', expected_seq_no: 7 });
  expect((await start(6, { row_count: 0, digest: '0'.repeat(16) })).json()).toMatchObject({ status: 409, reason: 'empty' });
  expect((await start(6, { library_ref: '/data/unknown' })).statusCode).toBe(404);
  expect((await post('start', { library_ref: root, digest: '0'.repeat(16), row_count: 1, seq_no: 0 }, other)).statusCode).toBe(404);
  const { session_id: session } = (await start(6, { digest: 'f'.repeat(16) })).json();
  const entry = { seq_no: 7, event_type: 'created', library_ref: root, rel_path: 'new.jpg', ...file('9') };
  await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries: [entry] });
  expect((await post(`${session}/rows`, { folders: [{ path: '', files: [] }] })).json()).toMatchObject({ status: 409, reason: 'changed' });
  expect((await items()).find(({ rel_path }) => rel_path === 'new.jpg')?.status).toBe('active');
});

test('a file in the recycle bin stays there, and a listed file that cannot be stored is refused', async () => {
  index.set('new.jpg', file('9'));
  await sql`update items set status = 'trashed', deleted_at = now() where rel_path = 'new.jpg'`.execute(t.deps.db);
  expect((await start(7)).json()).toEqual({ status: 'match' });
  const { session_id: session } = (await start(7, { digest: 'f'.repeat(16) })).json();
  const files = [
    { name: 'top.jpg', ...file('1') },
    { name: 'new.jpg', ...file('8') },
    { name: 'bad.jpg', ...file('8'), size: -1 },
  ];
  expect((await post(`${session}/rows`, { folders: [{ path: '', files }] })).json()).toEqual({ differing: 1, refused: 1 });
  expect((await post(`${session}/finish`, {})).json()).toMatchObject({ trashed_conflicts: 1, upserted: 0 });
  expect((await items()).find(({ rel_path }) => rel_path === 'new.jpg')?.status).toBe('trashed');
});

test('`catalog check` finds a comparison with a library of another agent', async () => {
  const { session_id: session } = (await start(7, { digest: 'f'.repeat(16) })).json();
  const violations = async () => (await Promise.all(reconcileChecks.map((check) => check.run(t.deps)))).flat();
  expect(await violations()).toEqual([]);
  await sql`update agent_reconcile_sessions set agent_id = ${other.id}, seq_no = 0 where id = ${session}`.execute(t.deps.db);
  expect(await violations()).toEqual([expect.stringContaining('concerns a library of another agent')]);
  await sql`update agent_reconcile_sessions set agent_id = ${agent.id}, seq_no = 99 where id = ${session}`.execute(t.deps.db);
  expect(await violations()).toEqual([expect.stringContaining('never applied')]);
  await sql`delete from agent_reconcile_sessions where id = ${session}`.execute(t.deps.db);
});

test('digests go with their comparison, and those that are left of a removed one are purged', async () => {
  const digests = async () => (await sql`select from agent_reconcile_folders`.execute(t.deps.db)).rows.length;
  await purgeSessions(t.deps.db);
  expect(await digests()).toBe(0);
  const { session_id: session } = (await start(7, { digest: 'f'.repeat(16) })).json();
  expect(await digests()).toBeGreaterThan(0);
  await post(`${session}/finish`, {});
  expect(await digests()).toBe(0);
  const { session_id: removed } = (await start(7, { digest: 'f'.repeat(16) })).json();
  await sql`delete from agent_reconcile_sessions where id = ${removed}`.execute(t.deps.db);
  await purgeSessions(t.deps.db);
  expect(await digests()).toBe(0);
});
