export { EngineError } from './errors.ts';
export { mergeByScore } from './query/merge-by-score.ts';
export { openReader } from './reader/reader.ts';
export { createIndex, swapIndex } from './store/create-and-swap.ts';
export { listShadows, removeShadow, shadowOf } from './store/shadows.ts';
export type * from './types.ts';
export { openWriter } from './writer/writer.ts';
