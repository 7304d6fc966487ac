import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Happy DOM lacks a few things Mantine asks for at once.
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
// Newer browsers answer a scroll with a promise; an effect that hands it on breaks when it is cleaned up.
Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as undefined;
// Text fields that grow measure again when a font arrives.
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(cleanup);
