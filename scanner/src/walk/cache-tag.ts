import type { WalkFileSystem } from './file-layer.ts';

/** The first bytes of a tag file by which programs mark a folder as a cache that need not be kept. */
const signature = 'Signature: 8a477f597d28d172789f06886806bc55';
export const cacheTagName = 'CACHEDIR.TAG';

/** Is this folder, which holds a file of the tag's name, marked as a cache? A tag that cannot be read marks nothing. */
export function isTaggedCache(folder: string, files: Pick<WalkFileSystem, 'readHead'>): boolean {
  try {
    return files.readHead(`${folder}/${cacheTagName}`, signature.length).toString('latin1') === signature;
  } catch {
    return false;
  }
}
