export { annotated, pixels } from './facts.ts';
export { settleDuplicates } from './settle.ts';
