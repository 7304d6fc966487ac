import type { DatabaseAddress, Db } from '../../platform/database/index.ts';
import { type Listener, listen } from '../../platform/queue/index.ts';
import { type PresentedScan, presentScan } from './present.ts';
import { findRun, progressChannel } from './run-store.ts';

/** An event of a scan's stream: progress while it runs, then one done or error event. */
export type ScanEvent = { event: 'progress' | 'done' | 'error'; data: PresentedScan | { scan_id: string; detail: string } };

/** Subscribes to notifications of a channel and returns a function that unsubscribes. */
export type SubscribeToProgress = (channel: string, onNotify: (payload: string) => void) => () => void;

const pollMs = 5000;

/** Follows a run from any process, by notifications and by polling every five seconds in case one was lost. */
export async function* scanEvents(db: Db, runId: string, subscribe: SubscribeToProgress, signal: AbortSignal): AsyncGenerator<ScanEvent> {
  let wake: (() => void) | undefined;
  const wakeUp = (): void => wake?.();
  const unsubscribe = subscribe(progressChannel, (payload) => {
    if (payload === runId) wakeUp();
  });
  signal.addEventListener('abort', wakeUp);
  let last = '';
  try {
    while (!signal.aborted) {
      const notified = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const run = await findRun(db, runId);
      if (!run) {
        yield { event: 'error', data: { scan_id: runId, detail: 'The scan does not exist.' } };
        return;
      }
      const view = presentScan(run);
      if (run.status === 'failed') {
        yield { event: 'progress', data: view };
        yield { event: 'error', data: { scan_id: runId, detail: run.error ?? 'The scan failed.' } };
        return;
      }
      if (run.status === 'finished' || run.status === 'stopped') {
        yield { event: 'done', data: view };
        return;
      }
      const shown = JSON.stringify([view.status, view.phase, view.stalled, view.stats]);
      if (shown !== last) yield { event: 'progress', data: view };
      last = shown;
      const timer = setTimeout(wakeUp, pollMs);
      await notified;
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', wakeUp);
  }
}

/** One database connection that serves all open streams of a process; opened with the first and closed with the last. */
export function createProgressListener(address: DatabaseAddress): { subscribe: SubscribeToProgress; close(): Promise<void> } {
  const subscribers = new Set<(payload: string) => void>();
  let listener: Listener | undefined;
  const close = async (): Promise<void> => {
    const open = listener;
    listener = undefined;
    await open?.stop();
  };
  return {
    subscribe(_channel, onNotify) {
      subscribers.add(onNotify);
      listener ??= listen({
        address,
        name: 'catalog-scan-notices',
        channels: [progressChannel],
        onNotice: (_from, payload) => {
          for (const each of subscribers) each(payload);
        },
        // Notifications missed while disconnected are found by polling.
        onConnected: () => {},
      });
      return () => {
        subscribers.delete(onNotify);
        if (subscribers.size === 0) void close();
      };
    },
    close,
  };
}
