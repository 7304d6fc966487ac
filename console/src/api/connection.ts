import { useSyncExternalStore } from 'react';

/*
 * Whether the server can be reached.
 *   reachable   -> unreachable  a request got no response, or a gateway error
 *   unreachable -> reachable    another request succeeded
 *   either      -> reachable    the health check, repeated every five seconds until it succeeds; pages then refetch their data
 */
type Connection = { unreachable: false } | { unreachable: true; nextTryAt: number };

const RETRY_MS = 5_000;
let state: Connection = { unreachable: false };
let timer: ReturnType<typeof setTimeout> | undefined;
let nextTryAt = 0;
const listeners = new Set<() => void>();
const onReturn = new Set<() => void>();

function set(next: Connection): void {
  state = next;
  for (const listener of listeners) listener();
}

async function checkHealth(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
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
  if (timer === undefined) {
    nextTryAt = Date.now() + RETRY_MS;
    timer = setTimeout(checkHealth, RETRY_MS);
  }
  set({ unreachable: true, nextTryAt });
}

export function reportUnreachable(): void {
  if (!state.unreachable) schedule();
}

/** The health check still follows: until it succeeds, pages do not refetch what failed. */
export function reportReachable(): void {
  if (state.unreachable) set({ unreachable: false });
}

export function retryNow(): void {
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
