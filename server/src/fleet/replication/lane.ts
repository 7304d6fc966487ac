import { problem } from '../../platform/problem.ts';
import { createComeback } from '../agents/index.ts';

/**
 * Limits how many batches one process applies at a time, first come, first served; one agent has at most one batch in it, so that no agent
 * displaces others. A full queue answers 503, and `slowDown` tells agents to pause before it is full.
 */
export interface Lane {
  run<T>(agentId: string, work: () => Promise<T>): Promise<T>;
  /** Throws when the queue is full. */
  admit(): void;
  /** Seconds that an agent should wait before its next batch. */
  slowDown(): number;
}

const longestSeconds = 120;

export function createLane({ running: maxRunning = 4, waiting: maxWaiting = 200, comeback = createComeback(longestSeconds) } = {}): Lane {
  const queue: (() => void)[] = [];
  const agents = new Set<string>();
  let running = 0;
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };
  const refuse = (retryAfter: number): never => {
    throw problem('replication_busy', undefined, { reason: 'busy', retryAfter });
  };
  const admit = (): void => {
    if (queue.length >= maxWaiting) refuse(comeback.refused());
  };
  return {
    admit,
    slowDown: () => (queue.length === 0 ? 0 : Math.min(30, Math.ceil(queue.length / (2 * maxRunning)))),
    async run(agentId, work) {
      if (agents.has(agentId)) refuse(1 + Math.round(Math.random()));
      admit();
      agents.add(agentId);
      try {
        if (running >= maxRunning) await new Promise<void>((resolve) => queue.push(resolve));
        else running += 1;
        try {
          const result = await work();
          comeback.served();
          return result;
        } finally {
          release();
        }
      } finally {
        agents.delete(agentId);
      }
    },
  };
}
