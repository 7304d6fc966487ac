// A throw-away service for fault runs: the real command on a free port of the loopback address, without sign-in.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const main = join(root, 'server', 'src', 'main.ts');

// A run that is stopped stops its services, which are killed when it exits.
process.setMaxListeners(0);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `catalog-faults-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits for a condition and returns its value. Errors of the condition count as not yet. */
export async function until(condition, what, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  for (let last; ; await sleep(100)) {
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`Waited ${seconds} s in vain for ${what}. ${last?.message ?? ''}`);
  }
}

/** Runs the command to its end. */
export async function runCommand(args, env, seconds = 300) {
  const process_ = start(args, env);
  const timer = setTimeout(() => process_.child.kill('SIGKILL'), seconds * 1000);
  const code = await process_.ended;
  clearTimeout(timer);
  return { code, output: process_.output() };
}

function start(args, env) {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', main, ...args], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), SVC_AUTH_ENABLED: 'false', SVC_HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (text) => {
    output = (output + text).slice(-200_000);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  process.once('exit', () => child.kill('SIGKILL'));
  return { child, output: () => output, ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

/**
 * Starts `catalog all`, or another command with `args`, and waits for its API. `kill` ends the supervisor only; its children end by
 * themselves.
 */
export async function startService({ configDir, env = {}, args = ['all'], port }) {
  const chosen = port ?? (await freePort());
  const running = start(args, { SVC_CONFIG_DIR: configDir, SVC_PORT: String(chosen), SVC_STOP_GRACE_SECONDS: '20', ...env });
  const url = `http://127.0.0.1:${chosen}/api/v1`;
  if (args[0] !== 'worker')
    await until(
      async () => {
        if (running.child.exitCode !== null) throw new Error(`it ended: ${running.output().slice(-1500)}`);
        return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) })).ok;
      },
      'the service to start',
      300,
    );
  return { ...running, url, port: chosen, configDir, pids: () => descendants(running.child.pid, configDir) };
}

/** Stops a service with SIGTERM and returns the seconds that took. */
export async function stopService(service) {
  const begun = Date.now();
  service.child.kill('SIGTERM');
  await service.ended;
  return (Date.now() - begun) / 1000;
}

/** Every process of a service by its role, including the database, which has left the tree when its parent was killed. */
function descendants(supervisor, configDir) {
  const all = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]);
      all.set(Number(name), { pid: Number(name), parent, words });
    } catch {
      // The process has just ended.
    }
  }
  const data = join(configDir, 'postgres', 'data');
  const found = [];
  for (const entry of all.values()) {
    const { pid, words } = entry;
    if (words.includes(data) && words.includes('-D') && words[0].includes('postgres')) found.push({ pid, role: 'database' });
    for (let at = entry; at !== undefined; at = all.get(at.parent)) {
      if (at.parent !== supervisor) continue;
      const isReader = words.some((word) => word.endsWith('sandbox/child.ts'));
      const role =
        at.pid === pid
          ? words.includes('app')
            ? 'app'
            : words.includes('worker')
              ? 'worker'
              : undefined
          : isReader
            ? 'reader'
            : undefined;
      if (role !== undefined) found.push({ pid, role });
      break;
    }
  }
  return found;
}

/** One request; returns status and body. Network errors have status 0. */
export async function call(url, method, path, body, seconds = 30) {
  try {
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: AbortSignal.timeout(seconds * 1000),
    });
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type') ?? '', body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    return { status: 0, type: '', body: null, error };
  }
}

/** A request that must succeed, retried while the service restarts. */
export async function mustCall(url, method, path, body) {
  const answer = await until(
    async () => {
      const { status, body: given } = await call(url, method, path, body);
      return status === 0 || status === 429 || status >= 500 ? null : { status, given };
    },
    `an answer to ${method} ${path}`,
    180,
  );
  if (answer.status >= 300) throw new Error(`${method} ${path} failed with ${answer.status}: ${JSON.stringify(answer.given)}`);
  return answer.given;
}

/** Text files with words that can be searched for. */
export function makeFiles(folder, count, from = 0) {
  for (let n = from; n < from + count; n += 1) {
    const place = join(folder, `folder-${n % 20}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file-${n}.txt`), `number ${n} colour ${['red', 'green', 'blue'][n % 3]}\n`.repeat(1 + (n % 50)));
  }
}

export async function addLibrary(url, folder, name = 'Faults') {
  return mustCall(url, 'POST', '/libraries', { name, root_path: folder });
}

/** Starts a scan, unless one runs, and waits until no scan, job or pending extraction is left. */
export async function scanAll(url, libraryId, seconds = 600) {
  await until(
    async () => [200, 201, 202, 409].includes((await call(url, 'POST', `/libraries/${libraryId}/scan`, {})).status),
    'a scan to start',
  );
  await settle(url, seconds);
}

async function settle(url, seconds = 600) {
  await until(
    async () => {
      const { body } = await call(url, 'GET', '/system/jobs/summary');
      return body !== null && Object.values(body.queues).every(({ todo, doing }) => todo + doing === 0);
    },
    'all jobs to finish',
    seconds,
  );
}

/** Runs `catalog check` and returns its findings; empty when everything is consistent. */
export async function check(env) {
  const { code, output } = await runCommand(['check'], env);
  return code === 0 ? [] : output.split('\n').filter((line) => !/^ok |^note |^\{/.test(line) && line.trim() !== '');
}

/** The paths of all files below a folder, relative to it. */
export function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
