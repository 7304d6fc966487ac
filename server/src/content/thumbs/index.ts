export { type RemovedThumbs as Collected, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
export { mayWritePictures, openThumbStore } from './open.ts';
export { createThumbStore, type ThumbFile, type ThumbKeyInput as ThumbKeyParts, type ThumbStore, thumbKey, thumbTiers } from './store.ts';
