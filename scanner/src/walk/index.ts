export { cacheTagName, isTaggedCache } from './cache-tag.ts';
export type { Count, CountOptions } from './count-below.ts';
export { createFolderCounter, type FolderCounter } from './counter.ts';
export { type EntryFacts, emptyEntries, factsAt, fields, type Kind, kindAt, kinds, sizeAt } from './entries.ts';
export { type FileLayer, systemFiles } from './file-layer.ts';
export { compareBytes, diskPath, pathBytes, pathText, shownPath } from './path-text.ts';
export { fingerprint, type PrunedFolder, type WalkBatch, type WalkedFolder, type WalkOptions } from './walk.ts';
export { type StartWalk, walkInThread, walkOver } from './walker.ts';
