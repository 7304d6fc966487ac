/**
 * One slot of the pool: a queue of requests and the child process that runs them. The first request in the queue is running. The others
 * are sent to the child ahead of time, so that it starts the next one without waiting for the parent.
 *
 * States: empty (no process) → starting (a request arrived and a process was launched) → busy (runs the first request) → idle → busy …
 * busy → empty: the first request passed its deadline or was aborted, or the process died. Its process group and all its tools are killed.
 * starting → empty: the process died before it reported ready. This is reported as the host's fault, never the file's.
 * busy → empty: the process has run its share of requests, has grown too large, or reported an out-of-memory failure.
 * idle → empty: the process died, or the next request is for another library, which the process cannot see.
 * Requests still queued when the slot becomes empty are sent to the next process. The deadline of a request starts when it becomes the
 * first in the queue. If a process that has already completed requests dies or runs out of memory, the first request is retried once in a
 * fresh process, because earlier files may have caused the failure.
 */
import { readFileSync } from 'node:fs';
import { timerMilliseconds } from '../input/external-tool.ts';
import { isOutOfMemory } from './failure.ts';
import { type LaunchedChild, launchChild, libraryOf } from './launch.ts';
import type { FileJob, FromChild, TaskFailure, TaskOutcome, ToChild } from './protocol.ts';

export const stoppedOutcome: TaskFailure = { ok: false, kind: 'timeout', message: 'Reading was stopped.', stopped: true };

export interface SandboxRequest {
  task: string;
  module: string;
  job: FileJob;
  options: unknown;
  signal?: AbortSignal | undefined;
  /** Called exactly once. */
  resolve(outcome: TaskOutcome<unknown>): void;
}

export interface PoolSlot {
  enqueue(request: SandboxRequest): void;
  /** Removes and returns the last request in the queue, unless it is running. */
  takeLast(): SandboxRequest | undefined;
  /** The number of requests in the queue, including the running one. */
  queueLength(): number;
  /** Resident bytes when the last request ended; 0 without a process. */
  memoryBytes(): number;
  /** The id of its reader, once that has started. */
  pid(): number | undefined;
  /** The library that its process sees, or will see: that of the last request in the queue. */
  library(): string | undefined;
  close(): void;
}

interface PoolSlotSettings {
  memoryMb: number;
  /** Requests after which the process is replaced. */
  recycleAfter: number;
  /** Runs the process at low priority. */
  background: boolean;
  /** Called whenever the queue became shorter. */
  onCapacity(slot: PoolSlot): void;
}

interface RunningChild {
  launched: LaunchedChild;
  ready: boolean;
  toolGroups: Set<number>;
  completed: number;
  memoryBytes: number;
}

interface QueuedRequest {
  id: number;
  request: SandboxRequest;
  abort(): void;
  /** Removes what was set up for the child to reach the file. */
  release(): void;
  sent: boolean;
}

export function createPoolSlot(settings: PoolSlotSettings): PoolSlot {
  const queue: QueuedRequest[] = [];
  let current: RunningChild | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let nextId = 1;
  let closed = false;

  const killCurrent = (): void => {
    const child = current;
    current = undefined;
    if (child !== undefined) kill(child);
  };

  const startChild = (library: string): RunningChild => {
    const launched = launchChild(settings.memoryMb, settings.background, library);
    const child: RunningChild = { launched, ready: false, toolGroups: new Set(), completed: 0, memoryBytes: 0 };
    const { process: childProcess } = launched;
    let exited = false;
    // Results may still be in the channel after the process exited, so its death counts only once the channel is closed too.
    const checkDeath = (): void => {
      if (current === child && (exited || !child.ready) && !childProcess.connected) handleDeath(child);
    };
    childProcess.on('message', (message: FromChild) => {
      if (message.type === 'ready') child.ready = true;
      else if (message.type === 'tool') trackTool(child, message);
      else if (current === child && message.id === queue[0]?.id) handleResult(child, message);
    });
    childProcess.on('error', () => {
      if (current === child && !child.ready) handleDeath(child);
    });
    childProcess.on('exit', () => {
      exited = true;
      checkDeath();
    });
    childProcess.on('disconnect', checkDeath);
    // An idle child must not keep the parent process alive.
    childProcess.unref();
    childProcess.channel?.unref();
    return child;
  };

  const send = (message: ToChild): void => {
    // Errors are ignored because the exit of the process reports a closed channel.
    if (current?.launched.process.connected) current.launched.process.send(message, () => {});
  };
  /** Sends the requests of the process's library, up to the first of another one, which waits for a process of its own. */
  const sendQueue = (child: RunningChild): void => {
    for (const queued of queue) {
      const { task, module, job, options } = queued.request;
      if (libraryOf(job) !== child.launched.library) return;
      if (queued.sent) continue;
      queued.sent = true;
      const { path, release } = child.launched.reach(job);
      queued.release = release;
      send({ type: 'run', id: queued.id, task, module, job: { ...job, path }, options });
    }
  };

  /** Starts the deadline of the first request, and a process when there is none for its library. */
  const advance = (): void => {
    const first = queue[0];
    if (first === undefined) {
      current?.launched.process.unref();
      current?.launched.process.channel?.unref();
      return;
    }
    const library = libraryOf(first.request.job);
    if (current !== undefined && current.launched.library !== library) killCurrent();
    if (current === undefined) {
      current = startChild(library);
      for (const queued of queue) unsend(queued);
    }
    sendQueue(current);
    current.launched.process.ref();
    current.launched.process.channel?.ref();
    const { timeoutSeconds } = first.request.job.limits;
    deadline = setTimeout(
      () => finishFirst({ ok: false, kind: 'timeout', message: `Reading took longer than ${timeoutSeconds} s.` }, { keepChild: false }),
      timerMilliseconds(timeoutSeconds),
    );
  };

  const settle = (queued: QueuedRequest, outcome: TaskOutcome<unknown>): void => {
    const { request, abort } = queued;
    unsend(queued);
    request.signal?.removeEventListener('abort', abort);
    request.resolve(outcome);
  };

  const finishFirst = (outcome: TaskOutcome<unknown>, { keepChild }: { keepChild: boolean }): void => {
    clearTimeout(deadline);
    const first = queue.shift();
    if (!keepChild) killCurrent();
    advance();
    if (first !== undefined) settle(first, outcome);
    settings.onCapacity(slot);
  };

  const retryInFreshChild = (): void => {
    clearTimeout(deadline);
    killCurrent();
    advance();
  };

  const handleResult = (child: RunningChild, message: Extract<FromChild, { type: 'done' | 'failed' }>): void => {
    const completedBefore = child.completed;
    child.completed += 1;
    child.memoryBytes = message.memoryBytes;
    const mustRecycle = child.completed >= settings.recycleAfter || message.memoryBytes > settings.memoryMb * 1024 * 1024 * 0.7;
    if (message.type === 'done') finishFirst({ ok: true, result: message.result }, { keepChild: !mustRecycle });
    else {
      const { kind, message: text, unreadable } = message;
      const outOfMemory = kind === 'guard' && /memory/.test(text);
      if (outOfMemory && completedBefore > 0) retryInFreshChild();
      else finishFirst({ ok: false, kind, message: text, ...(unreadable && { unreadable }) }, { keepChild: !mustRecycle && !outOfMemory });
    }
  };

  const handleDeath = (child: RunningChild): void => {
    if (queue.length === 0) killCurrent();
    else if (child.ready && child.completed > 0) retryInFreshChild();
    else finishFirst(describeDeath(child, settings.memoryMb), { keepChild: false });
  };

  const removeFromQueue = (queued: QueuedRequest): void => {
    queue.splice(queue.indexOf(queued), 1);
    send({ type: 'cancel', id: queued.id });
    unsend(queued);
    queued.request.signal?.removeEventListener('abort', queued.abort);
  };

  const slot: PoolSlot = {
    enqueue(request) {
      if (closed || request.signal?.aborted) return request.resolve(stoppedOutcome);
      const queued: QueuedRequest = {
        id: nextId++,
        request,
        sent: false,
        release: () => {},
        abort() {
          if (queue[0] === queued) return finishFirst(stoppedOutcome, { keepChild: false });
          removeFromQueue(queued);
          request.resolve(stoppedOutcome);
          settings.onCapacity(slot);
        },
      };
      request.signal?.addEventListener('abort', queued.abort, { once: true });
      queue.push(queued);
      if (queue.length === 1) advance();
      else if (current !== undefined) sendQueue(current);
    },
    takeLast() {
      const last = queue.length > 1 ? queue.at(-1) : undefined;
      if (last !== undefined) removeFromQueue(last);
      return last?.request;
    },
    queueLength: () => queue.length,
    memoryBytes: () => current?.memoryBytes ?? 0,
    pid: () => current?.launched.readerPid(),
    library: () => {
      const last = queue.at(-1);
      return last === undefined ? current?.launched.library : libraryOf(last.request.job);
    },
    close() {
      closed = true;
      clearTimeout(deadline);
      killCurrent();
      for (const queued of queue.splice(0)) settle(queued, stoppedOutcome);
    },
  };
  return slot;
}

/** Why a process died on its first request. */
function describeDeath({ ready, launched }: RunningChild, memoryMb: number): TaskFailure {
  if (!ready) return { ok: false, kind: 'dependency', message: 'A reader process could not be started on this host.' };
  const stderr = launched.stderrTail();
  return isOutOfMemory(undefined, stderr) || /heap limit|heap out|Zone|OOM/i.test(stderr)
    ? { ok: false, kind: 'guard', message: `Reading the file needs more than ${memoryMb} MB of memory.` }
    : { ok: false, kind: 'corrupt', message: 'The file made its reader process crash.' };
}

function unsend(queued: QueuedRequest): void {
  queued.release();
  queued.release = () => {};
  queued.sent = false;
}

/**
 * Tools die with a process that has its own process ids, whose numbers mean nothing here. Elsewhere only a child of the process is believed
 * to be its tool, so that a compromised process cannot have others killed.
 */
function trackTool({ launched, toolGroups }: RunningChild, { pid, alive }: Extract<FromChild, { type: 'tool' }>): void {
  if (launched.ownProcesses) return;
  if (!alive) toolGroups.delete(pid);
  else if (parentOf(pid) === launched.process.pid) toolGroups.add(pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ')[1],
    );
  } catch {
    // The tool has ended already.
    return undefined;
  }
}

function kill(child: RunningChild): void {
  // Windows has no process groups.
  if (process.platform === 'win32') child.launched.process.kill('SIGKILL');
  for (const pid of [child.launched.process.pid, ...child.toolGroups]) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process group is gone already.
    }
  }
  child.toolGroups.clear();
  child.launched.removeScratch();
}
