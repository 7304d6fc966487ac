import type { Db } from '../../platform/database/index.ts';
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
