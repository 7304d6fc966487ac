import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { withPrefix } from '../families.ts';
import { type Embedder, EmbedderUnavailable, type EmbeddingModel } from '../port.ts';

interface LocalOptions {
  /** The name decides about prefixes and pooling. */
  name: string;
  /** Resolves to the folder with the files of the model; throws EmbedderUnavailable while there is none. */
  folder(): Promise<string>;
  threads: number;
  /** For work in the background, which must not slow down anything else. */
  lowPriority: boolean;
}

interface Waiting {
  text: string;
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

type Reply = { call: 0; dimension: number; revision: string; runtime: string } | { call: number; vector?: Float32Array; error?: string };

const threadFile = new URL('../../../../dist/threads/embed-thread.js', import.meta.url);

/** A model in threads of this process. The threads start with the first call, and again after a failure. */
export function createLocalEmbedder({ name, folder, threads, lowPriority }: LocalOptions): Embedder {
  let loading: Promise<EmbeddingModel> | null = null;
  let workers: Worker[] = [];
  let closed = false;
  const queue: Waiting[] = [];
  const idle: Worker[] = [];
  const busy = new Map<Worker, Waiting>();

  const dispatch = (): void => {
    while (queue.length > 0 && idle.length > 0) {
      const worker = idle.pop() as Worker;
      const next = queue.shift() as Waiting;
      busy.set(worker, next);
      worker.ref();
      worker.postMessage({ call: 1, text: next.text });
    }
  };

  const stop = async (reason: Error): Promise<void> => {
    loading = null;
    const ending = workers;
    workers = [];
    idle.length = 0;
    for (const { reject } of [...busy.values(), ...queue.splice(0)]) reject(reason);
    busy.clear();
    await Promise.all(ending.map((worker) => worker.terminate()));
  };

  const start = (modelFolder: string): Promise<EmbeddingModel> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(threadFile, { workerData: { folder: modelFolder, name, lowPriority } });
      workers.push(worker);
      const fail = (error: Error): void => {
        const unavailable = new EmbedderUnavailable(`The embedding model in ${modelFolder} cannot be used: ${error.message}`, {
          cause: error,
        });
        reject(unavailable);
        // A thread of an earlier attempt must not end the threads of this one.
        if (workers.includes(worker)) void stop(unavailable);
      };
      worker.on('error', fail);
      worker.on('exit', () => fail(new Error('its thread ended')));
      worker.on('message', (reply: Reply) => {
        if ('dimension' in reply) {
          resolve(describeModel(name, reply));
        } else {
          const waiting = busy.get(worker);
          busy.delete(worker);
          if (reply.vector) waiting?.resolve(reply.vector);
          else waiting?.reject(new Error(reply.error));
        }
        idle.push(worker);
        worker.unref();
        dispatch();
      });
    });

  const load = async (): Promise<EmbeddingModel> => {
    const modelFolder = await folder();
    const models = await Promise.all(Array.from({ length: threads }, () => start(modelFolder)));
    return models[0] as EmbeddingModel;
  };

  const requireModel = (): Promise<EmbeddingModel> => {
    if (closed) return Promise.reject(new EmbedderUnavailable('The embedder is closed.'));
    if (!loading) {
      const current = load();
      loading = current;
      // The failure is reported to the caller; the next call loads again.
      current.catch(() => {
        if (loading === current) loading = null;
      });
    }
    return loading;
  };

  return {
    model: requireModel,
    async embed(texts, as, signal) {
      signal?.throwIfAborted();
      await requireModel();
      signal?.throwIfAborted();
      const own = new Set<Waiting>();
      const abort = (): void => {
        queue.splice(0, queue.length, ...queue.filter((each) => !own.has(each)));
        for (const { reject } of own) reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const add = (text: string): Promise<Float32Array> =>
        new Promise((resolve, reject) => {
          const waiting = { text: withPrefix(name, text, as), resolve, reject };
          own.add(waiting);
          queue.push(waiting);
        });
      try {
        const vectors = Promise.all(texts.map(add));
        dispatch();
        return await vectors;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async close() {
      closed = true;
      await stop(new EmbedderUnavailable('The embedder is closed.'));
    },
  };
}

function describeModel(name: string, { dimension, revision, runtime }: Extract<Reply, { dimension: number }>): EmbeddingModel {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(['local', name, revision, dimension]))
    .digest('hex')
    .slice(0, 32);
  return { name, revision, dimension, runtime, fingerprint };
}
