import path from 'node:path';
import type { Settings } from '../../settings/index.ts';

/** Page views and turntables are drawn on demand and cached here. */
export const viewsFolder = ({ configDir }: Settings): string => path.join(configDir, 'views');
