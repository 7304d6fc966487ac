import type { Db, DatabaseAddress } from '../../platform/database/index.ts';
import { type Listener, listen } from '../../platform/queue/index.ts';
import { presentScan, type PresentedScan } from './present.ts';
import { findRun, progressChannel } from './run-store.ts';

/** One event of a scan's stream: progress while it runs, then done or error, then nothing. */
export type ScanEvent = { event: 'progress' | 'done' | 'error'; data: PresentedScan | { scan_id: string; detail: string } };

/** Tells when a channel was notified; answers a function that ends the subscription. Any process can have one. */
export type SubscribeToProgress = (channel: string, notice: (payload: string) => void) => () => void;

const pollMs = 5000;

/** Follows a run from any process: by notice when it moves, and by looking every five seconds in case a notice was lost. */
export async function* scanEvents(db: Db, runId: string, subscribe: SubscribeToProgress, signal: AbortSignal): AsyncGenerator<ScanEvent> {
  let wake: (() => void) | undefined;
  const ring = (): void => wake?.();
  const unsubscribe = subscribe(progressChannel, (payload) => {
    if (payload === runId) ring();
  });
  signal.addEventListener('abort', ring);
  let last = '';
  try {
    while (!signal.aborted) {
      const moved = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const run = await findRun(db, runId);
      if (!run) {
        yield { event: 'error', data: { scan_id: runId, detail: 'There is no such scan.' } };
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
      const timer = setTimeout(ring, pollMs);
      await moved;
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', ring);
  }
}

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
