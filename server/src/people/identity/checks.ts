import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const identityChecks: Check[] = [
  {
    name: 'an administrator who can sign in exists once any account does',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'No enabled administrator is left.' sentence from principals
          having count(*) > 0 and count(*) filter (where global_role = 'admin' and not disabled and password_hash is not null) = 0`,
      ),
  },
];
