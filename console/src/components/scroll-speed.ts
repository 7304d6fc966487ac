import { useSyncExternalStore } from 'react';

/*
 * Whether a list is being scrolled too fast to see its thumbnails. They are then neither requested nor decoded, because the browser
 * paints a frame only after all of its small images are decoded.
 * slow → fast: a scroll step above 1.5 screens per second. fast → slow: no scrolling for REST_MS, or slower steps.
 */
const FAST_SCREENS_PER_SECOND = 1.5;
const REST_MS = 120;
/** After this pause, the user is not scrolling by several turns of the wheel. */
const RESTING_MS = 500;

interface ScrollSpeed {
  scrolled: (scrollTop: number, screen: number) => void;
  stopped: () => void;
  isFast: () => boolean;
  /** Nothing was scrolled for RESTING_MS. */
  isResting: () => boolean;
  subscribe: (listener: () => void) => () => void;
}

export function createScrollSpeed(now: () => number = () => performance.now()): ScrollSpeed {
  const listeners = new Set<() => void>();
  let fast = false;
  let last = { at: Number.NEGATIVE_INFINITY, top: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (next: boolean) => {
    if (fast === next) return;
    fast = next;
    for (const listener of listeners) listener();
  };
  return {
    scrolled(scrollTop, screen) {
      const at = now();
      // Bounded so that two steps in one frame, or a step after a pause, do not distort the speed.
      const seconds = Math.min(REST_MS, Math.max(8, at - last.at)) / 1000;
      set(Math.abs(scrollTop - last.top) / seconds > screen * FAST_SCREENS_PER_SECOND);
      last = { at, top: scrollTop };
      clearTimeout(timer);
      timer = setTimeout(() => set(false), REST_MS);
    },
    stopped() {
      clearTimeout(timer);
      set(false);
    },
    isFast: () => fast,
    isResting: () => !fast && now() - last.at >= RESTING_MS,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Shared, because only one list is scrolled at a time. */
export const scrollSpeed = createScrollSpeed();
const never = () => () => {};
const notFast = () => false;

/** True while the list is scrolled fast; always false outside a list. */
export const useFastScroll = (inList: boolean): boolean =>
  useSyncExternalStore(inList ? scrollSpeed.subscribe : never, inList ? scrollSpeed.isFast : notFast);
