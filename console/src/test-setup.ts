import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// A busy machine may need longer than the usual second to draw a page.
configure({ asyncUtilTimeout: 10_000 });

// Happy DOM lacks some browser APIs that Mantine needs.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
    dispatchEvent: () => false,
  }) as MediaQueryList;
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
// Newer browsers return a promise here; an effect must not return it as its cleanup function.
Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as undefined;
// Autosizing text areas measure again when a font has loaded.
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(cleanup);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});
