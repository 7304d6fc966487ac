import { type Embedder, EmbedderUnavailable } from './port.ts';

/** Used while search by meaning is off: nothing is loaded and nothing is sent. */
export function createNoEmbedder(): Embedder {
  const off = (): Promise<never> =>
    Promise.reject(new EmbedderUnavailable('Search by meaning is off. Set SVC_SEMANTIC_ENABLED to true for app and worker, and restart.'));
  return { model: off, embed: off, close: async () => {} };
}
