import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Misbehavior } from '../../test/misbehaving-task.ts';
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
  const pool = createSandboxPool({ size: 1, memoryMb: 512, background: false, tasks, ...options });
  pools.push(pool);
  return pool;
}

function job(timeoutSeconds = 60, file = path): FileJob {
  return { path: file, filename: 'note.txt', extension: 'txt', size: 5, limits: { ...defaultLimits, timeoutSeconds } };
}

function run<T>(pool: SandboxPool, options: Misbehavior, timeoutSeconds?: number): Promise<TaskOutcome<T>> {
  return pool.run<T>('misbehave', job(timeoutSeconds), options);
}

/** The id of the only reader, as this process sees it. */
function readerPid(pool: SandboxPool): Promise<number> {
  return vi.waitFor(() => {
    const [pid] = pool.stats().pids;
    if (pid === undefined) throw new Error('the reader has not started');
    return pid;
  });
}

/** Ids of running processes that have `mark` among their arguments, except the reader, which got it in a message. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark);
    } catch {
      // The process has just ended.
      return false;
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    // A zombie still accepts signals, so its state is read instead.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a process is reused', () => {
  it('returns extracted facts with the name and version of the extractor', async () => {
    const outcome = await open().extract(job());
    expect(outcome).toMatchObject({ ok: true, extractor: 'text', extracted: { bodyText: 'hello', metadata: { lines: 1 } } });
  });

  it('reports a file type without an extractor as unsupported', async () => {
    expect(await open().extract({ ...job(), extension: 'no-such-kind' })).toEqual({ ok: true, unsupported: true });
  });

  it('runs at low priority only in the background', async () => {
    for (const [background, priority] of [
      [true, constants.priority.PRIORITY_LOW],
      [false, getPriority()],
    ] as const) {
      expect(await run<number>(open({ background }), { action: 'priority' })).toEqual({ ok: true, result: priority });
    }
  });

  it('returns buffers and keeps the process for the next file', async () => {
    const pool = open();
    const outcome = await run<{ text: string; buffer: Buffer }>(pool, { action: 'succeed' });
    expect(outcome.ok && outcome.result.text).toBe('hello');
    expect(outcome.ok && Buffer.from(outcome.result.buffer).toString()).toBe('pixels');
    const first = await readerPid(pool);
    await run(pool, { action: 'succeed' });
    expect(await readerPid(pool)).toBe(first);
  });

  it('accepts a timeout longer than a timer can hold', async () => {
    expect(await run(open(), { action: 'succeed' }, 1e9)).toMatchObject({ ok: true });
  });

  it('handles more requests than it has processes', async () => {
    const pool = open({ size: 2 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => pool.extract(job())));
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
    expect(pool.stats()).toMatchObject({ busy: 0, waiting: 0 });
    expect(pool.stats().pids).toHaveLength(2);
  });

  it('is replaced after `recycleAfter` requests', async () => {
    const pool = open({ recycleAfter: 2 });
    const pids = [];
    for (let i = 0; i < 2; i++) {
      await run(pool, { action: 'succeed' });
      pids.push(await readerPid(pool));
      await run(pool, { action: 'succeed' });
      expect(pool.stats().pids).toEqual([]);
    }
    expect(pids[0]).not.toBe(pids[1]);
  });

  it('is replaced when it has grown too large', async () => {
    const pool = open({ memoryMb: 512 });
    await run(pool, { action: 'succeed' });
    const before = await readerPid(pool);
    await run(pool, { action: 'leak 300 MB' });
    await run(pool, { action: 'succeed' });
    expect(await readerPid(pool)).not.toBe(before);
  });
});

describe('no file can harm the parent process', () => {
  it.each(['spin', 'wait', 'stray child'])('kills a process that does not finish (%s) at its deadline and continues', async (action) => {
    const pool = open();
    expect(await run(pool, { action }, 1)).toEqual({ ok: false, kind: 'timeout', message: 'Reading took longer than 1 s.' });
    expect(await run(pool, { action: 'succeed' })).toMatchObject({ ok: true });
  });

  it.each(['allocate buffers', 'allocate objects'])(
    'reports a process that uses too much memory (%s) as a guard and continues',
    async (action) => {
      const pool = open({ memoryMb: 384 });
      expect(await run(pool, { action })).toMatchObject({ ok: false, kind: 'guard', message: expect.stringContaining('memory') });
      expect(await run(pool, { action: 'succeed' })).toMatchObject({ ok: true });
    },
  );

  it.each(['exit', 'abort', 'throw later'])('reports a file that crashes its process (%s) as corrupt and continues', async (action) => {
    const pool = open();
    expect(await run(pool, { action })).toEqual({ ok: false, kind: 'corrupt', message: 'The file made its reader process crash.' });
    expect(await run(pool, { action: 'succeed' })).toMatchObject({ ok: true });
  });

  it('does not fail a file because of memory that an earlier file leaked', async () => {
    const pool = open({ memoryMb: 640 });
    expect(await run(pool, { action: 'leak 300 MB' })).toMatchObject({ ok: true });
    expect(await run(pool, { action: 'leak 300 MB' })).toMatchObject({ ok: true });
  });

  it('kills the whole process group of a tool when the deadline passes', async () => {
    const pool = open();
    const mark = `catalog-sleeping-tool-${process.pid}`;
    const running = run(pool, { action: 'tool that sleeps', to: mark }, 3);
    await vi.waitFor(() => expect(processesWith(mark)).not.toEqual([]), { timeout: 30_000, interval: 20 });
    expect(await running).toMatchObject({ ok: false, kind: 'timeout' });
    await vi.waitFor(() => expect(processesWith(mark)).toEqual([]));
  });

  it('reports each failure of a tool with its kind', async () => {
    const pool = open();
    expect(await run(pool, { action: 'tool that is late' })).toMatchObject({ ok: false, kind: 'timeout' });
    expect(await run(pool, { action: 'tool that prints too much' })).toMatchObject({ ok: false, kind: 'guard' });
    expect(await run(pool, { action: 'tool that is missing' })).toMatchObject({ ok: false, kind: 'dependency' });
  });

  it('passes names to tools unchanged, even with a dash, quotes or a dollar sign', async () => {
    const name = '-rf "$(id)" `id`;\n*';
    expect(await run<string>(open(), { action: 'argument', to: name })).toEqual({ ok: true, result: `-- ${name}\n` });
  });
});

describe('a request sent ahead', () => {
  it('runs after the request before it crashed the process, and does not fail', async () => {
    const pool = open();
    await run(pool, { action: 'succeed' });
    for (const action of ['exit', 'allocate objects', 'throw later']) {
      const [first, second] = await Promise.all([run(pool, { action }), run(pool, { action: 'succeed' })]);
      expect(first).toMatchObject({ ok: false, kind: action === 'allocate objects' ? 'guard' : 'corrupt' });
      expect(second).toMatchObject({ ok: true });
    }
  });

  it('runs after the request before it timed out, with its own deadline', async () => {
    const pool = open();
    const [first, second, third] = await Promise.all([
      run(pool, { action: 'wait' }, 2),
      run(pool, { action: 'wait' }, 1),
      run(pool, { action: 'succeed' }),
    ]);
    expect(first).toMatchObject({ kind: 'timeout', message: 'Reading took longer than 2 s.' });
    expect(second).toMatchObject({ kind: 'timeout', message: 'Reading took longer than 1 s.' });
    expect(third).toMatchObject({ ok: true });
  });

  it('does not wait behind a slow request while another process is idle', async () => {
    const pool = open({ size: 2 });
    const abort = new AbortController();
    const slow = pool.run('misbehave', job(), { action: 'wait' }, abort.signal);
    const quick = await Promise.all(Array.from({ length: 7 }, () => run(pool, { action: 'succeed' })));
    expect(quick.every((outcome) => outcome.ok)).toBe(true);
    abort.abort();
    expect(await slow).toMatchObject({ stopped: true });
  });

  it('never starts once it is aborted, and the running request continues', async () => {
    const pool = open();
    await run(pool, { action: 'succeed' });
    const pid = await readerPid(pool);
    const [abort, mark] = [new AbortController(), `catalog-napping-tool-${process.pid}`];
    const running = run(pool, { action: 'tool that naps', to: mark });
    const ahead = pool.run('misbehave', job(), { action: 'exit' }, abort.signal);
    await vi.waitFor(() => expect(processesWith(mark)).not.toEqual([]), { timeout: 30_000, interval: 20 });
    abort.abort();
    expect(await ahead).toMatchObject({ stopped: true });
    expect(await running).toMatchObject({ ok: true });
    expect(await readerPid(pool)).toBe(pid);
  });
});

describe('the protections of the sandbox', () => {
  it('hide settings and secrets from the process and its tools', async () => {
    vi.stubEnv('SVC_SECRET_KEY', 'do-not-leak');
    vi.stubEnv('VIPSHOME', '/nowhere');
    const pool = open();
    const child = await run<Record<string, string>>(pool, { action: 'environment' });
    const tool = await run<string>(pool, { action: 'tool environment' });
    vi.unstubAllEnvs();
    expect(JSON.stringify([child, tool])).not.toMatch(/do-not-leak|VIPSHOME|SVC_/);
  });

  it('prevent network access', async () => {
    const pool = open();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const outcome = await run(pool, { action: 'connect', to: String(port) });
    server.close();
    expect(outcome).toEqual({ ok: true, result: expect.stringMatching(/^E(PERM|NETUNREACH)$/) });
  });

  it('remove fetch even where the host offers no network namespace', async () => {
    expect(await run(open(), { action: 'fetch', to: 'http://127.0.0.1/' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('fetch is not defined'),
    });
  });

  it('prevent writes outside the scratch folder, which is removed when the process ends', async () => {
    const pool = open();
    const target = join(folder, 'written.txt');
    expect(await run(pool, { action: 'write', to: target })).toMatchObject({ ok: false });
    expect(existsSync(target)).toBe(false);
    expect(await run(pool, { action: 'write scratch' })).toEqual({ ok: true, result: 'written' });
    const { TMPDIR } = ((await run<Record<string, string>>(pool, { action: 'environment' })) as { result: Record<string, string> }).result;
    expect(existsSync(TMPDIR as string)).toBe(true);
    pool.close();
    expect(existsSync(TMPDIR as string)).toBe(false);
  });

  it('keep host paths and secrets out of error messages', async () => {
    const pool = open();
    const outcomes = [await run(pool, { action: 'host path' }), await run(pool, { action: 'guard' })];
    expect(outcomes).toMatchObject([{ kind: 'corrupt' }, { kind: 'guard', message: 'Too much in the file.' }]);
    expect(JSON.stringify(outcomes)).not.toMatch(/\/etc|key\.pem|pw@|catalog-pool/);
  });

  it('report a file that cannot be opened as unreadable', async () => {
    expect(await open().extract(job(60, join(folder, 'gone.txt')))).toEqual({
      ok: false,
      kind: 'corrupt',
      message: 'The file is no longer there.',
      unreadable: true,
    });
  });
});

describe('a reader sees one library', () => {
  it('is replaced when the next file is in another one, and requests of both end well', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'note.txt'), 'other');
    const pool = open();
    const first = { ...job(60, path), root: folder };
    const second = { ...job(60, join(other, 'note.txt')), root: other };
    const read = (file: FileJob) => pool.run<{ text: string }>('misbehave', file, { action: 'succeed' });
    const outcomes = await Promise.all([first, second, second, first].map(read));
    expect(outcomes.map((outcome) => outcome.ok && outcome.result.text)).toEqual(['hello', 'other', 'other', 'hello']);
    const stray = { ...second, path, root: other };
    await expect(read({ ...stray, path: join(other, '..', 'note.txt') })).resolves.toMatchObject({ ok: false, unreadable: true });
  });

  it('reaches a file whose name is not text through a link, which is removed afterwards', async () => {
    const odd = Buffer.concat([Buffer.from(`${folder}/odd-`), Buffer.from([0xff]), Buffer.from('.txt')]);
    writeFileSync(odd, 'odd');
    const link = join(folder, '..', `catalog-pool-link-${process.pid}.txt`);
    symlinkSync(odd, link);
    const outcome = await open().run<{ text: string }>('misbehave', { ...job(60, link), root: folder }, { action: 'succeed' });
    rmSync(link);
    expect(outcome).toMatchObject({ ok: true, result: { text: 'odd' } });
  });
});

describe('a host that cannot start a process', () => {
  it('reports a task module that cannot be loaded as a missing dependency', async () => {
    const pool = open({ tasks: { missing: new URL('./no-such-task.ts', import.meta.url) } });
    expect(await pool.run('missing', job(), null)).toMatchObject({ ok: false, kind: 'dependency' });
  });

  it('reports a process that cannot start as a missing dependency', async () => {
    const pool = open({ memoryMb: -500 });
    expect(await run(pool, { action: 'succeed' })).toMatchObject({ ok: false, kind: 'dependency' });
  });
});

describe('after a crash', () => {
  it('a new pool removes the scratch folders of processes that are gone, and no others', () => {
    const gone = join(tmpdir(), 'catalog-reader-999999999-abc');
    const ours = join(tmpdir(), `catalog-reader-${process.pid}-abc`);
    for (const path of [gone, ours]) mkdirSync(path, { recursive: true });
    open();
    expect([existsSync(gone), existsSync(ours)]).toEqual([false, true]);
    rmSync(ours, { recursive: true });
  });
});

describe('stopping', () => {
  it('stops a running request when its signal is aborted, and a waiting one before it starts', async () => {
    const pool = open();
    const abort = new AbortController();
    const running = pool.run('misbehave', job(), { action: 'wait' }, abort.signal);
    const waiting = pool.run('misbehave', job(), { action: 'wait' }, abort.signal);
    abort.abort();
    expect(await running).toMatchObject({ ok: false, stopped: true });
    expect(await waiting).toMatchObject({ ok: false, stopped: true });
    expect(await run(pool, { action: 'succeed' })).toMatchObject({ ok: true });
  });

  it('ends every request as stopped when the pool closes, and leaves no process', async () => {
    const pool = open();
    await run(pool, { action: 'succeed' });
    const pid = await readerPid(pool);
    const running = run(pool, { action: 'wait' });
    const waiting = run(pool, { action: 'wait' });
    pool.close();
    expect(await running).toMatchObject({ stopped: true });
    expect(await waiting).toMatchObject({ stopped: true });
    expect(await run(pool, { action: 'succeed' })).toMatchObject({ stopped: true });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });
});
