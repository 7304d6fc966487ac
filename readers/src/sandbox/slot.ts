/**
 * One seat of the pool: a child process, and the line of files before it. The first of the line is being read; the next is told to the
 * child ahead of time, so that it goes on at once instead of waiting for the parent to hear, decide and answer.
 *
 * States: empty (no process) → starting (a file arrived, the process is being started) → busy (reads the first of the line) → idle → busy …
 * busy → empty: the deadline of the first passed, it was aborted, or the process died; the process group and all tool groups are killed.
 * starting → empty: the process died before it said it was ready; that is the host's fault, never the file's.
 * busy or idle → empty: the process served its share of files, grew too large, or answered a memory failure. A process that dies while idle
 * only empties the seat.
 * Whoever still stands in line when the seat empties is told to the next process. The clock of a file starts when it comes first.
 */
import { timerMilliseconds } from '../input/external-tool.ts';
import { isOutOfMemory } from './failure.ts';
import { type Launched, launchChild } from './launch.ts';
import type { FileJob, FromChild, TaskFailure, TaskOutcome, ToChild } from './protocol.ts';

export const stoppedOutcome: TaskFailure = { ok: false, kind: 'timeout', message: 'Reading was stopped.', stopped: true };

/** A file to read and who waits for the answer. */
export interface SandboxRequest {
  task: string;
  module: string;
  job: FileJob;
  options: unknown;
  signal?: AbortSignal | undefined;
  answer(outcome: TaskOutcome<unknown>): void;
}

export interface PoolSlot {
  take(errand: SandboxRequest): void;
  /** Gives back the last of the line, unless it is being read. */
  release(): SandboxRequest | undefined;
  /** How many stand in line, the one being read included. */
  load(): number;
  /** Resident bytes at the last answer; 0 without a process. */
  memoryBytes(): number;
  pid(): number | undefined;
  close(): void;
}

export interface PoolSlotSettings {
  memoryMb: number;
  /** Files after which the process is replaced. */
  recycleAfter: number;
  /** Runs with less right to the processor than others. */
  background: boolean;
  /** Told whenever the line became shorter. */
  freed(reader: PoolSlot): void;
}

interface Seat {
  launched: Launched;
  ready: boolean;
  groups: Set<number>;
  served: number;
  memoryBytes: number;
}

interface Standing {
  id: number;
  errand: SandboxRequest;
  abort(): void;
}

export function createPoolSlot(settings: PoolSlotSettings): PoolSlot {
  const line: Standing[] = [];
  let seat: Seat | undefined;
  let clock: NodeJS.Timeout | undefined;
  let nextId = 1;
  let closed = false;

  const empty = (): void => {
    const old = seat;
    seat = undefined;
    if (old !== undefined) kill(old);
  };

  const start = (): Seat => {
    const launched = launchChild(settings.memoryMb, settings.background);
    const fresh: Seat = { launched, ready: false, groups: new Set(), served: 0, memoryBytes: 0 };
    const { process: child } = launched;
    let ended = false;
    // Answers may still lie in the channel when the process is gone: only when both have ended is it known whom it died on.
    const judge = (): void => {
      if (seat === fresh && (ended || !fresh.ready) && !child.connected) died(fresh);
    };
    child.on('message', (message: FromChild) => {
      if (message.type === 'ready') fresh.ready = true;
      else if (message.type === 'group') message.alive ? fresh.groups.add(message.pid) : fresh.groups.delete(message.pid);
      else if (seat === fresh && message.id === line[0]?.id) hear(fresh, message);
    });
    child.on('error', () => {
      if (seat === fresh && !fresh.ready) died(fresh);
    });
    child.on('exit', () => {
      ended = true;
      judge();
    });
    child.on('disconnect', judge);
    // An idle reader must not keep the worker alive.
    child.unref();
    child.channel?.unref();
    return fresh;
  };

  const tell = (message: ToChild): void => {
    // A channel that is closed already says so by the end of its process.
    if (seat?.launched.process.connected) seat.launched.process.send(message, () => {});
  };
  const tellErrand = ({ id, errand: { task, module, job, options } }: Standing): void =>
    tell({ type: 'read', id, task, module, job, options });

  /** The first of the line has the floor; without a process one is started and told of the whole line. */
  const advance = (): void => {
    const first = line[0];
    if (first === undefined) {
      seat?.launched.process.unref();
      seat?.launched.process.channel?.unref();
      return;
    }
    if (seat === undefined) {
      seat = start();
      for (const standing of line) tellErrand(standing);
    }
    seat.launched.process.ref();
    seat.launched.process.channel?.ref();
    const { timeoutSeconds } = first.errand.job.limits;
    clock = setTimeout(
      () => finish({ ok: false, kind: 'timeout', message: `Reading took longer than ${timeoutSeconds} s.` }, false),
      timerMilliseconds(timeoutSeconds),
    );
  };

  const leave = ({ errand, abort }: Standing, outcome: TaskOutcome<unknown>): void => {
    errand.signal?.removeEventListener('abort', abort);
    errand.answer(outcome);
  };

  const finish = (outcome: TaskOutcome<unknown>, keep: boolean): void => {
    clearTimeout(clock);
    const first = line.shift();
    if (!keep) empty();
    advance();
    if (first !== undefined) leave(first, outcome);
    settings.freed(reader);
  };

  /** Earlier files may have filled the process: only a failure in a fresh one is this file's own. */
  const tryAfresh = (): void => {
    clearTimeout(clock);
    empty();
    advance();
  };

  const hear = (here: Seat, message: Extract<FromChild, { type: 'done' | 'failed' }>): void => {
    const servedBefore = here.served;
    here.served += 1;
    here.memoryBytes = message.memoryBytes;
    const tired = here.served >= settings.recycleAfter || message.memoryBytes > settings.memoryMb * 1024 * 1024 * 0.7;
    if (message.type === 'done') finish({ ok: true, result: message.result }, !tired);
    else {
      const { kind, message: text, unreadable } = message;
      const outOfMemory = kind === 'guard' && /memory/.test(text);
      if (outOfMemory && servedBefore > 0) tryAfresh();
      else finish({ ok: false, kind, message: text, ...(unreadable && { unreadable }) }, !tired && !outOfMemory);
    }
  };

  const died = (here: Seat): void => {
    if (line.length === 0) empty();
    else if (here.ready && here.served > 0) tryAfresh();
    else finish(causeOfDeath(here, settings.memoryMb), false);
  };

  const stepOut = (standing: Standing): void => {
    line.splice(line.indexOf(standing), 1);
    tell({ type: 'forget', id: standing.id });
    standing.errand.signal?.removeEventListener('abort', standing.abort);
  };

  const reader: PoolSlot = {
    take(errand) {
      if (closed || errand.signal?.aborted) return errand.answer(stoppedOutcome);
      const standing: Standing = {
        id: nextId++,
        errand,
        abort() {
          if (line[0] === standing) return finish(stoppedOutcome, false);
          stepOut(standing);
          errand.answer(stoppedOutcome);
          settings.freed(reader);
        },
      };
      errand.signal?.addEventListener('abort', standing.abort, { once: true });
      line.push(standing);
      if (seat !== undefined) tellErrand(standing);
      if (line.length === 1) advance();
    },
    release() {
      const last = line.length > 1 ? line.at(-1) : undefined;
      if (last !== undefined) stepOut(last);
      return last?.errand;
    },
    load: () => line.length,
    memoryBytes: () => seat?.memoryBytes ?? 0,
    pid: () => seat?.launched.process.pid,
    close() {
      closed = true;
      clearTimeout(clock);
      empty();
      for (const standing of line.splice(0)) leave(standing, stoppedOutcome);
    },
  };
  return reader;
}

/** What the first file of a process did to it. */
function causeOfDeath({ ready, launched }: Seat, memoryMb: number): TaskFailure {
  if (!ready) return { ok: false, kind: 'dependency', message: 'A reader process could not be started on this host.' };
  const words = launched.lastWords();
  return isOutOfMemory(undefined, words) || /heap limit|heap out|Zone|OOM/i.test(words)
    ? { ok: false, kind: 'guard', message: `Reading the file needs more than ${memoryMb} MB of memory.` }
    : { ok: false, kind: 'corrupt', message: 'The file stopped its reader.' };
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
