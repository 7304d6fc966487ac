import path from 'node:path';
import type { Settings } from '../../settings/index.ts';

/** The cache folder of page views and turntables. */
export const viewsFolder = ({ configDir }: Settings): string => path.join(configDir, 'views');
