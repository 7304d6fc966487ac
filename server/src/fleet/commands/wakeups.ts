import type { DatabaseAddress } from '../../platform/database/index.ts';
import { type Listener, listen } from '../../platform/queue/index.ts';
import { commandChannel } from './store.ts';

/** Lets polls of agents wait for commands that any process adds. One database connection serves all polls of a process. */
export interface Wakeups {
  /** Calls `wake` whenever something may have changed for the agent. Returns a function that unsubscribes. */
  subscribe(agentId: string, wake: () => void): () => void;
  /** Ends all waiting polls, so that the service can stop. */
  close(): Promise<void>;
  readonly closed: boolean;
}

export function createWakeups(address: DatabaseAddress): Wakeups {
  const waiting = new Map<string, Set<() => void>>();
  let listener: Listener | undefined;
  let closed = false;
  const wake = (agentId: string): void => {
    for (const each of waiting.get(agentId) ?? []) each();
  };
  const wakeAll = (): void => {
    for (const agentId of waiting.keys()) wake(agentId);
  };
  return {
    get closed() {
      return closed;
    },
    subscribe(agentId, onWake) {
      const own = waiting.get(agentId) ?? new Set();
      own.add(onWake);
      waiting.set(agentId, own);
      listener ??= listen({
        address,
        name: 'catalog-agent-commands',
        channels: [commandChannel],
        onNotice: (_channel, agentId) => wake(agentId),
        // Notifications sent while disconnected are lost, so everyone looks once.
        onConnected: wakeAll,
      });
      return () => {
        own.delete(onWake);
        if (own.size === 0) waiting.delete(agentId);
      };
    },
    async close() {
      closed = true;
      wakeAll();
      const open = listener;
      listener = undefined;
      await open?.stop();
    },
  };
}
