import { type MessagePort, parentPort, type Worker } from 'node:worker_threads';
import { deserializeError, EngineError, type SerializedError, serializeError } from '../errors.ts';

/** Resolves when a thread reports that it is ready (call 0); rejects when it fails to start. */
export function waitUntilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: { call: number; error?: SerializedError }) => {
      if (message.call !== 0) return;
      worker.off('error', reject);
      worker.off('message', onMessage);
      const { error } = message;
      if (error) worker.terminate().then(() => reject(deserializeError(error)), reject);
      else resolve();
    };
    worker.on('message', onMessage);
    worker.once('error', reject);
  });
}

/** Returns the built file of a thread. scripts/build-threads.mjs explains why the sources cannot be used. */
export const threadFile = (name: string): URL => new URL(`../../dist/threads/${name}.js`, import.meta.url);

/** Numbered calls to a thread and their replies. Open calls fail with `closed` when the thread ends or crashes. */
interface CallMessage {
  /** Null when no reply is expected. */
  call: number | null;
  name: string;
  argument: unknown;
}

interface ReplyMessage {
  call: number;
  value?: unknown;
  error?: SerializedError;
}

export interface Caller {
  /** Buffers in `transfer` are moved instead of copied. */
  call<Result>(name: string, argument?: unknown, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Sends a message without a reply. */
  send(name: string, argument: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** Lets the thread finish its work, then ends it. */
  close(): Promise<void>;
}

export function createCaller(worker: Worker): Caller {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 1;
  let ended: Error | null = null;
  let closing: Promise<void> | null = null;
  worker.on('message', (message: ReplyMessage) => {
    const caller = waiting.get(message.call);
    if (!caller) return;
    waiting.delete(message.call);
    if (waiting.size === 0) worker.unref();
    if (message.error) caller.reject(deserializeError(message.error));
    else caller.resolve(message.value);
  });
  const end = (error: Error) => {
    ended ??= error;
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  };
  worker.on('error', (error: Error) => end(new EngineError('closed', `A thread of the index failed: ${error.message}`, { cause: error })));
  worker.on('exit', () => end(new EngineError('closed', 'The index is closed.')));
  worker.unref();

  const post = (name: string, argument: unknown, transfer: readonly ArrayBuffer[] = []) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended) return reject(ended);
      const call = next++;
      worker.postMessage({ call, name, argument } satisfies CallMessage, transfer);
      waiting.set(call, { resolve, reject });
      worker.ref();
    });
  return {
    call: <Result>(name: string, argument?: unknown, transfer?: readonly ArrayBuffer[]) => {
      if (closing) return Promise.reject(new EngineError('closed', 'The index is closed.'));
      return post(name, argument, transfer) as Promise<Result>;
    },
    send(name, argument, transfer) {
      if (!ended && !closing) worker.postMessage({ call: null, name, argument } satisfies CallMessage, transfer);
    },
    close() {
      closing ??= (async () => {
        // The thread is terminated in any case, so a failure to finish changes nothing.
        if (!ended) await post('close', undefined).catch(() => undefined);
        await worker.terminate();
      })();
      return closing;
    },
  };
}

/** Returns the port to the thread that started this one. */
export function threadPort(): MessagePort {
  if (parentPort === null) throw new Error('This module must run in a worker thread.');
  return parentPort;
}

type Handlers = Record<string, (argument: never) => unknown>;

/** The thread's side: runs the named handler and posts its result. */
export function serveCalls(port: MessagePort, handlers: Handlers): void {
  port.on('message', async ({ call, name, argument }: CallMessage) => {
    try {
      const handler = handlers[name] as ((argument: unknown) => unknown) | undefined;
      if (!handler) throw new Error(`The thread has no call "${name}".`);
      const value = await handler(argument);
      if (call !== null) port.postMessage({ call, value } satisfies ReplyMessage);
    } catch (error) {
      if (call === null) throw error;
      port.postMessage({ call, error: serializeError(error) } satisfies ReplyMessage);
    }
  });
}
