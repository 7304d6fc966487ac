import type { MessagePort, Worker } from 'node:worker_threads';
import { EngineError, fromPlainError, type PlainError, toPlainError } from '../errors.ts';

/** Waits until a thread says that it is ready (call 0), or fails with what kept it from starting. */
export function startThread(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const hear = (message: { call: number; error?: PlainError }) => {
      if (message.call !== 0) return;
      worker.off('error', reject);
      worker.off('message', hear);
      if (message.error) worker.terminate().then(() => reject(fromPlainError(message.error!)), reject);
      else resolve();
    };
    worker.on('message', hear);
    worker.once('error', reject);
  });
}

/** Where a thread's code lies: always the built file (scripts/build-threads.mjs says why), from the sources and from another thread alike. */
export const threadFile = (name: string): URL => new URL(`../../dist/threads/${name}.js`, import.meta.url);

/**
 * Calls across a thread border. A call is posted with a number; the answer carries the same number. When the thread ends, whatever was
 * not answered fails with `closed`; when it fails, with its error.
 */
interface CallMessage {
  /** Null where nobody waits for an answer. */
  call: number | null;
  name: string;
  argument: unknown;
}

interface AnswerMessage {
  call: number;
  value?: unknown;
  error?: PlainError;
}

export interface Caller {
  /** What `transfer` names changes hands instead of being copied. */
  call<Answer>(name: string, argument?: unknown, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  /** Tells the thread something that a later call asks for; there is no answer. */
  tell(name: string, argument: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** Asks the thread to finish, then ends it. */
  close(): Promise<void>;
}

export function callsTo(worker: Worker): Caller {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 1;
  let ended: Error | null = null;
  let closing: Promise<void> | null = null;
  worker.on('message', (message: AnswerMessage) => {
    const caller = waiting.get(message.call);
    if (!caller) return;
    waiting.delete(message.call);
    if (waiting.size === 0) worker.unref();
    if (message.error) caller.reject(fromPlainError(message.error));
    else caller.resolve(message.value);
  });
  const end = (error: Error) => {
    ended ??= error;
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  };
  worker.on('error', (error) => end(new Error('The engine thread failed.', { cause: error })));
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
    call: <Answer>(name: string, argument?: unknown, transfer?: readonly ArrayBuffer[]) => {
      if (closing) return Promise.reject(new EngineError('closed', 'The index is closed.'));
      return post(name, argument, transfer) as Promise<Answer>;
    },
    tell(name, argument, transfer) {
      if (!ended && !closing) worker.postMessage({ call: null, name, argument } satisfies CallMessage, transfer);
    },
    close() {
      closing ??= (async () => {
        if (!ended) await post('close', undefined).catch(() => undefined);
        await worker.terminate();
      })();
      return closing;
    },
  };
}

export type Handlers = Record<string, (argument: never) => unknown>;

/** The other side: runs the named handler and posts its answer. */
export function answerCalls(port: MessagePort, handlers: Handlers): void {
  port.on('message', async ({ call, name, argument }: CallMessage) => {
    try {
      const value = await handlers[name]!(argument as never);
      if (call !== null) port.postMessage({ call, value } satisfies AnswerMessage);
    } catch (error) {
      if (call === null) throw error;
      port.postMessage({ call, error: toPlainError(error) } satisfies AnswerMessage);
    }
  });
}
