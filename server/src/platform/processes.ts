import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * Keeps one child process running.
 *
 * starting -> ready (the child says so) -> ended. An end nobody asked for is followed by a restart after a pause that doubles; more than
 * `budget` ends within a minute, or an exit code that says "hopeless" (2 wrong settings, 3 cannot start), end for good. While stopping,
 * the child gets SIGTERM, the grace, then SIGKILL.
 */
export interface SupervisedProcess {
  ready: Promise<void>;
  /** Resolves with the exit code when the child ended for good, or was stopped. */
  ended: Promise<number>;
  stop(graceMs: number): Promise<void>;
  pid(): number | undefined;
}

export interface SuperviseOptions {
  module: string;
  args: string[];
  /** For Node itself. */
  flags?: readonly string[];
  env: NodeJS.ProcessEnv;
  budget?: number;
  onRestart?(code: number | null, signal: NodeJS.Signals | null): void;
}

/**
 * The worker passes much through and keeps little. V8 would let the room for what is new grow to 16 MB three times over; half of that takes
 * a fifth off its memory while it scans and costs nothing that can be measured. The app has the whole room: with half of it every answer of
 * a busy search costs a tenth more.
 */
export const workerNodeFlags: readonly string[] = ['--max-semi-space-size=8'];

/** The C library would keep a heap of its own for every thread, eight a core, and give little of it back; two are as quick here. */
export const mallocEnv = { MALLOC_ARENA_MAX: '2' } as const;

export const fatalExitCodes: readonly number[] = [2, 3];

export function supervise({ module, args, flags = [], env, budget = 5, onRestart }: SuperviseOptions): SupervisedProcess {
  let child: ChildProcess | undefined;
  let stopping = false;
  let pause = 500;
  const ends: number[] = [];
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();

  const start = (): void => {
    // Detached from the terminal's Ctrl-C: the supervisor decides the order in which parts stop.
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
      const late = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      await ended.promise;
      clearTimeout(late);
    },
  };
}

/** In the child: tells the supervisor it is up, and ends when the supervisor is gone. */
export function connectToSupervisor(onOrphaned: () => void): { ready(): void } {
  process.once('disconnect', onOrphaned);
  return { ready: () => process.send?.('ready') };
}

/**
 * One supervisor a config directory. The lock is a file with the holder's process id and start time; a lock whose holder is gone (or whose
 * id now belongs to another process) is taken over.
 */
export function acquireFolderLock(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = path.join(folder, 'catalog.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o644);
      writeSync(handle, `${process.pid} ${startTime(process.pid)}\n`);
      closeSync(handle);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [pid = '', started = ''] = readFileSync(file, 'utf8').trim().split(' ');
      if (pid !== '' && startTime(Number(pid)) === started) {
        throw new Error(
          `Catalog is running already with this data (process ${pid}, ${folder}). Stop it first, or set SVC_CONFIG_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new Error(`The lock file ${file} cannot be taken.`);
}

/** Ticks since boot at which a process started: with the id it names one process for good. */
function startTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;
  } catch {
    return 'gone';
  }
}
