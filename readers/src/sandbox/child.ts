/**
 * The child process. It reads one file at a time, in the order it is told of them, answers each, and waits. It has no network (where the host allows that), a
 * ceiling on its memory, no settings and no secrets in its environment. When the parent goes away it stops its tools and ends.
 */
import { ExtractError } from '../contract.ts';
import { killAllTools, setProcessGroupListener } from '../input/external-tool.ts';
import { describeFailure } from './failure.ts';
import type { FromChild, SandboxTask, ToChild } from './protocol.ts';

const tasks = new Map<string, SandboxTask>();

function tell(message: FromChild): void {
  process.send?.(message);
}

async function loadTask(name: string, module: string): Promise<SandboxTask> {
  let task = tasks.get(name);
  if (task === undefined) {
    try {
      task = ((await import(module)) as { default: SandboxTask }).default;
    } catch {
      // A program that is not whole says nothing about the file.
      throw new ExtractError('dependency', 'A part of the program this file needs cannot be loaded.');
    }
    tasks.set(name, task);
  }
  return task;
}

async function work(message: Extract<ToChild, { type: 'read' }>): Promise<void> {
  try {
    const task = await loadTask(message.task, message.module);
    const result = await task(message.job, message.options);
    tell({ type: 'done', id: message.id, result, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { kind, message: text, unreadable } = describeFailure(error, message.job.path);
    tell({
      type: 'failed',
      id: message.id,
      kind,
      message: text,
      ...(unreadable && { unreadable }),
      memoryBytes: process.memoryUsage.rss(),
    });
  }
}

// Nothing here ever asks the network, with or without the fence around it.
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);

setProcessGroupListener((pid, alive) => tell({ type: 'group', pid, alive }));
const waiting = new Set<number>();
let line = Promise.resolve();
process.on('message', (message: ToChild) => {
  if (message.type === 'forget') return void waiting.delete(message.id);
  waiting.add(message.id);
  line = line.then(() => (waiting.delete(message.id) ? work(message) : undefined));
});
process.on('disconnect', () => {
  killAllTools();
  process.exit(0);
});
// A library that rejects a promise nobody awaits must not decide the fate of the file being read; the deadline still does.
process.on('unhandledRejection', () => {});
// An exception outside any promise leaves the process in an unknown state: end it, and the parent calls the file corrupt.
process.on('uncaughtException', (error) => {
  process.stderr.write(String(error instanceof Error ? error.message : error).slice(0, 500));
  killAllTools();
  process.exit(70);
});
tell({ type: 'ready' });
