import { sql } from 'kysely';
import { customFields } from '../../catalog/custom-fields/index.ts';
import { loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { hasValues, isValues } from '../language/index.ts';

/** The filter keys as the query builder shows them. */
const keys = [
  { key: 'kind', label: 'Category', type: 'choice', example: 'kind:image' },
  { key: 'group', label: 'Group', type: 'choice', example: 'group:raw-photo' },
  { key: 'ext', label: 'Extension', type: 'text', example: 'ext:pdf;docx' },
  { key: 'path', label: 'Folder', type: 'text', example: 'path:2023/bergen' },
  { key: 'tag', label: 'Tag', type: 'text', example: 'tag:print' },
  { key: 'hash', label: 'Hash prefix', type: 'text', example: 'hash:9f3ac41e' },
  { key: 'size', label: 'Size', type: 'size', example: 'size:>1g' },
  { key: 'modified', label: 'Modified', type: 'time', example: 'modified:<30d' },
  { key: 'created', label: 'First seen', type: 'time', example: 'created:>2024-01-01' },
  { key: 'taken', label: 'Taken', type: 'time', example: 'taken:2023-06' },
  { key: 'camera', label: 'Camera', type: 'text', example: 'camera:"Nikon Z6"' },
  { key: 'year', label: 'Year', type: 'number', example: 'year:2020..2022' },
  { key: 'is', label: 'Status', type: 'choice', example: 'is:missing' },
  { key: 'has', label: 'Has', type: 'choice', example: 'has:error' },
  { key: 'owner', label: 'Owner of the file', type: 'text', example: 'owner:ada' },
  { key: 'readable-by', label: 'Readable by', type: 'text', example: 'readable-by:everyone' },
  { key: 'writable-by', label: 'Writable by', type: 'text', example: 'writable-by:staff' },
  { key: 'perm-changed', label: 'Permissions changed', type: 'time', example: 'perm-changed:<30d' },
  { key: 'library', label: 'Library', type: 'text', example: 'library:Photos' },
];
/** Fact names are collected from this many of the newest items. */
const sampled = 3000;

export async function queryKeys(db: Db, visibility: Visibility) {
  const { rows } = await sql<{ key: string; data_type: string; file_categories: string[] }>`select f.key,
      case when bool_and(jsonb_typeof(f.value) = 'number') then 'number' when bool_and(jsonb_typeof(f.value) = 'boolean') then 'boolean' else 'string' end as data_type,
      array_agg(distinct s.file_category order by s.file_category) as file_categories
    from (select i.metadata, i.file_category from items i where i.status = 'active' and ${visibility.whereItem('i')} order by i.id desc limit ${sampled}) s
      cross join lateral jsonb_each(case when jsonb_typeof(s.metadata) = 'object' then s.metadata else '{}' end) f
    where f.key ~ '^[A-Za-z0-9][A-Za-z0-9_]{0,63}$' and f.key <> 'ocr_text' and f.key !~* 'gps' and jsonb_typeof(f.value) not in ('object', 'null')
    group by f.key order by f.key limit 500`.execute(db);
  const { categories, groups } = await loadTaxonomy(db);
  return {
    keys,
    meta_keys: rows.map((row) => ({ ...row, label: row.key.replaceAll('_', ' ') })),
    custom_fields: (await customFields(db)).map(({ name, label, data_type, select_options }) => ({
      name,
      label,
      data_type,
      select_options,
    })),
    kinds: [...categories].sort(),
    groups: [...groups.keys()].sort(),
    is: [...isValues],
    has: [...hasValues],
    source: 'items',
  };
}
