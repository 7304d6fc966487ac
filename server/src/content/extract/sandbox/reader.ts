/**
 * One seat of the pool: a child process and what is known about it.
 *
 * States: empty (no process) → starting (a job arrived, the process is being started) → busy (one job) → idle → busy …
 * busy → empty: the deadline passed, the job was aborted, or the process died; the process group and all tool groups are killed.
 * starting → empty: the process died before it said it was ready; that is the host's fault, never the file's.
 * idle → empty: the process served its share of files, grew too large, or answered a memory failure; it is retired and replaced on the
 * next job. A process that dies while idle only empties the seat.
 */
import { timerMilliseconds } from '../reading/tool.ts';
import { isOutOfMemory } from './failure.ts';
import { type Launched, launchChild } from './launch.ts';
import type { FileJob, FromChild, TaskFailure, TaskOutcome, ToChild } from './protocol.ts';

export const stopped: TaskFailure = { ok: false, kind: 'timeout', message: 'Reading was stopped.', stopped: true };

export interface Reader {
  run(task: string, module: string, job: FileJob, options: unknown, signal?: AbortSignal): Promise<TaskOutcome<unknown>>;
  /** Resident bytes at the last answer; 0 without a process. */
  memoryBytes(): number;
  pid(): number | undefined;
  close(): void;
}

export interface ReaderSettings {
  memoryMb: number;
  /** Files after which the process is replaced. */
  recycleAfter: number;
  /** Runs with less right to the processor than others. */
  background: boolean;
}

interface Seat {
  launched: Launched;
  ready: boolean;
  groups: Set<number>;
  served: number;
  memoryBytes: number;
}

export function createReader(settings: ReaderSettings): Reader {
  let seat: Seat | undefined;
  let nextId = 1;
  let closed = false;

  const empty = (old: Seat): void => {
    if (seat === old) seat = undefined;
    kill(old);
  };

  const start = (): Seat => {
    const launched = launchChild(settings.memoryMb, settings.background);
    const fresh: Seat = { launched, ready: false, groups: new Set(), served: 0, memoryBytes: 0 };
    launched.process.on('message', (message: FromChild) => {
      if (message.type === 'ready') fresh.ready = true;
      if (message.type !== 'group') return;
      if (message.alive) fresh.groups.add(message.pid);
      else fresh.groups.delete(message.pid);
    });
    launched.process.on('error', () => empty(fresh));
    launched.process.on('exit', () => empty(fresh));
    // An idle reader must not keep the worker alive.
    launched.process.unref();
    launched.process.channel?.unref();
    return fresh;
  };

  const attempt = (
    task: string,
    module: string,
    job: FileJob,
    options: unknown,
    signal?: AbortSignal,
  ): Promise<TaskOutcome<unknown> & { crowded?: true }> => {
    seat ??= start();
    const here = seat;
    const { process: child } = here.launched;
    const id = nextId++;
    const servedBefore = here.served;
    here.served += 1;
    return new Promise((resolve) => {
      const finish = (outcome: TaskOutcome<unknown> & { crowded?: true }, keep: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        child.off('message', hear);
        child.off('exit', died);
        child.off('error', died);
        child.unref();
        child.channel?.unref();
        if (!keep) empty(here);
        resolve(outcome);
      };
      const hear = (message: FromChild) => {
        if ((message.type !== 'done' && message.type !== 'failed') || message.id !== id) return;
        here.memoryBytes = message.memoryBytes;
        const tired = here.served >= settings.recycleAfter || message.memoryBytes > settings.memoryMb * 1024 * 1024 * 0.7;
        if (message.type === 'done') return finish({ ok: true, result: message.result }, !tired);
        const { kind, message: text, unreadable } = message;
        const outOfMemory = kind === 'guard' && /memory/.test(text);
        finish(
          { ok: false, kind, message: text, ...(unreadable && { unreadable }), ...(outOfMemory && servedBefore > 0 && { crowded: true }) },
          !tired && !outOfMemory,
        );
      };
      const died = () => {
        if (closed) return finish(stopped, false);
        if (!here.ready)
          return finish({ ok: false, kind: 'dependency', message: 'A reader process could not be started on this host.' }, false);
        const words = here.launched.lastWords();
        const memory = isOutOfMemory(undefined, words) || /heap limit|heap out|Zone|OOM/i.test(words);
        const outcome: TaskOutcome<unknown> = memory
          ? { ok: false, kind: 'guard', message: `Reading the file needs more than ${settings.memoryMb} MB of memory.` }
          : { ok: false, kind: 'corrupt', message: 'The file stopped its reader.' };
        finish(servedBefore > 0 ? { ...outcome, crowded: true } : outcome, false);
      };
      const abort = () => finish(stopped, false);
      const timer = setTimeout(
        () => finish({ ok: false, kind: 'timeout', message: `Reading took longer than ${job.limits.timeoutSeconds} s.` }, false),
        timerMilliseconds(job.limits.timeoutSeconds),
      );
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      child.on('message', hear);
      child.on('exit', died);
      child.on('error', died);
      child.ref();
      child.channel?.ref();
      const message: ToChild = { id, task, module, job, options };
      child.send(message, (error) => {
        if (error !== null) died();
      });
    });
  };

  return {
    async run(task, module, job, options, signal) {
      if (closed) return stopped;
      const first = await attempt(task, module, job, options, signal);
      if (closed || !('crowded' in first)) return first;
      // Earlier files may have filled the process: only a failure in a fresh one is this file's own.
      const second = await attempt(task, module, job, options, signal);
      const { crowded: _, ...outcome } = second;
      return outcome;
    },
    memoryBytes: () => seat?.memoryBytes ?? 0,
    pid: () => seat?.launched.process.pid,
    close() {
      closed = true;
      if (seat !== undefined) empty(seat);
    },
  };
}

function kill(seat: Seat): void {
  const { process: child } = seat.launched;
  for (const pid of [child.pid, ...seat.groups]) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
  seat.groups.clear();
  seat.launched.discard();
}
