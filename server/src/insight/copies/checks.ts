import { sql } from 'kysely';
import type { Check } from '../../platform/check.ts';
import type { Db } from '../../platform/database/index.ts';
import { annotated, pixels } from './facts.ts';

/** Groups with a waiting change may differ from the items; all others must agree. */
async function wrongGroups(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    with actual as (
      select coalesce(content_hash, 'q' || quick_hash || ':' || size) as key, duplicate_prefix(content_hash, quick_hash) as prefix, count(*) as copies,
        array_agg(distinct library_id) as libraries
      from items where status = 'active' and size > 0 and (content_hash is not null or quick_hash is not null) group by 1, 2 having count(*) > 1)
    select format('The duplicate group %s has %s copies in %s libraries, but there are %s in %s.', key, coalesce(g.copies, 0), coalesce(cardinality(g.libraries), 0),
      coalesce(a.copies, 0), coalesce(cardinality(a.libraries), 0)) as sentence
    from actual a full join duplicate_groups g using (key, prefix)
    where (a.copies, a.libraries) is distinct from (g.copies, g.libraries) and not exists (select from duplicate_changes c where c.prefix = coalesce(a.prefix, g.prefix)) limit 10`.execute(
    db,
  );
  return rows.map(({ sentence }) => sentence);
}

async function wrongMembers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select format('The kept facts of the duplicate file %s differ from the item.', i.id) as sentence from duplicate_members m join items i on i.id = m.item_id
    where (m.library_id, m.folder_id, m.filename, m.size, m.allocated, m.mtime_ns, m.dev, m.inode, m.nlink, m.annotated, m.pixels)
      is distinct from (i.library_id, i.folder_id, i.filename, i.size, i.allocated, i.mtime_ns, i.dev, i.inode, i.nlink, ${annotated}, ${pixels})
      and not exists (select from duplicate_changes c where c.prefix = m.prefix) limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}

export const duplicateChecks: Check[] = [
  { name: 'duplicate groups agree with the items', run: ({ db }) => wrongGroups(db) },
  { name: 'kept facts of duplicate files agree with the items', run: ({ db }) => wrongMembers(db) },
];
