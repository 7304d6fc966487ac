import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const scheduleChecks: Check[] = [
  {
    name: 'runs of report schedules have an end exactly when they have ended',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The run %s of a report schedule is %s, but its end is %s.', id, state, coalesce(finished_at::text, 'missing')) as sentence
          from schedule_runs where (state in ('queued', 'exporting', 'delivering')) <> (finished_at is null)`,
      ),
  },
];
