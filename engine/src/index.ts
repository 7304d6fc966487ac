export { EngineError } from './errors.ts';
export { openReader } from './reader/reader.ts';
export { createIndex, swapIndex } from './store/create-and-swap.ts';
export { listShadows, removeShadow, shadowPath } from './store/directory.ts';
export { caseFold, parseSearchText, tokenize, typoBudget } from './text/index.ts';
export type * from './types.ts';
export { openWriter } from './writer/writer.ts';
