import type { Check } from '../../platform/check.ts';
import { unfinishedRestore } from './unfinished.ts';

export const backupChecks: Check[] = [
  {
    name: 'the last restore is complete',
    run: async ({ db }) => {
      const sentence = await unfinishedRestore(db);
      return sentence === null ? [] : [sentence];
    },
  },
];
