export { readEntry } from './entries.ts';
export { hasLists, localNumbers } from './local-numbers.ts';
export { findRoots } from './store.ts';
