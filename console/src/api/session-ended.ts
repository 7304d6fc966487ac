import { useSyncExternalStore } from 'react';

/*
 * A session that ends in the middle of an edit.
 * The first 401 opens one question; every request that meets a 401 waits for its answer and is then sent again,
 * so that the note a person just typed is saved after they sign in, not lost.
 */
let waiting: { promise: Promise<boolean>; settle: (signedIn: boolean) => void } | null = null;
let active = false;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** From now on a 401 means "signed out", not "never signed in". */
export function setSessionActive(on: boolean): void {
  active = on;
}

/** Resolves to true when the person signed in again. */
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
