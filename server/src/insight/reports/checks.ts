import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const reportChecks: Check[] = [
  {
    name: 'the growth of a library adds up to what it holds',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The growth of library %s in %s adds up to %s files, but it holds %s.', library_id, file_category, coalesce(g.items, 0), coalesce(k.items, 0)) sentence
          from (select library_id, file_category, sum(items) as items, sum(bytes) as bytes from growth_days group by 1, 2) g
          full join (select library_id, file_category, sum(items) as items, sum(bytes) as bytes from item_counts where status = 'active' group by 1, 2) k using (library_id, file_category)
          where coalesce(g.items, 0) <> coalesce(k.items, 0) or coalesce(g.bytes, 0) <> coalesce(k.bytes, 0)`,
      ),
  },
];
