export { type RemovedThumbs, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
export { mayWritePictures, openThumbStore } from './store.ts';
export { createThumbStore, type ThumbFile, type ThumbKeyInput, type ThumbStore, thumbKey, thumbTiers } from './store.ts';
