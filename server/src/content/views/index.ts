import path from 'node:path';
import type { ItemRow } from '../../catalog/items/index.ts';
import type { Actor } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';

/** The cache folder of page views and turntables. */
export const viewsFolder = ({ configDir }: Settings): string => path.join(configDir, 'views');

/** Fetches the file of an item on another machine. `folder` is all that a reader of it may see; the copy stays for some hours. */
export type RemoteCopy = (item: ItemRow, actor: Actor) => Promise<{ path: string; folder: string; size: number }>;
