import { useSyncExternalStore } from 'react';

/*
 * Whether the server answers.
 *   here  -> away   a request found nobody (or a gateway said so)
 *   away  -> here   the health check, tried every five seconds, answers; waiting pages load again
 */
type Connection = { away: false } | { away: true; nextTryAt: number };

const RETRY_MS = 5_000;
let state: Connection = { away: false };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const onReturn = new Set<() => void>();

function set(next: Connection): void {
  state = next;
  for (const listener of listeners) listener();
}

async function knock(): Promise<void> {
  try {
    const answer = await fetch('/api/v1/health', { cache: 'no-store' });
    if (!answer.ok) throw new Error('not ready');
    set({ away: false });
    for (const again of onReturn) again();
  } catch {
    schedule();
  }
}

function schedule(): void {
  clearTimeout(timer);
  set({ away: true, nextTryAt: Date.now() + RETRY_MS });
  timer = setTimeout(knock, RETRY_MS);
}

export function reportAway(): void {
  if (!state.away) schedule();
}

export function reportHere(): void {
  if (!state.away) return;
  clearTimeout(timer);
  set({ away: false });
}

export function retryNow(): void {
  clearTimeout(timer);
  void knock();
}

/** Runs when the server answers again after it was away. */
export function whenServerReturns(run: () => void): () => void {
  onReturn.add(run);
  return () => onReturn.delete(run);
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => state,
  );
}
