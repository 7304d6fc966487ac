import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createFolder } from './config-folder.ts';

/**
 * Keeps one child process running.
 *
 * starting -> ready  the child sends `ready`.
 * ready -> starting  the child exits unexpectedly: it is restarted after a delay that doubles each time.
 * ready -> ended     the child exits more than `budget` times within a minute, or with an exit code for which a restart cannot help.
 * any -> ended       `stop()`: the child gets SIGTERM, and SIGKILL after the grace period.
 */
export interface SupervisedProcess {
  ready: Promise<void>;
  /** Resolves with the exit code when the child has ended and will not be restarted. */
  ended: Promise<number>;
  stop(graceMs: number): Promise<void>;
  pid(): number | undefined;
}

interface SuperviseOptions {
  module: string;
  args: string[];
  /** Command-line flags for Node. */
  flags?: readonly string[];
  env: NodeJS.ProcessEnv;
  budget?: number;
  onRestart?(code: number | null, signal: NodeJS.Signals | null): void;
  /** The child did not stop within the grace period. */
  onKill?(): void;
}

/**
 * A small young generation saves a fifth of the worker's memory during a scan without a measurable slowdown. In the app, one of 8 MB makes
 * responses of a busy search 10 % slower.
 * Collecting garbage when the heap has grown by 70 % instead of several times keeps a long export within 100 MB.
 */
export const workerNodeFlags: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=70'];

/**
 * With ten thousand agents connected the app has 280 MB of live objects. Without these it grows to well over a gigabyte before V8 looks for
 * garbage.
 */
export const appNodeFlags: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=50'];

/** glibc keeps up to eight malloc arenas per core and rarely returns their memory; two are equally fast here. */
export const mallocEnv = { MALLOC_ARENA_MAX: '2' } as const;

/** 2: invalid settings; 3: cannot start, for example because the port is in use. */
const fatalExitCodes: readonly number[] = [2, 3];

export function supervise({ module, args, flags = [], env, budget = 5, onRestart, onKill }: SuperviseOptions): SupervisedProcess {
  let child: ChildProcess | undefined;
  let stopping = false;
  let pause = 500;
  const ends: number[] = [];
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();

  const start = (): void => {
    // Detached, so that Ctrl-C in a terminal reaches only the supervisor, which decides the order in which processes stop.
    child = fork(module, args, {
      env: { ...mallocEnv, ...env },
      stdio: 'inherit',
      detached: true,
      execArgv: [...process.execArgv, ...flags],
    });
    child.on('message', (message) => message === 'ready' && ready.resolve());
    child.once('exit', (code, signal) => {
      if (stopping) return ended.resolve(code ?? 0);
      ends.push(Date.now());
      const recent = ends.filter((at) => at > Date.now() - 60_000).length;
      if (recent > budget || (code !== null && fatalExitCodes.includes(code))) return ended.resolve(code ?? 1);
      onRestart?.(code, signal);
      setTimeout(() => (stopping ? ended.resolve(0) : start()), pause);
      pause = Math.min(pause * 2, 10_000);
    });
  };
  start();
  return {
    ready: ready.promise,
    ended: ended.promise,
    pid: () => child?.pid,
    async stop(graceMs) {
      stopping = true;
      if (!child || child.exitCode !== null || child.signalCode !== null) return ended.resolve(0);
      child.kill('SIGTERM');
      const late = setTimeout(() => {
        onKill?.();
        child?.kill('SIGKILL');
      }, graceMs);
      await ended.promise;
      clearTimeout(late);
    },
  };
}

/** Runs in the child process: `ready()` notifies the supervisor, and `onOrphaned` is called when the supervisor has died. */
export function connectToSupervisor(onOrphaned: () => void): { ready(): void } {
  // Since the process started the supervisor may have died.
  if (process.send && !process.connected) setImmediate(onOrphaned);
  else process.once('disconnect', onOrphaned);
  // Without a callback, a supervisor that is just dying would be an uncaught error.
  return { ready: () => process.send?.('ready', undefined, undefined, () => {}) };
}

/**
 * Ends the process when nothing is left to do, at the latest after a second. `process.exit` alone can wait forever: it joins the threads of the
 * JavaScript engine, and one of them may be waiting for a garbage collection that the main thread no longer runs.
 */
export function endProcess(code: number): void {
  process.exitCode = code;
  // The channel to a supervisor would keep the process running.
  process.channel?.unref();
  setTimeout(() => process.exit(), 1000).unref();
}

/**
 * Allows one supervisor per config folder. The lock file holds the process id and start time of its owner; a lock is taken over when no
 * process with that id and start time is running.
 */
export function acquireFolderLock(folder: string): { release(): void } {
  createFolder(folder);
  const file = path.join(folder, 'catalog.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, `${process.pid} ${startTime(process.pid)}\n`);
      closeSync(handle);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [pid = '', started = ''] = readFileSync(file, 'utf8').trim().split(' ');
      if (pid !== '' && startTime(Number(pid)) === started) {
        throw new Error(
          `Catalog is already running with this config folder (process ${pid}, ${folder}). Stop it first, or set SVC_CONFIG_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new Error(`The lock file ${file} could not be acquired. Delete it if no other Catalog is running, then start again.`);
}

/** Start time of a process in clock ticks since boot. Process ids are reused; the pair of id and start time is not. */
function startTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? 'unknown';
  } catch {
    // There is no process with this id.
    return 'gone';
  }
}
