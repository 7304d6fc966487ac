import { useSyncExternalStore } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';

/*
 * The whole state is in the hash: #/search?q=harbour. The server never sees search terms in URLs,
 * and a link copied from the address bar restores the page.
 */
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('hashchange', notify);
    addEventListener('popstate', notify);
  }
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
    if (listeners.size === 0) {
      removeEventListener('hashchange', notify);
      removeEventListener('popstate', notify);
    }
  };
}

export function currentPath(): string {
  const path = location.hash.replace(/^#/, '').split('?')[0] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}

export function currentSearch(): string {
  const cut = location.hash.indexOf('?');
  return cut < 0 ? '' : location.hash.slice(cut + 1);
}

/** Navigates to a path with parameters, e.g. "/browse/7?path=2023". */
export function navigate(to: string, options: { replace?: boolean; state?: unknown } = {}): void {
  const url = `#${to.startsWith('/') ? to : `/${to}`}`;
  if (options.replace) history.replaceState(options.state ?? null, '', url);
  else history.pushState(options.state ?? null, '', url);
  notify();
}

export const useHashLocation: BaseLocationHook = () => [useSyncExternalStore(subscribe, currentPath), navigate];
export const useHashSearch: BaseSearchHook = () => useSyncExternalStore(subscribe, currentSearch);
