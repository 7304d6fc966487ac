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
  {
    name: 'names that differ only in case are known',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The names like %s in folder %s are not in the kept list, or are in it wrongly.', folded, folder_id) as sentence
          from (select folder_id, lower(filename) as folded from items where status = 'active' group by 1, 2 having count(*) > 1) a
          full join case_collisions c using (folder_id, folded)
          where (a.folder_id is null or c.folder_id is null) and not exists (select from name_changes n where n.folder_id = coalesce(a.folder_id, c.folder_id))`,
      ),
  },
  {
    name: 'the totals of tags agree with the files',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The tag %s of library %s counts %s files, but %s have it.', tag, library_id, coalesce(k.items, 0), coalesce(a.items, 0)) as sentence
          from (select library_id, tag, sum(items) as items, sum(bytes) as bytes from (select * from tag_totals union all select * from tag_changes) t group by 1, 2) k
          full join (select library_id, tag, count(*) as items, sum(size) as bytes from items cross join unnest(tags) tag
            where status = 'active' and tags <> '{}' group by 1, 2) a using (library_id, tag)
          where coalesce(k.items, 0) <> coalesce(a.items, 0) or coalesce(k.bytes, 0) <> coalesce(a.bytes, 0)`,
      ),
  },
];
