import type { DatabaseAddress } from '../../platform/database/index.ts';
import { type Listener, listen } from '../../platform/queue/index.ts';
import { progressChannel, type SubscribeToProgress } from './index.ts';

/** One listening connection for all open streams of a process; opened with the first and closed with the last. */
export function createProgressListener(address: DatabaseAddress): { subscribe: SubscribeToProgress; close(): Promise<void> } {
  const heard = new Set<(payload: string) => void>();
  let listener: Listener | undefined;
  const close = async (): Promise<void> => {
    const open = listener;
    listener = undefined;
    await open?.stop();
  };
  return {
    subscribe(_channel, notice) {
      heard.add(notice);
      listener ??= listen({
        address,
        name: 'catalog-scan-notices',
        channels: [progressChannel],
        onNotice: (_from, payload) => {
          for (const each of heard) each(payload);
        },
        // What was missed while the connection was away is found by the streams' own looking.
        onConnected: () => {},
      });
      return () => {
        heard.delete(notice);
        if (heard.size === 0) void close();
      };
    },
    close,
  };
}
