import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const scanChecks: Check[] = [
  {
    name: 'a library has at most one open scan',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The library ' || library_id || ' has ' || count(*) || ' open scans.' sentence
          from scan_runs where status in ('running', 'stopping') group by library_id having count(*) > 1`,
      ),
  },
  {
    name: 'a scan has an end time exactly when it has ended',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The scan ' || id || ' is ' || status || case when finished_at is null then ' but has no end time.' else ' but has an end time.' end sentence
          from scan_runs where (status in ('running', 'stopping')) <> (finished_at is null)`,
      ),
  },
];
