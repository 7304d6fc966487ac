import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '../src/assembly/checks.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';

// The real agent program against the real service, through a connection that can be cut.
let t: IndexedApp;
let cable: { port: number; cut(): Promise<void>; mend(): Promise<void> };
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-'));
const root = path.join(folder, 'files');
const dataDir = path.join(folder, 'data');
const program = path.resolve(import.meta.dirname, '../../agent/src/main.ts');
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  cable = await createCable((t.app.server.address() as AddressInfo).port);
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy: { exclude_globs: ['node_modules/'] } });
  write('harbour/lighthouse.txt', 'a light at the harbour');
  write('harbour/ferry.txt', 'a ferry');
  write('notes/plan.txt', 'a plan');
  write('node_modules/junk/index.js', 'left out by the policy');
});
afterAll(async () => {
  await cable.cut();
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Shortens the waits until the next heartbeat and until a retry in responses to one second. Responses keep their length. */
const shortWaits = () =>
  new Transform({
    transform(part: Buffer, _encoding, done) {
      const text = part
        .toString('latin1')
        .replace('"next_in_seconds":30', '"next_in_seconds": 1')
        .replace('retry-after: 60\r', 'retry-after:  1\r');
      done(null, Buffer.from(text, 'latin1'));
    },
  });

async function createCable(target: number) {
  const sockets = new Set<{ destroy(): void }>();
  let server: Server;
  let port = 0;
  const mend = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = connect(target, '127.0.0.1');
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => {});
          socket.on('close', () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far);
        far.pipe(shortWaits()).pipe(near);
      });
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  await mend();
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, mend, cut };
}

const agent = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--strip-types', program, '--data-dir', dataDir, ...args],
    {
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  ).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
const found = async (query: string) =>
  (await t.request('GET', `/search?q=${encodeURIComponent(query)}&limit=20`))
    .json()
    .hits.map(({ rel_path }: { rel_path: string }) => rel_path);
const rows = async () =>
  (
    await sql<{ id: string; rel_path: string; status: string; tags: string[]; content_hash: string | null }>`
      select id, rel_path, status, tags, content_hash from items order by rel_path`.execute(t.deps.db)
  ).rows;
const sync = async () => {
  for (const command of ['scan', 'push']) {
    const { code, stdout, stderr } = await agent(command);
    if (code !== 0) throw new Error(`${command} failed: ${stdout} ${stderr}`);
  }
};

test('the program says what it can do, and which command it does not know', async () => {
  for (const words of [[], ['help'], ['--help'], ['-h'], ['scan', '--help']])
    expect(await agent(...words)).toMatchObject({ code: 0, stdout: expect.stringContaining('catalog-agent enrol --url URL') });
  expect((await agent('--version')).stdout).toBe((await agent('version')).stdout);
  const unknown = await agent('scna');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Unknown command "scna".');
  expect(await agent('--bogus')).toMatchObject({ code: 2, stderr: expect.stringContaining("'--bogus'") });
  expect(await agent('enrol')).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --url and --token') });
}, 120_000);

test('a machine enrols with a token, and its files appear in search', async () => {
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const enrolled = await agent(
    'enrol',
    '--url',
    `http://127.0.0.1:${cable.port}`,
    '--token',
    token,
    '--root',
    root,
    '--name',
    'workstation',
  );
  expect(enrolled, enrolled.stderr).toMatchObject({ code: 0 });
  expect(statSync(path.join(dataDir, 'agent.key')).mode & 0o777).toBe(0o600);
  const running = spawn(process.execPath, ['--strip-types', program, '--data-dir', dataDir, 'run'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'ignore',
  });
  try {
    await expect.poll(() => found('lighthouse'), { timeout: 50_000 }).toEqual(['harbour/lighthouse.txt']);
    await expect.poll(async () => (await t.request('GET', '/agents')).json().items[0].health?.index_items, { timeout: 50_000 }).toBe(3);
    await besideARunningAgent(running.pid);
    await commandsOfARunningAgent();
  } finally {
    // No chance to finish anything.
    running.kill('SIGKILL');
  }
  expect((await rows()).map(({ rel_path, content_hash }) => [rel_path, content_hash?.length])).toEqual([
    ['harbour/ferry.txt', 64],
    ['harbour/lighthouse.txt', 64],
    ['notes/plan.txt', 64],
  ]);
  const [shown] = (await t.request('GET', '/agents')).json().items;
  expect(shown).toMatchObject({ name: 'workstation', status: 'active', last_auth_mode: 'signature', agent_version: '0.1.0' });
}, 180_000);

/** A second agent is refused before it reads anything; the other commands work. */
async function besideARunningAgent(pid: number | undefined): Promise<void> {
  const second = await agent('run');
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toContain(`An agent already runs with this folder (process ${pid},`);
  for (const command of ['scan', 'push', 'doctor', 'status']) {
    const { code, stdout, stderr } = await agent(command);
    expect({ code, stderr }, `${command}: ${stdout}`).toEqual({ code: 0, stderr: '' });
  }
}

/** Commands arrive through the open poll of the running agent. */
async function commandsOfARunningAgent(): Promise<void> {
  const [{ id: agentId }] = (await t.request('GET', '/agents')).json().items;
  const ask = async (body: object) => (await t.request('POST', `/agents/${agentId}/commands`, body)).json();
  const ended = async (id: string) => {
    await expect.poll(async () => (await command(id)).status, { timeout: 50_000 }).toMatch(/done|failed/);
    return command(id);
  };
  const command = async (id: string) => (await t.request('GET', `/agent-commands/${id}`)).json();
  const { id } = await ask({ kind: 'rescan' });
  expect(await ended(id)).toMatchObject({ status: 'done', result: { roots: [{ root, files: 3, created: 0 }] } });
  // The bytes of a file come from the other machine while somebody waits for them.
  const lighthouse = (await rows()).find(({ rel_path }) => rel_path === 'harbour/lighthouse.txt')!;
  const opened = await t.request('GET', `/items/${lighthouse.id}/file`);
  expect([opened.statusCode, opened.body]).toEqual([200, 'a light at the harbour']);
  symlinkSync('/etc', path.join(root, 'way-out'));
  const { id: listing } = await ask({ kind: 'inventory' });
  expect(await ended(listing)).toMatchObject({ status: 'done', result: { summary: { denied: 0, capped: false } } });
  const listed = (await t.request('GET', `/agent-commands/${listing}/inventory`)).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(listed).toContainEqual(expect.objectContaining({ root, path: 'node_modules/junk/index.js', type: 'file', size: 22 }));
  expect(listed.filter(({ path: each }) => each.startsWith('way-out'))).toMatchObject([{ type: 'link' }]);
  await chosenCollectors(agentId, ended);
  const [library] = (await t.request('GET', `/agents/${agentId}`)).json().libraries;
  const { id: outside } = await ask({ kind: 'inventory', payload: { library_id: library.id, path: 'way-out' } });
  expect(await ended(outside)).toMatchObject({ status: 'failed', result: { error: expect.stringContaining('leads out of the folder') } });
  rmSync(path.join(root, 'way-out'));
  await sweepsOfARunningAgent(agentId, ended);
}

async function chosenCollectors(agentId: string, ended: (id: string) => Promise<{ result: object }>): Promise<void> {
  const list = async (collectors?: string[]) => {
    const asked = await t.request('POST', `/agents/${agentId}/commands`, { kind: 'inventory', payload: { collectors } });
    expect(asked.statusCode, asked.body).toBe(201);
    const { id } = asked.json();
    const { summary } = (await ended(id)).result as { summary: object };
    const lines = (await t.request('GET', `/agent-commands/${id}/inventory`)).body.trim().split('\n');
    return { summary, rows: new Map(lines.map((line) => JSON.parse(line)).map((row) => [row.path, row])) };
  };
  const cloud = path.join(root, 'cloud.bin');
  writeFileSync(cloud, '');
  truncateSync(cloud, 100_000);
  const plan = path.join(root, 'notes/plan.txt');
  const { uid, gid } = statSync(plan);
  const [user, group] = execFileSync('stat', ['-c', '%U %G', plan], { encoding: 'utf8' }).trim().split(' ');
  const standard = await list();
  expect(standard.summary).toMatchObject({ collectors_run: ['stat', 'owner', 'perms'], collector_errors: {} });
  expect(standard.rows.get('notes/plan.txt')).toEqual({
    ...{ root, path: 'notes/plan.txt', type: 'file', size: statSync(plan).size, mtime: expect.any(String) },
    ...{ uid, gid, user, group, mode: '0644' },
  });
  const chosen = await list(['placeholder', 'permissions']);
  expect(chosen.summary).toMatchObject({ collectors_run: ['permissions', 'placeholder'], collector_errors: {} });
  expect(chosen.rows.get('cloud.bin')).toMatchObject({ placeholder: true });
  expect(chosen.rows.get('notes')).not.toHaveProperty('placeholder');
  const row = chosen.rows.get('notes/plan.txt');
  expect(Object.keys(row).sort()).toEqual(['path', 'permissions', 'placeholder', 'root', 'type']);
  expect(row).toMatchObject({
    placeholder: false,
    permissions: {
      fidelity: 'posix_mode_only',
      owner: { id: `uid:${uid}`, name: user },
      entries: [{ principal: { id: `uid:${uid}`, name: user }, type: 'allow', verbs: ['read', 'write'] }, {}, { verbs: ['read'] }],
    },
  });
  const offered = (await t.request('GET', '/agents/inventory-collectors')).json();
  expect(offered.every(({ advertised_by }: { advertised_by: number }) => advertised_by === 1)).toBe(true);
  rmSync(cloud);
}

/** A file whose bytes change although its size and time stay the same is found by reading it again. */
async function sweepsOfARunningAgent(agentId: string, ended: (id: string) => Promise<{ result: object }>): Promise<void> {
  const run = async (what: string, body?: object) => {
    const asked = await t.request('POST', `/agents/${agentId}/${what}`, body);
    expect(asked.statusCode, asked.body).toBe(201);
    return ended(asked.json().id);
  };
  const all = { seen: 3, skipped: 0, failed: 0, complete: true };
  expect(await run('rehash-sweep', {})).toMatchObject({ status: 'done', result: { ...all, verified: 3, changed: 0, sample: [] } });
  const [file, copy] = [path.join(root, 'notes/plan.txt'), path.join(folder, 'copy')];
  const hashBefore = (await rows()).find(({ rel_path }) => rel_path === 'notes/plan.txt')!.content_hash;
  execFileSync('touch', ['-r', file, copy]);
  writeFileSync(file, 'b plan');
  execFileSync('touch', ['-r', copy, file]);
  expect(await run('rehash-sweep', { min_size: 7 })).toMatchObject({ result: { seen: 2, verified: 2, changed: 0 } });
  // Two of three: the next sweep goes on with the third.
  expect(await run('rehash-sweep', { max_items: 2 })).toMatchObject({ result: { seen: 2, verified: 2, complete: false } });
  expect(await run('rehash-sweep', {})).toMatchObject({ result: { seen: 1, changed: 1, sample: ['notes/plan.txt'], complete: true } });
  await expect
    .poll(async () => (await rows()).find(({ rel_path }) => rel_path === 'notes/plan.txt')!.content_hash, { timeout: 30_000 })
    .not.toBe(hashBefore);
  expect(await run('maintenance')).toMatchObject({ status: 'done', result: { sound: true, bytes_after: expect.any(Number) } });
  expect(await run('reextract', {})).toMatchObject({ status: 'failed', result: { error: expect.stringContaining('do not let it read') } });
  const about = (await t.request('GET', `/agents/${agentId}/about`)).json();
  expect(about).toMatchObject({ reported: true, build: { arch: process.arch, single_executable: false }, extract: { available: true } });
}

test('after a kill, changes are found: a moved file keeps its tags, a deleted one becomes missing', async () => {
  await sql`update items set tags = '{kept}' where rel_path = 'harbour/lighthouse.txt'`.execute(t.deps.db);
  const before = (await rows()).find(({ rel_path }) => rel_path === 'harbour/lighthouse.txt')!;
  mkdirSync(path.join(root, 'coast'));
  renameSync(path.join(root, 'harbour/lighthouse.txt'), path.join(root, 'coast/beacon.txt'));
  rmSync(path.join(root, 'notes'), { recursive: true });
  write('harbour/ferry.txt', 'a larger ferry');
  write('coast/dune.txt', 'sand');
  await sync();
  const now = await rows();
  expect(now.find(({ id }) => id === before.id)).toMatchObject({ rel_path: 'coast/beacon.txt', tags: ['kept'], status: 'active' });
  expect(now.map(({ rel_path, status }) => [rel_path, status])).toEqual([
    ['coast/beacon.txt', 'active'],
    ['coast/dune.txt', 'active'],
    ['harbour/ferry.txt', 'active'],
    ['notes/plan.txt', 'missing'],
  ]);
  await t.waitForIndex();
  expect(await found('beacon')).toEqual(['coast/beacon.txt']);
  expect(await found('lighthouse')).toEqual([]);
}, 120_000);

test('without a connection the agent goes on scanning, says what is wrong, and sends everything later', async () => {
  await cable.cut();
  write('offline/one.txt', '1');
  expect(await agent('scan')).toMatchObject({ code: 0 });
  write('offline/two.txt', '2');
  expect(await agent('scan')).toMatchObject({ code: 0 });
  expect(await agent('push')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The service at http:\S+ cannot be reached \(.+\)\./),
  });
  const sick = await agent('doctor');
  expect(sick.code).toBe(1);
  expect(sick.stdout).toMatch(/PROBLEM {2}The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached/);
  expect(sick.stdout).toContain('2 changes wait to be sent.');
  await cable.mend();
  expect((await agent('push')).stdout).toContain('Sent 2 changes.');
  expect((await rows()).filter(({ rel_path }) => rel_path.startsWith('offline/'))).toHaveLength(2);
  const healthy = await agent('doctor');
  expect(healthy, healthy.stdout).toMatchObject({ code: 0 });
}, 120_000);

test('a root that is gone or empty reports nothing as deleted', async () => {
  const aside = path.join(folder, 'aside');
  renameSync(root, aside);
  expect((await agent('scan')).stdout).toContain('Nothing was reported as deleted.');
  mkdirSync(root);
  expect((await agent('scan')).stdout).toContain('is empty');
  rmSync(root, { recursive: true });
  renameSync(aside, root);
  await sync();
  expect((await rows()).filter(({ status }) => status === 'active')).toHaveLength(5);
}, 120_000);

test('when the service was restored from a backup, the agent reports its files again', async () => {
  await sql`update agents set last_contiguous_seq_no = 1, last_batch_result = null`.execute(t.deps.db);
  await sql`delete from items where rel_path like 'offline/%'`.execute(t.deps.db);
  write('after.txt', 'restored');
  await sync();
  expect((await rows()).filter(({ status }) => status === 'active').map(({ rel_path }) => rel_path)).toEqual([
    'after.txt',
    'coast/beacon.txt',
    'coast/dune.txt',
    'harbour/ferry.txt',
    'offline/one.txt',
    'offline/two.txt',
  ]);
}, 120_000);

test('differences are found by comparing digests of folders, and the service is corrected', async () => {
  for (let n = 0; n < 300; n += 1) write(`many/file ${n}.txt`, String(n));
  await sync();
  // The result is the last line, after what was logged.
  const compare = async () => JSON.parse((await agent('reconcile')).stdout.trim().split('\n').at(-1) ?? '')[0];
  expect(await compare()).toMatchObject({ status: 'match' });
  await sql`delete from items where rel_path in ('many/file 7.txt', 'coast/dune.txt')`.execute(t.deps.db);
  await sql`update items set size = 5 where rel_path = 'many/file 200.txt'`.execute(t.deps.db);
  const corrected = await compare();
  expect(corrected).toMatchObject({ status: 'reconciled', upserted: 3, tombstoned: 0 });
  // A list of all files would be several times as long.
  expect(corrected.sent_bytes).toBeLessThan(60_000);
  expect(await compare()).toMatchObject({ status: 'match' });
  expect((await rows()).filter(({ status }) => status === 'active')).toHaveLength(306);
}, 120_000);

test('sparse files are reported with their size on disk, and again when only that has changed', async () => {
  write('disk/image.bin', '');
  truncateSync(path.join(root, 'disk/image.bin'), 200_000);
  const allocated = async () =>
    (await sql<{ allocated: number | null }>`select allocated from items where rel_path = 'disk/image.bin'`.execute(t.deps.db)).rows;
  await sync();
  expect(await allocated()).toEqual([{ allocated: 0 }]);
  // As an agent of an earlier version has reported it.
  await sql`update items set allocated = null where rel_path = 'disk/image.bin'`.execute(t.deps.db);
  const index = new DatabaseSync(path.join(dataDir, 'index.sqlite'));
  for (const table of ['files', 'fresh']) index.exec(`alter table ${table} drop column allocated`);
  index.close();
  await sync();
  expect(await allocated()).toEqual([{ allocated: 0 }]);
  // A difference is corrected with all facts.
  await sql`update items set size = 5, allocated = null where rel_path = 'disk/image.bin'`.execute(t.deps.db);
  await agent('reconcile');
  expect(await allocated()).toEqual([{ allocated: 0 }]);
}, 120_000);

test('a machine whose disk was copied is noticed by the service and both doctors, held back, and replaced by the one that is chosen', async () => {
  const copy = path.join(folder, 'copied');
  cpSync(dataDir, copy, { recursive: true });
  const elsewhere = path.join(folder, 'other-files');
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, 'own.txt'), 'only here');
  const config = JSON.parse(readFileSync(path.join(copy, 'agent.json'), 'utf8'));
  writeFileSync(path.join(copy, 'agent.json'), JSON.stringify({ ...config, roots: [elsewhere] }));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const logs = new Map<string, string>();
  const run = (dir: string) => {
    const words = ['--strip-types', program, '--data-dir', dir, 'run'];
    const started = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    started.stdout.on('data', (part: Buffer) => logs.set(dir, (logs.get(dir) ?? '') + part.toString()));
    return started;
  };
  const shown = async () => (await t.request('GET', '/agents')).json().items[0];
  expect(await shown()).toMatchObject({ clone_seen_at: null });
  const both = [run(dataDir), run(copy)];
  const doctor = (dir: string) => agent('doctor', '--data-dir', dir).then(({ stdout }) => stdout);
  try {
    await expect.poll(async () => (await shown()).clone_seen_at, { timeout: 150_000, interval: 1000 }).toEqual(expect.any(String));
    for (const dir of [dataDir, copy])
      await expect
        .poll(() => doctor(dir), { timeout: 90_000, interval: 3000 })
        .toMatch(/PROBLEM {2}Another program uses the identity of this agent[\s\S]*PROBLEM {2}Nothing is sent, because two machines/);
    // Changes of both wait, and nothing of the other machine reaches the catalog.
    write('coast/held.txt', 'waits');
    await expect.poll(async () => (await shown()).clone_runs.length, { timeout: 90_000, interval: 1000 }).toBe(2);
    await agent('scan');
    expect((await agent('push')).stderr).toContain('Two machines use the identity of this agent');
    // The administrator keeps the first machine, which reports the changes that waited. The copy is refused.
    const [, keep_run_id] = /Started as run (\S+) on/.exec(logs.get(dataDir) ?? '') ?? [];
    expect((await t.request('POST', `/agents/${(await shown()).id}/resolve-clone`, { keep_run_id })).statusCode).toBe(200);
    await expect.poll(async () => (await shown()).clone_held_at, { timeout: 90_000, interval: 1000 }).toBeNull();
    const held = async () => (await rows()).find(({ rel_path }) => rel_path === 'coast/held.txt');
    // Its number was used by the copy as well, so that it may be only the next comparison that reports it.
    await expect.poll(held, { timeout: 150_000, interval: 1000 }).toMatchObject({ status: 'active' });
    await expect.poll(() => doctor(copy), { timeout: 90_000, interval: 3000 }).toMatch(/PROBLEM {2}The service refused this agent/);
  } finally {
    for (const each of both) each.kill('SIGKILL');
  }
}, 600_000);
