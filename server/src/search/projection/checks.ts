import type { Check } from '../../platform/check.ts';
import { openSearchReader } from '../engines/index.ts';
import { compareIndex } from './check-parity.ts';

export const indexChecks: Check[] = [
  {
    name: 'the search index matches the database, by id and content',
    async run({ db, settings }) {
      const reader = openSearchReader(settings);
      try {
        return await compareIndex(db, reader);
      } finally {
        await reader.close();
      }
    },
  },
];
