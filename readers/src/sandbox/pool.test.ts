import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Misdeed } from '../../test/misbehaving-task.ts';
import { defaultLimits } from '../contract.ts';
import { createSandboxPool, type SandboxPool, type SandboxPoolOptions } from './pool.ts';
import type { FileJob, TaskOutcome } from './protocol.ts';

const tasks = { misbehave: new URL('../../test/misbehaving-task.ts', import.meta.url) };
const pools: SandboxPool[] = [];
let folder = '';
let path = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-pool-'));
  path = join(folder, 'note.txt');
  writeFileSync(path, 'hello');
});
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(options: Partial<SandboxPoolOptions> = {}): SandboxPool {
  const pool = createSandboxPool({ size: 1, memoryMb: 512, tasks, ...options });
  pools.push(pool);
  return pool;
}

function job(timeoutSeconds = 60, file = path): FileJob {
  return { path: file, filename: 'note.txt', extension: 'txt', size: 5, limits: { ...defaultLimits, timeoutSeconds } };
}

function ask<T>(pool: SandboxPool, deed: Misdeed, timeoutSeconds?: number): Promise<TaskOutcome<T>> {
  return pool.run<T>('misbehave', job(timeoutSeconds), deed);
}

function isAlive(pid: number): boolean {
  try {
    // A zombie still answers signals, so the state is asked for.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a reader answers and is used again', () => {
  it('gives extracted facts with the name and version of the extractor', async () => {
    const outcome = await open().extract(job());
    expect(outcome).toMatchObject({ ok: true, extractor: 'text', extracted: { bodyText: 'hello', metadata: { lines: 1 } } });
  });

  it('says a kind of file nobody reads is unsupported', async () => {
    expect(await open().extract({ ...job(), extension: 'no-such-kind' })).toEqual({ ok: true, unsupported: true });
  });

  it('lets others go first, unless somebody waits for what it does', async () => {
    for (const [background, priority] of [
      [true, constants.priority.PRIORITY_LOW],
      [false, getPriority()],
    ] as const) {
      const outcome = await ask<number>(open({ background }), { deed: 'pid' });
      expect(outcome.ok && getPriority(outcome.result)).toBe(priority);
    }
  });

  it('carries buffers back and keeps the process for the next file', async () => {
    const pool = open();
    const answer = await ask<{ text: string; buffer: Buffer }>(pool, { deed: 'answer' });
    expect(answer.ok && answer.result.text).toBe('hello');
    expect(answer.ok && Buffer.from(answer.result.buffer).toString()).toBe('pixels');
    const first = await ask<number>(pool, { deed: 'pid' });
    const second = await ask<number>(pool, { deed: 'pid' });
    expect(first).toEqual(second);
  });

  it('does not take a clock of years for one that has run out', async () => {
    expect(await ask(open(), { deed: 'answer' }, 1e9)).toMatchObject({ ok: true });
  });

  it('serves more files than readers, in order', async () => {
    const pool = open({ size: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => pool.extract(job())));
    expect(answers.every((answer) => answer.ok)).toBe(true);
    expect(pool.stats()).toMatchObject({ busy: 0, waiting: 0 });
    expect(pool.stats().pids).toHaveLength(2);
  });

  it('is replaced after its share of files', async () => {
    const pool = open({ recycleAfter: 2 });
    const pids = [];
    for (let i = 0; i < 4; i++) pids.push(((await ask<number>(pool, { deed: 'pid' })) as { result: number }).result);
    expect(pids[0]).toBe(pids[1]);
    expect(pids[2]).toBe(pids[3]);
    expect(pids[0]).not.toBe(pids[2]);
  });

  it('is replaced when it has grown too large', async () => {
    const pool = open({ memoryMb: 512 });
    const before = await ask<number>(pool, { deed: 'pid' });
    await ask(pool, { deed: 'keep 300 MB' });
    const after = await ask<number>(pool, { deed: 'pid' });
    expect(after).not.toEqual(before);
  });
});

describe('no file can hurt the worker', () => {
  it.each(['spin', 'wait', 'stray child'])('kills a reader that will not end (%s) at its deadline and goes on', async (deed) => {
    const pool = open();
    expect(await ask(pool, { deed }, 1)).toEqual({ ok: false, kind: 'timeout', message: 'Reading took longer than 1 s.' });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ ok: true });
  });

  it.each(['eat buffers', 'eat heap'])('ends a reader that eats memory (%s) as a guard and goes on', async (deed) => {
    const pool = open({ memoryMb: 384 });
    expect(await ask(pool, { deed })).toMatchObject({ ok: false, kind: 'guard', message: expect.stringContaining('memory') });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ ok: true });
  });

  it.each(['exit', 'abort', 'throw later'])('calls a file that stops its reader (%s) corrupt and goes on', async (deed) => {
    const pool = open();
    expect(await ask(pool, { deed })).toEqual({ ok: false, kind: 'corrupt', message: 'The file stopped its reader.' });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ ok: true });
  });

  it('does not blame a file for memory an earlier file left behind', async () => {
    const pool = open({ memoryMb: 640 });
    expect(await ask(pool, { deed: 'keep 300 MB' })).toMatchObject({ ok: true });
    expect(await ask(pool, { deed: 'keep 300 MB' })).toMatchObject({ ok: true });
  });

  it('takes tools down with their whole group when the deadline passes', async () => {
    const pool = open();
    const note = join(folder, 'tool.pid');
    const running = ask(pool, { deed: 'tool that sleeps', to: note }, 2);
    await vi.waitFor(() => expect(readFileSync(note, 'utf8')).toMatch(/^\d+\n$/), { timeout: 30_000 });
    const pid = Number(readFileSync(note, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    expect(await running).toMatchObject({ ok: false, kind: 'timeout' });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });

  it('gives each failure of a tool its kind', async () => {
    const pool = open();
    expect(await ask(pool, { deed: 'tool that is late' })).toMatchObject({ ok: false, kind: 'timeout' });
    expect(await ask(pool, { deed: 'tool that chatters' })).toMatchObject({ ok: false, kind: 'guard' });
    expect(await ask(pool, { deed: 'tool that is missing' })).toMatchObject({ ok: false, kind: 'dependency' });
  });

  it('hands names to tools as they are, even with a dash, quotes or a dollar sign', async () => {
    const name = '-rf "$(id)" `id`;\n*';
    expect(await ask<string>(open(), { deed: 'argument', to: name })).toEqual({ ok: true, result: `-- ${name}\n` });
  });
});

describe('the file told ahead of time', () => {
  it('is read after the one before it took its reader down, and is not blamed', async () => {
    const pool = open();
    await ask(pool, { deed: 'answer' });
    for (const deed of ['exit', 'eat heap', 'throw later']) {
      const [first, second] = await Promise.all([ask(pool, { deed }), ask(pool, { deed: 'answer' })]);
      expect(first).toMatchObject({ ok: false, kind: deed === 'eat heap' ? 'guard' : 'corrupt' });
      expect(second).toMatchObject({ ok: true });
    }
  });

  it('is read after the one before it ran out of time, on a clock of its own', async () => {
    const pool = open();
    const [first, second, third] = await Promise.all([
      ask(pool, { deed: 'wait' }, 2),
      ask(pool, { deed: 'wait' }, 1),
      ask(pool, { deed: 'answer' }),
    ]);
    expect(first).toMatchObject({ kind: 'timeout', message: 'Reading took longer than 2 s.' });
    expect(second).toMatchObject({ kind: 'timeout', message: 'Reading took longer than 1 s.' });
    expect(third).toMatchObject({ ok: true });
  });

  it('does not wait behind a slow file while another reader has nothing to do', async () => {
    const pool = open({ size: 2 });
    const abort = new AbortController();
    const slow = pool.run('misbehave', job(), { deed: 'wait' }, abort.signal);
    const quick = await Promise.all(Array.from({ length: 7 }, () => ask(pool, { deed: 'answer' })));
    expect(quick.every((outcome) => outcome.ok)).toBe(true);
    abort.abort();
    expect(await slow).toMatchObject({ stopped: true });
  });

  it('is never begun once it is stopped, and the one being read goes on', async () => {
    const pool = open();
    const { result: pid } = (await ask<number>(pool, { deed: 'pid' })) as { result: number };
    const [abort, note] = [new AbortController(), join(folder, 'ahead.pid')];
    const running = ask(pool, { deed: 'tool that naps', to: note });
    const ahead = pool.run('misbehave', job(), { deed: 'exit' }, abort.signal);
    await vi.waitFor(() => expect(existsSync(note)).toBe(true), { timeout: 30_000 });
    abort.abort();
    expect(await ahead).toMatchObject({ stopped: true });
    expect(await running).toMatchObject({ ok: true });
    expect(await ask(pool, { deed: 'pid' })).toEqual({ ok: true, result: pid });
  });
});

describe('the fences of the sandbox', () => {
  it('hides settings and secrets from readers and tools', async () => {
    vi.stubEnv('SVC_SECRET_KEY', 'do-not-tell');
    vi.stubEnv('VIPSHOME', '/nowhere');
    const pool = open();
    const reader = await ask<Record<string, string>>(pool, { deed: 'environment' });
    const tool = await ask<string>(pool, { deed: 'tool environment' });
    vi.unstubAllEnvs();
    expect(JSON.stringify([reader, tool])).not.toMatch(/do-not-tell|VIPSHOME|SVC_/);
  });

  it('cannot reach the network', async ({ skip }) => {
    const pool = open();
    if (!pool.fences.network) skip('this host does not allow network namespaces');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const outcome = await ask(pool, { deed: 'connect', to: String(port) });
    server.close();
    expect(outcome).toEqual({ ok: true, result: expect.stringMatching(/^E(NETUNREACH|CONNREFUSED|HOSTUNREACH|ADDRNOTAVAIL)$/) });
  });

  it('has no way to fetch even where the host allows a network', async () => {
    expect(await ask(open(), { deed: 'fetch', to: 'http://127.0.0.1/' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('fetch is not defined'),
    });
  });

  it('cannot write anywhere but into its own scratch folder, which goes when it ends', async () => {
    const pool = open();
    const target = join(folder, 'written.txt');
    expect(await ask(pool, { deed: 'write', to: target })).toMatchObject({ ok: false });
    expect(existsSync(target)).toBe(false);
    expect(await ask(pool, { deed: 'write scratch' })).toEqual({ ok: true, result: 'written' });
    const { TMPDIR } = ((await ask<Record<string, string>>(pool, { deed: 'environment' })) as { result: Record<string, string> }).result;
    expect(existsSync(TMPDIR as string)).toBe(true);
    pool.close();
    expect(existsSync(TMPDIR as string)).toBe(false);
  });

  it('tells no path of the host and no secret in an error', async () => {
    const pool = open();
    const outcomes = [await ask(pool, { deed: 'host path' }), await ask(pool, { deed: 'guard' })];
    expect(outcomes).toMatchObject([{ kind: 'corrupt' }, { kind: 'guard', message: 'Too much in the file.' }]);
    expect(JSON.stringify(outcomes)).not.toMatch(/\/etc|key\.pem|pw@|catalog-pool/);
  });

  it('says a file that cannot be opened is unreadable, not broken inside', async () => {
    expect(await open().extract(job(60, join(folder, 'gone.txt')))).toEqual({
      ok: false,
      kind: 'corrupt',
      message: 'The file is no longer there.',
      unreadable: true,
    });
  });
});

describe('a host that cannot start readers', () => {
  it('is told apart from a bad file when a part of the program cannot be loaded', async () => {
    const pool = open({ tasks: { missing: new URL('./no-such-task.ts', import.meta.url) } });
    expect(await pool.run('missing', job(), null)).toMatchObject({ ok: false, kind: 'dependency' });
  });

  it('is told apart from a bad file: the failure is a missing dependency', async () => {
    const pool = open({ memoryMb: -500 });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ ok: false, kind: 'dependency' });
  });
});

describe('after a crash', () => {
  it('a new pool removes the scratch folders of a worker that is gone, and no others', () => {
    const gone = join(tmpdir(), 'catalog-reader-999999999-abc');
    const ours = join(tmpdir(), `catalog-reader-${process.pid}-abc`);
    for (const path of [gone, ours]) mkdirSync(path, { recursive: true });
    open();
    expect([existsSync(gone), existsSync(ours)]).toEqual([false, true]);
    rmSync(ours, { recursive: true });
  });
});

describe('stopping', () => {
  it('stops a running job when its signal is aborted, and a waiting one before it starts', async () => {
    const pool = open();
    const abort = new AbortController();
    const running = pool.run('misbehave', job(), { deed: 'wait' }, abort.signal);
    const waiting = pool.run('misbehave', job(), { deed: 'wait' }, abort.signal);
    abort.abort();
    expect(await running).toMatchObject({ ok: false, stopped: true });
    expect(await waiting).toMatchObject({ ok: false, stopped: true });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ ok: true });
  });

  it('ends every job as stopped when the pool closes, and leaves no process', async () => {
    const pool = open();
    const { result: pid } = (await ask<number>(pool, { deed: 'pid' })) as { result: number };
    const running = ask(pool, { deed: 'wait' });
    const waiting = ask(pool, { deed: 'wait' });
    pool.close();
    expect(await running).toMatchObject({ stopped: true });
    expect(await waiting).toMatchObject({ stopped: true });
    expect(await ask(pool, { deed: 'answer' })).toMatchObject({ stopped: true });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });
});
