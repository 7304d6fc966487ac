import { useEffect } from 'react';

/** Loads a part of the console a moment after the page stands, so that it is there when it is first asked for. */
export function useLoadSoon(load: () => Promise<unknown>): void {
  useEffect(() => {
    // A server that is away is told of elsewhere; the part is then loaded when it is opened.
    const timer = setTimeout(() => load().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, [load]);
}
