export { settleDuplicates } from './settle.ts';
