import { useSyncExternalStore } from 'react';

/*
 * Whether somebody races through a list. Pictures that pass too fast to be seen are neither asked for nor decoded, for a browser
 * does not show the next frame before every small picture in it is decoded.
 * calm → racing: a step faster than a screen and a half in a second. racing → calm: nothing moved for a moment, or steps became slow again.
 */
const SCREENS_A_SECOND = 1.5;
const REST_MS = 120;

export interface ScrollSpeed {
  scrolled: (scrollTop: number, screen: number) => void;
  stopped: () => void;
  isFast: () => boolean;
  subscribe: (heard: () => void) => () => void;
}

export function createScrollSpeed(now: () => number = () => performance.now()): ScrollSpeed {
  const listeners = new Set<() => void>();
  let racing = false;
  let last = { at: 0, top: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (next: boolean) => {
    if (racing === next) return;
    racing = next;
    for (const heard of listeners) heard();
  };
  return {
    scrolled(scrollTop, screen) {
      const at = now();
      // Two steps in one frame are one; after a pause a step is judged as if it had taken a moment.
      const seconds = Math.min(REST_MS, Math.max(8, at - last.at)) / 1000;
      set(Math.abs(scrollTop - last.top) / seconds > screen * SCREENS_A_SECOND);
      last = { at, top: scrollTop };
      clearTimeout(timer);
      timer = setTimeout(() => set(false), REST_MS);
    },
    stopped() {
      clearTimeout(timer);
      set(false);
    },
    isFast: () => racing,
    subscribe: (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

/** One list is scrolled at a time. */
export const scrollSpeed = createScrollSpeed();
const never = () => () => {};
const calm = () => false;

/** True while the list races past; never for what does not lie in a list. */
export const useFastScroll = (inList: boolean): boolean =>
  useSyncExternalStore(inList ? scrollSpeed.subscribe : never, inList ? scrollSpeed.isFast : calm);
