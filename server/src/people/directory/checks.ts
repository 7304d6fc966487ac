import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const directoryChecks: Check[] = [
  {
    name: 'objects of a directory that are not deleted belong to a directory that was read',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The directory ' || o.source_directory || ' was never read, but has objects.' sentence from directory_objects o
          where o.deleted_at is null and not exists (select 1 from directory_sources s where s.label = o.source_directory) group by o.source_directory`,
      ),
  },
];
