export { type Collected, collectGarbage, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
export { createThumbStore, type ThumbFile, type ThumbKeyParts, type ThumbStore, thumbKey, thumbTiers } from './store.ts';
