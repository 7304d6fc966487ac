import type { Parts } from '../platform/parts.ts';

export interface AssembledWorker {
  start(): Promise<void>;
  stop(graceSeconds: number): Promise<void>;
}

export async function assembleWorker(_parts: Parts): Promise<AssembledWorker> {
  return { start: async () => {}, stop: async () => {} };
}
