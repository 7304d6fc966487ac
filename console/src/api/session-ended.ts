import { useSyncExternalStore } from 'react';

/*
 * Handles a session that ends during an edit.
 * The first 401 opens one sign-in dialog. Every request that gets a 401 waits for it and is then sent again,
 * so that unsaved input is saved after sign-in instead of lost.
 */
let waiting: { promise: Promise<boolean>; settle: (signedIn: boolean) => void } | null = null;
let active = false;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** While a session is active, a 401 means that it ended; otherwise that there never was one. */
export function setSessionActive(value: boolean): void {
  active = value;
}

/** Resolves to true once the user has signed in again, or to false if they leave. */
export function waitForSignIn(): Promise<boolean> {
  if (!active) return Promise.resolve(false);
  if (!waiting) {
    let settle: (signedIn: boolean) => void = () => {};
    const promise = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    waiting = { promise, settle };
    notify();
  }
  return waiting.promise;
}

export function finishSignIn(signedIn: boolean): void {
  const current = waiting;
  waiting = null;
  current?.settle(signedIn);
  notify();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => waiting !== null,
  );
}
