import { sql } from 'kysely';
import { changedMigrations } from '../platform/database/index.ts';
import type { Parts } from '../platform/parts.ts';
import { catalogChecks } from './catalog-checks.ts';
import { searchChecks } from './search.ts';

/** A check answers one sentence for each thing that does not hold. */
export interface Check {
  name: string;
  run(parts: Pick<Parts, 'db' | 'database' | 'settings'>): Promise<string[]>;
}

/** Every room's invariants; `catalog check` runs them all. */
export const checks: Check[] = [
  ...catalogChecks,
  ...searchChecks,
  {
    name: 'applied migrations are the ones of this program',
    run: async ({ database }) => (await changedMigrations(database.pool)).map((name) => `${name} was changed after it was applied.`),
  },
  {
    name: 'an administrator who can sign in exists once any account does',
    async run({ db }) {
      const { rows } = await sql<{
        people: number;
        admins: number;
      }>`select count(*) people, count(*) filter (where global_role = 'admin' and not disabled and password_hash is not null) admins from principals`.execute(
        db,
      );
      return rows[0]!.people > 0 && rows[0]!.admins === 0 ? ['No enabled administrator is left.'] : [];
    },
  },
];
