import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '../src/assembly/checks.ts';
import { setAcl } from '../src/catalog/permissions/acl-tree.fixture.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';

// The real agent program reports who may use its files, and the service answers questions about it. Root gives its files to another account,
// because root itself is the same on every machine.
let t: IndexedApp;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-access-'));
const root = path.join(folder, 'files');
const dataDir = path.join(folder, 'data');
const program = path.resolve(import.meta.dirname, '../../agent/src/main.ts');
const words = ['--disable-warning=ExperimentalWarning', '--strip-types', program, '--data-dir', dataDir];
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? 'daemon' : os.userInfo().username;

const write = (name: string, mode: number): void => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `contents of ${name}`);
  chmodSync(file, mode);
  if (isRoot) for (const each of [file, path.dirname(file)]) chownSync(each, 1, 1);
};
const agent = (...args: string[]) =>
  promisify(execFile)(process.execPath, [...words, ...args], { env: { ...process.env, NODE_OPTIONS: '' } });
const report = async () => {
  await agent('scan');
  return agent('push');
};
const setPolicy = async (policy: object) => {
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy })).statusCode).toBe(200);
  rmSync(path.join(dataDir, 'policy.json'), { force: true });
};
const item = async (relPath: string) =>
  (
    await sql<{ id: string; access_class: number | null; quick_hash: string }>`
      select id, access_class, quick_hash from items where rel_path = ${relPath} and status = 'active'`.execute(t.deps.db)
  ).rows[0];
const permissions = async (relPath: string) => (await t.request('GET', `/items/${(await item(relPath))?.id}/permissions`)).json();
const found = async (query: string): Promise<string[]> => {
  await t.waitForIndex();
  const { hits } = (await t.request('GET', `/search?${query}&limit=50`)).json();
  return hits.map(({ rel_path }: { rel_path: string }) => rel_path).sort();
};
const outbox = async (): Promise<number> => JSON.parse((await agent('status')).stdout).outbox_pending;

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  write('open.txt', 0o644);
  write('private.txt', 0o600);
  write('closed/inside.txt', 0o644);
  write('closed/deeper/far.txt', 0o644);
  chmodSync(path.join(root, 'closed'), 0o700);
  chmodSync(folder, 0o755);
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  await agent('enrol', '--url', url, '--token', token, '--root', root, '--name', 'laptop');
  await report();
}, 180_000);
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

test('nothing is recorded unless a group asks for it, and the page of a file says where to turn it on', async () => {
  expect(await permissions('open.txt')).toMatchObject({ state: 'agent_off', record: null });
});

test('lists of files that are known already are reported without hashing them again, with the accounts of the machine', async () => {
  await setPolicy({ record_permissions: true });
  const { stdout } = await agent('scan');
  expect(stdout).toContain('0 changed');
  // Three folders and four files.
  expect(await outbox()).toBe(7);
  await agent('push');
  const open = await permissions('open.txt');
  expect(open).toMatchObject({
    state: 'collected',
    world_readable: true,
    record: { owner: { name: `${owner}@laptop` }, mode: 'rw-r--r--' },
  });
  expect(await permissions('private.txt')).toMatchObject({ world_readable: false });
});

test('a closed folder keeps people from the files below it', async () => {
  for (const name of ['closed/inside.txt', 'closed/deeper/far.txt'])
    expect(await permissions(name), name).toMatchObject({ state: 'collected', world_readable: false });
});

test('an account of another machine is not the account of the same name and number here', async () => {
  const all = ['closed/deeper/far.txt', 'closed/inside.txt', 'open.txt', 'private.txt'];
  expect(await found(`principal=${owner}@laptop`)).toEqual(all);
  expect(await found(`principal=user:${owner}`)).toEqual(['open.txt']);
  expect(await found('world_readable=true')).toEqual(['open.txt']);
  expect(await found(`q=${encodeURIComponent(`owner:"${owner}@laptop"`)}`)).toEqual(all);
});

test('opening a folder on the machine changes what is below it, although no file has changed', async () => {
  const before = await item('closed/deeper/far.txt');
  chmodSync(path.join(root, 'closed'), 0o755);
  await agent('scan');
  expect(await outbox()).toBe(1);
  await agent('push');
  for (const name of ['closed/inside.txt', 'closed/deeper/far.txt'])
    expect(await permissions(name), name).toMatchObject({ world_readable: true, history: [{ folder: 'closed' }] });
  expect((await item('closed/deeper/far.txt'))?.quick_hash).toBe(before?.quick_hash);
  await expect.poll(() => found('world_readable=true'), { timeout: 30_000 }).toHaveLength(3);
});

const foldersNamed = async (name: string): Promise<number> =>
  (await sql`select from folders where rel_path = ${name}`.execute(t.deps.db)).rows.length;

test('a moved file has the access of its new place, and a folder that all files have left is gone', async () => {
  mkdirSync(path.join(root, 'vault'), { mode: 0o700 });
  renameSync(path.join(root, 'open.txt'), path.join(root, 'vault/open.txt'));
  renameSync(path.join(root, 'closed/deeper'), path.join(root, 'vault/deeper'));
  await report();
  expect(await foldersNamed('closed/deeper')).toBe(0);
  expect(await permissions('vault/deeper/far.txt')).toMatchObject({ world_readable: false });
  expect(await permissions('vault/open.txt')).toMatchObject({ world_readable: false, record: { mode: 'rw-r--r--' } });
});

test.runIf(isRoot)('an access control list names accounts of the machine', async () => {
  setAcl(path.join(root, 'private.txt'), 'access', [
    ['owner', 6],
    ['user', 4, 2],
    ['group_owner', 0],
    ['mask', 4],
    ['other', 0],
  ]);
  await report();
  const { record, access } = await permissions('private.txt');
  expect(record.fidelity).toBe('full_native');
  expect(
    access.map(({ principal, read }: { principal: { name: string }; read: { allowed: boolean } }) => [principal.name, read.allowed]),
  ).toContainEqual(['bin@laptop', true]);
});

test('after a restore of the service everything is reported again, lists of folders included', async () => {
  await sql`update folders set acl_id = null, path_id = null`.execute(t.deps.db);
  await sql`update items set access_class = null`.execute(t.deps.db);
  await sql`update agents set last_contiguous_seq_no = last_contiguous_seq_no + 1000`.execute(t.deps.db);
  write('one more.txt', 0o644);
  await report();
  await agent('push');
  expect(await permissions('vault/open.txt')).toMatchObject({ state: 'collected', world_readable: false });
  expect(await permissions('closed/inside.txt')).toMatchObject({ world_readable: true });
});

test('an empty folder that is gone leaves nothing behind', async () => {
  mkdirSync(path.join(root, 'empty'));
  await report();
  expect(await foldersNamed('empty')).toBe(1);
  rmSync(path.join(root, 'empty'), { recursive: true });
  expect(existsSync(path.join(root, 'empty'))).toBe(false);
  await report();
  expect(await foldersNamed('empty')).toBe(0);
});

test('when the group stops recording, what was recorded is removed', async () => {
  await setPolicy({ record_permissions: false });
  await report();
  expect(await item('closed/inside.txt')).toMatchObject({ access_class: null });
  expect((await sql`select from folders where acl_id is not null`.execute(t.deps.db)).rows).toHaveLength(0);
});
