import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const permissionChecks: Check[] = [
  {
    name: 'access classes of items exist and belong to the folder of the item',
    run: ({ db }) =>
      findViolations(
        db,
        // A folder without a fingerprint is compared by the next scan, and so is everything below a noted folder. Folders of agents have none.
        sql`select 'The item ' || i.id || ' (' || i.rel_path || ') has an access class that does not fit its folder. Scan the library again.' sentence
          from items i join folders f on f.id = i.folder_id join libraries l on l.id = i.library_id left join access_classes c on c.id = i.access_class
          where i.access_class is not null and i.status = 'active' and (c.id is null or c.path_id is distinct from f.path_id)
            and case when l.source_agent_id is null then f.fingerprint is not null else f.path_id is not null end
            and not exists (select from access_pending p join folders top on top.id = p.folder_id where top.library_id = i.library_id)`,
      ),
  },
];
