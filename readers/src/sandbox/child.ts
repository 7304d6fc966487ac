/**
 * Entry point of the child process. It runs one request at a time and sends a result for each. It has no network (where the host allows
 * that), a memory limit, and no settings or secrets in its environment. When the parent disconnects it kills its tools and exits.
 */
import { ExtractError } from '../contract.ts';
import { killAllTools, setProcessGroupListener } from '../input/external-tool.ts';
import { describeFailure } from './failure.ts';
import type { FromChild, SandboxTask, ToChild } from './protocol.ts';

const tasks = new Map<string, SandboxTask>();

function send(message: FromChild): void {
  process.send?.(message);
}

async function loadTask(name: string, module: string): Promise<SandboxTask> {
  let task = tasks.get(name);
  if (task === undefined) {
    try {
      task = ((await import(module)) as { default: SandboxTask }).default;
    } catch {
      // An incomplete installation is not the file's fault.
      throw new ExtractError('dependency', 'A part of the program this file needs cannot be loaded.');
    }
    tasks.set(name, task);
  }
  return task;
}

async function runRequest(request: Extract<ToChild, { type: 'run' }>): Promise<void> {
  try {
    const task = await loadTask(request.task, request.module);
    const result = await task(request.job, request.options);
    send({ type: 'done', id: request.id, result, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { kind, message, unreadable } = describeFailure(error, request.job.path);
    send({ type: 'failed', id: request.id, kind, message, ...(unreadable && { unreadable }), memoryBytes: process.memoryUsage.rss() });
  }
}

// No code in the child may use the network, even where the host offers no network namespace.
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);

setProcessGroupListener((pid, alive) => send({ type: 'tool', pid, alive }));
const pending = new Set<number>();
let lastRequest = Promise.resolve();
process.on('message', (message: ToChild) => {
  if (message.type === 'cancel') return void pending.delete(message.id);
  pending.add(message.id);
  lastRequest = lastRequest.then(() => (pending.delete(message.id) ? runRequest(message) : undefined));
});
process.on('disconnect', () => {
  killAllTools();
  process.exit(0);
});
// A promise that a library rejects without awaiting it must not fail the current file; if the file hangs, its deadline ends it.
process.on('unhandledRejection', () => {});
// After an exception outside any promise the state is unknown: exit, and the parent reports the file as corrupt.
process.on('uncaughtException', (error) => {
  process.stderr.write(String(error instanceof Error ? error.message : error).slice(0, 500));
  killAllTools();
  process.exit(70);
});
send({ type: 'ready' });
