import { useSyncExternalStore } from 'react';

/** Display preferences stored in this browser. Must never contain anything about files. */
interface Preferences {
  letterKeys: boolean;
  inspectorWidth: number;
  inspectorOpen: boolean;
  /** The page that opens when the address names none. */
  startPage: 'search' | 'home';
}

const KEY = 'catalog.preferences';
const DEFAULTS: Preferences = { letterKeys: true, inspectorWidth: 376, inspectorOpen: true, startPage: 'search' };
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    // Storage is disabled or holds invalid JSON.
    return DEFAULTS;
  }
}

let current = read();

export const preferences = (): Preferences => current;

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  current = { ...current, [key]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is disabled: the preference lasts until the page closes.
  }
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => current,
  );
}
