export { evictLeastRecentlyUsed } from './collect.ts';
export { createThumbStore, mayWritePictures, openThumbStore, type ThumbStore, thumbKey } from './store.ts';
