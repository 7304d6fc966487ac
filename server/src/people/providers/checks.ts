import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const providerChecks: Check[] = [
  {
    name: 'every account without a password can sign in with a provider',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The account ' || p.username || ' has neither a password nor an identity at a provider.' sentence from principals p
          where p.auth_provider <> 'local' and p.password_hash is null and not p.disabled
            and not exists (select 1 from identities i where i.principal_id = p.id)`,
      ),
  },
  {
    name: 'a session opened by a provider belongs to the account of its identity',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The session ' || s.id || ' belongs to another account than its identity.' sentence
          from sessions s join identities i on i.id = s.identity_id where i.principal_id <> s.principal_id`,
      ),
  },
];
