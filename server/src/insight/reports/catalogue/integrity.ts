import { sql } from 'kysely';
import type { ReportDefinition } from '../contract.ts';
import { column, itemColumns, itemReport, milliseconds } from './columns.ts';

const bitRot: ReportDefinition = itemReport({
  id: 'possible_bit_rot',
  title: 'Possible bit rot',
  description: 'Files whose content changed although size and time did not, with both hashes and the number of copies that are still good.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    { ...column.size, sum: false },
    { key: 'found_at', label: 'Found', type: 'time', sortBy: [{ key: 'found_time', type: 'timestamptz' }] },
    { key: 'expected_hash', label: 'Good content hash', type: 'text' },
    { key: 'found_hash', label: 'Content hash found', type: 'text' },
    { key: 'good_copies', label: 'Good copies', type: 'integer' },
  ],
  order: [{ key: 'found_at', descending: true }],
  rows: (
    scope,
  ) => sql`select ${itemColumns}, i.size, e.found_at as found_time, ${milliseconds('e.found_at')} as found_at, e.expected_hash, e.found_hash,
      (select count(*) from items g where left(g.content_hash, 8) = left(e.expected_hash, 8) and g.content_hash = e.expected_hash and g.status = 'active' and g.id <> e.item_id
        and not exists (select from integrity_events o where o.item_id = g.id and o.state = 'open') and ${scope.access.whereItem('g')}) as good_copies
    from integrity_events e join items i on i.id = e.item_id join libraries l on l.id = i.library_id where e.state = 'open' and ${scope.items('i')}`,
});

export const integrityReports = [bitRot];
