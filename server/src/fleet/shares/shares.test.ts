import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';

let t: TestApp;
let linux: TestAgent;
let windows: TestAgent;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  linux = await enrolAgent(t, { name: 'nas-01' });
  windows = await enrolAgent(t, { name: 'pc-02' });
  await sql`update agents set platform = 'windows' where id = ${windows.id}`.execute(t.deps.db);
  await report(linux, '/srv/media', 'photos/2024/a.jpg');
  await report(windows, 'D:\\Projects', 'Harbour/plan.dwg');
});
afterAll(() => t.close());

async function report(agent: TestAgent, root: string, file: string): Promise<void> {
  const entry = {
    seq_no: 1,
    event_type: 'created',
    library_ref: root,
    rel_path: file,
    size: 10,
    mtime_ns: '1700000000000000001',
    inode: '7',
    device: 1,
    links: 1,
    quick_hash: 'a'.repeat(16),
    content_hash: 'a'.repeat(64),
    policy_version: 'h1:full',
  };
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries: [entry] });
  expect(answer.statusCode, answer.body).toBe(200);
}
const add = (agent: TestAgent | null, rule: object) =>
  t.request('POST', agent ? `/agents/${agent.id}/share-maps` : '/agent-share-maps', rule);
const libraryOf = async (agent: TestAgent): Promise<string> => (await t.request('GET', `/agents/${agent.id}`)).json().libraries[0].id;
/** The address of the only file of an agent. */
const address = async (agent: TestAgent): Promise<[string, string | null, string | null]> => {
  const { rows } = await sql<{ id: string }>`select i.id from items i join libraries l on l.id = i.library_id
    where l.source_agent_id = ${agent.id}`.execute(t.deps.db);
  const { share_source, share_url, share_unc } = (await t.request('GET', `/items/${rows[0]?.id}`)).json();
  return [share_source, share_url, share_unc];
};

test('a file of an agent has the address of the deepest folder, and a rule of the agent comes before one for all', async () => {
  expect(await address(linux)).toEqual(['none', null, null]);
  const global = (await add(null, { local_prefix: '/srv/media/', share_prefix: 'smb://all/media' })).json();
  expect(global).toMatchObject({
    agent_id: null,
    local_prefix: '/srv/media',
    location: { url: 'smb://all/media', unc: '\\\\all\\media' },
  });
  expect(await address(linux)).toEqual(['mapping', 'smb://all/media/photos/2024/a.jpg', '\\\\all\\media\\photos\\2024\\a.jpg']);
  await add(linux, { local_prefix: '/srv/media', share_prefix: 'smb://nas/media' });
  expect((await address(linux))[1]).toBe('smb://nas/media/photos/2024/a.jpg');
  // Folders are compared as a whole: /srv/media/photo is not above photos.
  await add(linux, { local_prefix: '/srv/media/photo', share_prefix: 'smb://wrong/x' });
  expect((await address(linux))[1]).toBe('smb://nas/media/photos/2024/a.jpg');
  await add(null, { local_prefix: '/srv/media/photos', share_prefix: '\\\\nas\\pictures' });
  expect(await address(linux)).toEqual(['mapping', 'smb://nas/pictures/2024/a.jpg', '\\\\nas\\pictures\\2024\\a.jpg']);
});

test('on Windows neither case nor the kind of slash counts', async () => {
  await add(windows, { local_prefix: 'd:/projects\\HARBOUR', share_prefix: 'smb://files/harbour', unc: '\\\\files01\\harbour' });
  expect(await address(windows)).toEqual(['mapping', 'smb://files/harbour/plan.dwg', '\\\\files01\\harbour\\plan.dwg']);
});

test('a rule for a library is used only for its files', async () => {
  const [own, other] = [await libraryOf(linux), await libraryOf(windows)];
  expect((await add(linux, { local_prefix: '/srv/media/photos', share_prefix: 'smb://x/y', library_id: other })).statusCode).toBe(422);
  const added = await add(null, { local_prefix: '/srv/media/photos', share_prefix: 'smb://x/y', library_id: other });
  expect(added.statusCode, added.body).toBe(201);
  expect((await address(linux))[1]).toBe('smb://nas/pictures/2024/a.jpg');
  const changed = await t.request('PATCH', `/agent-share-maps/${added.json().id}`, { library_id: own });
  expect(changed.json().library_id).toBe(own);
  expect((await address(linux))[1]).toBe('smb://x/y/2024/a.jpg');
  expect((await t.request('DELETE', `/agent-share-maps/${added.json().id}`)).statusCode).toBe(204);
  expect((await address(linux))[1]).toBe('smb://nas/pictures/2024/a.jpg');
});

test('a folder must be absolute, an address known and without credentials, and a folder has one address', async () => {
  for (const [field, rule] of [
    ['local_prefix', { local_prefix: 'media', share_prefix: 'smb://nas/m' }],
    ['share_prefix', { local_prefix: '/m', share_prefix: 'gopher://nas/m' }],
    ['share_prefix', { local_prefix: '/m', share_prefix: 'smb://ann:secret@nas/m' }],
    ['unc', { local_prefix: '/m', share_prefix: 'smb://nas/m', unc: 'nas' }],
  ] as const) {
    const answer = await add(linux, rule);
    expect([answer.statusCode, answer.body.includes(field)], JSON.stringify(rule)).toEqual([422, true]);
  }
  expect((await add(linux, { local_prefix: '/srv/media/', share_prefix: 'smb://nas/other' })).statusCode).toBe(409);
  const unknown = '00000000-0000-7000-8000-000000000000';
  expect((await t.request('POST', `/agents/${unknown}/share-maps`, { local_prefix: '/m', share_prefix: 'smb://n/m' })).statusCode).toBe(
    404,
  );
  expect((await t.request('GET', `/agent-share-maps/${unknown}`)).statusCode).toBe(404);
  const rule = { local_prefix: '/m', share_prefix: 'smb://n/m' };
  expect((await t.request('POST', '/agent-share-maps', rule, { as: 'write' })).statusCode).toBe(403);
  expect((await t.request('GET', '/agent-share-maps', undefined, { as: null })).statusCode).toBe(401);
});

test('rules are listed by agent, and those for every agent by scope', async () => {
  const list = async (query: string) =>
    (await t.request('GET', `/agent-share-maps${query}`)).json().map(({ share_prefix }: { share_prefix: string }) => share_prefix);
  expect(await list(`?agent_id=${windows.id}`)).toEqual(['smb://files/harbour']);
  expect(await list('?scope=global')).toEqual(['smb://all/media', '\\\\nas\\pictures']);
  expect(await list('')).toHaveLength(5);
});

test('concurrent changes of different fields of an address are all kept', async () => {
  const { id } = (await add(null, { local_prefix: '/srv/plans', share_prefix: 'smb://nas/plans' })).json();
  const url = `/agent-share-maps/${id}`;
  await editAtOnce(t.deps.db, { table: 'agent_share_maps', id }, [
    () => t.request('PATCH', url, { share_prefix: 'smb://vault/plans' }),
    () => t.request('PATCH', url, { unc: '\\\\vault\\drawings' }),
  ]);
  expect((await t.request('GET', url)).json()).toMatchObject({ share_prefix: 'smb://vault/plans', unc: '\\\\vault\\drawings' });
});
