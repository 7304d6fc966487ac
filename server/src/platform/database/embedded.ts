import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openFor } from '../config-folder.ts';
import {
  chownRecursive,
  findNativeDirectory,
  type Identity,
  isReachable,
  linkLibraries,
  reachablePrograms,
  unprivilegedIdentity,
} from './native.ts';
import { readPassword, requirePassword } from './password.ts';

/**
 * The embedded PostgreSQL server in the config folder, reached through a Unix socket that only its owner can open, and with a
 * password (password.ts).
 *
 * States: absent -> initialised -> running -> stopped. If the supervisor is killed, the server keeps running; the next start finds its
 * postmaster.pid, shuts that server down and starts its own. A killed server recovers from its write-ahead log at the next start.
 */
export interface EmbeddedServer {
  /** Connection parameters for `pg`: socket directory as host. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  pid: number;
  /** Resolves with the exit code when the server ends for any reason. */
  exited: Promise<number | null>;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Contains `data/`, `run/` and, if needed, a copy of the programs. */
  folder: string;
  /** Extra `-c name=value` settings. */
  settings?: Record<string, string>;
  /** False in tests, which need speed and no durability. */
  durable?: boolean;
}

/** The file that exists once the server in this folder was initialised. */
export const clusterMark = (folder: string): string => path.join(folder, 'data', 'PG_VERSION');

const user = 'catalog';
/** Only used in the name of the socket file; the server does not listen on TCP. */
const port = 5432;

export async function startEmbedded({ folder, settings = {}, durable = true }: EmbeddedOptions): Promise<EmbeddedServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The server's user must pass through this folder to its data.
  openFor(folder, unprivilegedIdentity()?.gid ?? null);
  const native = findNativeDirectory();
  linkLibraries(native);
  const runAs = chooseIdentity(folder);
  const programs = runAs.namespace ? native : reachablePrograms(native, folder, runAs.identity);
  if (runAs.identity) linkLibraries(programs);
  const data = path.join(folder, 'data');
  const sockets = socketFolder(folder);
  for (const dir of [data, sockets]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chownRecursive(
      dir,
      runAs.namespace || !runAs.identity ? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 } : runAs.identity,
    );
  }
  if (!existsSync(clusterMark(folder))) initialise(programs, data, runAs, durable);
  await stopOrphan(data);
  const password = requirePassword(folder, data, (text) => setPassword(programs, data, runAs, text));

  const flags = Object.entries({
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: '120',
    shared_buffers: '256MB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '2GB',
    jit: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = run(programs, 'postgres', ['-D', data, ...flags], runAs);
  await ready(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('The database process has no process id.');
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    host: sockets,
    port,
    user,
    password,
    database: 'postgres',
    pid,
    exited,
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and writes a checkpoint.
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      await exited;
    },
  };
}

/** The address of the server in this folder, whether it runs or not. */
export function embeddedAddress(folder: string): { host: string; port: number; user: string; password?: string; database: string } {
  const password = readPassword(folder);
  return { host: socketFolder(folder), port, user, ...(password === undefined ? {} : { password }), database: 'postgres' };
}

interface RunAs {
  identity: Identity | null;
  /** Run as root inside a user namespace that maps root to the unprivileged user, which itself cannot reach the folder. */
  namespace: boolean;
}

function chooseIdentity(folder: string): RunAs {
  const identity = unprivilegedIdentity();
  if (!identity || isReachable(folder, identity)) return { identity, namespace: false };
  const probe = spawnSync('unshare', ['--user', `--map-user=${identity.uid}`, `--map-group=${identity.gid}`, 'true']);
  if (probe.status === 0) return { identity, namespace: true };
  throw new Error(
    `PostgreSQL does not run as root, and its unprivileged user cannot reach ${folder}. Set SVC_CONFIG_DIR to a folder such as /var/lib/catalog, run as an ordinary user, or set SVC_DATABASE_URL.`,
  );
}

function command(programs: string, name: string, args: string[], runAs: RunAs): { file: string; args: string[]; ids: Partial<Identity> } {
  const file = path.join(programs, 'bin', name);
  if (!runAs.identity) return { file, args, ids: {} };
  if (!runAs.namespace) return { file, args, ids: runAs.identity };
  const { uid, gid } = runAs.identity;
  return { file: 'unshare', args: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', file, ...args], ids: {} };
}

function run(programs: string, name: string, args: string[], runAs: RunAs): ChildProcess {
  const call = command(programs, name, args, runAs);
  // A process group of its own, so that Ctrl-C in a terminal reaches only the supervisor, which stops the server last.
  return spawn(call.file, call.args, {
    ...call.ids,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: cleanEnvironment(),
  });
}

function initialise(programs: string, data: string, runAs: RunAs, durable: boolean): void {
  const args = [
    '-D',
    data,
    '-U',
    user,
    // Nobody can connect until the password is set.
    '--auth=reject',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const call = command(programs, 'initdb', [...args, '--data-checksums', '--no-instructions', ...(durable ? [] : ['--no-sync'])], runAs);
  const result = spawnSync(call.file, call.args, { ...call.ids, cwd: '/', encoding: 'utf8', env: cleanEnvironment() });
  if (result.status !== 0) {
    rmSync(data, { recursive: true, force: true });
    throw new Error(`The database could not be created: ${(result.stderr || result.error?.message || 'initdb failed').trim()}`);
  }
}

/** Runs the server on its own for one statement, because nobody can connect without the password. */
function setPassword(programs: string, data: string, runAs: RunAs, password: string): void {
  // A random password of 256 bits needs no repeated hashing, which would slow down every new connection.
  const call = command(programs, 'postgres', ['--single', '-D', data, '-c', 'scram_iterations=1', 'postgres'], runAs);
  const result = spawnSync(call.file, call.args, {
    ...call.ids,
    cwd: '/',
    encoding: 'utf8',
    env: cleanEnvironment(),
    input: `alter role ${user} password '${password}';\n`,
  });
  if (result.status !== 0 || /\bERROR:/.test(result.stderr))
    throw new Error(`The password of the database could not be set: ${result.stderr.trim().split('\n').slice(-3).join(' | ')}`);
}

/** Excludes the caller's locale and PG* variables, which would change the server's behaviour. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

/** A socket path may have at most 107 bytes, so that the socket of a deep config folder is placed in the temporary folder. */
function socketFolder(folder: string): string {
  const near = path.join(folder, 'run');
  if (Buffer.byteLength(near) < 85) return near;
  return path.join(os.tmpdir(), `catalog-${createHash('sha256').update(near).digest('hex').slice(0, 16)}`);
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 20_000) log += text;
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`The database stopped while starting (exit ${code}): ${log.trim().split('\n').slice(-4).join(' | ')}`)),
    );
  });
}

async function stopOrphan(data: string): Promise<void> {
  const pidFile = path.join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!isPostgres(pid, data)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isPostgres(pid, data); waited += 50) {
    if (waited > 60_000) process.kill(pid, 'SIGQUIT');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isPostgres(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    // There is no process with this id.
    return false;
  }
}
