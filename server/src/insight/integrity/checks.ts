import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const integrityChecks: Check[] = [
  {
    name: 'integrity events have two different hashes and a state',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The integrity event %s about %s has equal hashes or a wrong time of closing.', id, rel_path) as sentence
          from integrity_events where expected_hash = found_hash or (state = 'open') <> (closed_at is null)`,
      ),
  },
];
