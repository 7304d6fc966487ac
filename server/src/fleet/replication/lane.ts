import { problem } from '../../platform/problem.ts';

/**
 * Limits how many batches one process applies at a time, first come, first served; one agent has at most one batch in it, so that no agent
 * displaces others. A full queue answers 503, and `slowDown` tells agents to pause before it is full.
 */
export interface Lane {
  run<T>(agentId: string, work: () => Promise<T>): Promise<T>;
  /** Seconds that an agent should wait before its next batch. */
  slowDown(): number;
}

export function createLane({ running: maxRunning = 4, waiting: maxWaiting = 200 } = {}): Lane {
  const queue: (() => void)[] = [];
  const agents = new Set<string>();
  let running = 0;
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    slowDown: () => (queue.length === 0 ? 0 : Math.min(30, Math.ceil(queue.length / (2 * maxRunning)))),
    async run(agentId, work) {
      if (agents.has(agentId) || queue.length >= maxWaiting) {
        const retryAfter = 1 + Math.round(Math.random() * (agents.has(agentId) ? 1 : 15));
        throw problem('replication_busy', undefined, { reason: 'busy', retryAfter });
      }
      agents.add(agentId);
      try {
        if (running >= maxRunning) await new Promise<void>((resolve) => queue.push(resolve));
        else running += 1;
        try {
          return await work();
        } finally {
          release();
        }
      } finally {
        agents.delete(agentId);
      }
    },
  };
}
