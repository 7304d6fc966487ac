export { readEntry } from './entries.ts';
