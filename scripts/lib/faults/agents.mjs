// Agents for fault runs: the real program, a connection that can be cut at random bytes, and files that change.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustCall, until } from './service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const program = join(root, 'agent', 'src', 'main.ts');
const clock = join(root, 'scripts', 'lib', 'faults', 'clock-skew.mjs');

/** Starts a command of the agent. Its output is kept. */
export function startAgent(dataDir, words, { skewMs = 0 } = {}) {
  const skewed = skewMs === 0 ? [] : ['--import', clock];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...skewed, program, '--data-dir', dataDir, ...words], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), CLOCK_SKEW_MS: String(skewMs) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-100_000);
    });
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  const ended = new Promise((resolve) =>
    child.once('exit', (code) => {
      process.removeListener('exit', onExit);
      resolve(code);
    }),
  );
  return { child, ended, output: () => output };
}

/** Runs a command of the agent to its end. */
export async function runAgent(dataDir, words, options) {
  const running = startAgent(dataDir, words, options);
  return { code: await running.ended, output: running.output() };
}

export async function killAgent(agent) {
  agent.child.kill('SIGKILL');
  await agent.ended;
}

/** Enrols a machine. The agent reaches the service at `port`, which may be a proxy. */
export async function enrol({ url, port, dataDir, folder, name }) {
  const { token } = await mustCall(url, 'POST', '/agents/enrollment-tokens', {});
  const { code, output } = await runAgent(dataDir, [
    'enrol',
    ...['--url', `http://127.0.0.1:${port}`, '--token', token, '--root', folder, '--name', name],
  ]);
  if (code !== 0) throw new Error(`The enrolment failed: ${output}`);
  return JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8')).agentId;
}

/** A connection to the service. While `cutAfter` returns a number, each connection is cut after so many bytes in either direction. */
export async function startCable(target) {
  const state = { cutAfter: () => Number.POSITIVE_INFINITY, cuts: 0 };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let left = Number.POSITIVE_INFINITY;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on('error', end).on('close', end);
      from.on('data', (part) => {
        // Connections that were open before are cut too.
        if (left === Number.POSITIVE_INFINITY) left = state.cutAfter();
        const sent = part.subarray(0, left);
        left -= part.length;
        if (left > 0) return void to.write(sent);
        state.cuts += 1;
        to.write(sent, end);
      });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.once('exit', () => server.close());
  return { port: server.address().port, state, close: () => server.close() };
}

/** Creates, changes, moves and deletes files. */
export function changeFiles(folder, random, round, count = 8) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let n = 0; n < count; n += 1) {
    const files = listFiles(folder);
    const action = files.length < 5 ? 'create' : pick(['create', 'create', 'change', 'move', 'delete']);
    const fresh = `place-${Math.floor(random() * 6)}/r${round}-${n}-${Math.floor(random() * 1e6)}.txt`;
    mkdirSync(dirname(join(folder, fresh)), { recursive: true });
    if (action === 'create')
      writeFileSync(join(folder, fresh), `round ${round} file ${n} ${random()}\n`.repeat(1 + Math.floor(random() * 40)));
    else if (action === 'change') writeFileSync(join(folder, pick(files)), `changed in round ${round} ${random()}\n`);
    else if (action === 'move') renameSync(join(folder, pick(files)), join(folder, fresh));
    else rmSync(join(folder, pick(files)));
  }
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Active files of an agent at the service, by path. */
export async function catalogued(url, agentId) {
  const { libraries } = await mustCall(url, 'GET', `/agents/${agentId}`);
  const found = new Map();
  for (const { id } of libraries)
    for (let cursor; ; ) {
      const page = await mustCall(url, 'GET', `/items?library_id=${id}&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      for (const item of page.items) if (item.status === 'active') found.set(item.rel_path, item);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
  return found;
}

/** How the catalog differs from the disk, as sentences. */
async function differences(url, agentId, folder) {
  const known = await catalogued(url, agentId);
  const lines = [];
  for (const path of listFiles(folder)) {
    const item = known.get(path);
    known.delete(path);
    if (!item) lines.push(`${path} is not catalogued.`);
    else if (item.size !== statSync(join(folder, path)).size) lines.push(`${path} has another size in the catalog.`);
  }
  for (const path of known.keys()) lines.push(`${path} is catalogued and not on disk.`);
  return lines;
}

/** Waits until the catalog equals the disk. Returns the differences that are left; empty when there are none. */
export async function converge(url, agentId, folder, seconds = 120) {
  let last = [];
  try {
    await until(
      async () => {
        last = await differences(url, agentId, folder);
        return last.length === 0;
      },
      'the catalog to equal the disk',
      seconds,
    );
    return [];
  } catch {
    return last;
  }
}
