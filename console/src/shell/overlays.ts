import { useSyncExternalStore } from 'react';

/** The console-wide overlay that is open; at most one. */
export type Overlay = 'palette' | 'keys' | 'explain' | null;

let open: Overlay = null;
const listeners = new Set<() => void>();

function setOverlay(next: Overlay): void {
  open = next;
  for (const listener of listeners) listener();
}

export const closeOverlay = (): void => setOverlay(null);
export const openPalette = (): void => setOverlay('palette');
export const openKeyHelp = (): void => setOverlay('keys');
export const openExplain = (): void => setOverlay('explain');

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => open,
  );
}
