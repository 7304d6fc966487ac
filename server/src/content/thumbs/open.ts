import path from 'node:path';
import { cachedFor } from '../../platform/cached-for.ts';
import { probeDisks } from '../../platform/disk.ts';
import type { Settings } from '../../settings/index.ts';
import { createThumbStore, type ThumbStore } from './store.ts';

export function openThumbStore({ configDir }: Settings): ThumbStore {
  return createThumbStore({ folder: path.join(configDir, 'thumbs') });
}

/** No thumbnail or page view is written while the disk of the config folder is critically full. */
export function mayWritePictures(settings: Settings): () => Promise<boolean> {
  const disk = cachedFor(5000, () => probeDisks(settings));
  return async () => !(await disk()).paths.some(({ label, status }) => label === 'config' && status === 'critical');
}
