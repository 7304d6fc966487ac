export { type Collected, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
export { mayWritePictures, openThumbStore } from './open.ts';
export { createThumbStore, type ThumbFile, type ThumbKeyParts, type ThumbStore, thumbKey, thumbTiers } from './store.ts';
