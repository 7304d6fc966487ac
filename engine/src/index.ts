import { createDirectory } from './store/directory.ts';
import type { Schema } from './types.ts';

export { EngineError } from './errors.ts';
export { mergeByScore } from './query/merge-by-score.ts';
export { openReader } from './reader/reader.ts';
export { listShadows, removeShadow, shadowOf, swapIndex } from './store/shadows.ts';
export type * from './types.ts';
export { openWriter } from './writer/writer.ts';

/** Makes an empty index. The directory is created; one that holds anything else is refused. */
export async function createIndex(directory: string, schema: Schema): Promise<void> {
  createDirectory(directory, schema);
}
