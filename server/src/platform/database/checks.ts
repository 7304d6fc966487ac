import type { Check } from '../check.ts';
import { changedMigrations } from './migrate.ts';

export const migrationChecks: Check[] = [
  {
    name: 'the applied migrations are those of this version',
    run: async ({ database }) => (await changedMigrations(database.pool)).map((name) => `${name} was changed after it was applied.`),
  },
];
