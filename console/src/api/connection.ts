import { useSyncExternalStore } from 'react';

/*
 * Whether the server can be reached.
 *   reachable   -> unreachable  a request got no response, or a gateway error
 *   unreachable -> reachable    the health check, repeated every five seconds, succeeds; pages then refetch their data
 */
type Connection = { unreachable: false } | { unreachable: true; nextTryAt: number };

const RETRY_MS = 5_000;
let state: Connection = { unreachable: false };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const onReturn = new Set<() => void>();

function set(next: Connection): void {
  state = next;
  for (const listener of listeners) listener();
}

async function checkHealth(): Promise<void> {
  try {
    const response = await fetch('/api/v1/health', { cache: 'no-store' });
    if (!response.ok) throw new Error('not ready');
    set({ unreachable: false });
    for (const run of onReturn) run();
  } catch {
    // Any failure means "still unreachable".
    schedule();
  }
}

function schedule(): void {
  clearTimeout(timer);
  set({ unreachable: true, nextTryAt: Date.now() + RETRY_MS });
  timer = setTimeout(checkHealth, RETRY_MS);
}

export function reportUnreachable(): void {
  if (!state.unreachable) schedule();
}

export function reportReachable(): void {
  if (!state.unreachable) return;
  clearTimeout(timer);
  set({ unreachable: false });
}

export function retryNow(): void {
  clearTimeout(timer);
  void checkHealth();
}

/** Calls `run` each time the server becomes reachable again; returns the unsubscribe function. */
export function onServerReturn(run: () => void): () => void {
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
