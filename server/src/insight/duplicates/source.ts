import { sql } from 'kysely';
import { visibilityOf } from '../../people/access/index.ts';
import {
  countRows,
  createAccessCheck,
  createPathForms,
  orderTerms,
  pathColumns,
  type ReportColumn,
  type ReportContext,
  type RowSource,
  streamCells,
} from '../reports/index.ts';
import { type PlanScope, plannedCopies } from './query.ts';

const hiddenId = (key: string, label: string): ReportColumn => ({
  key,
  label,
  type: 'text',
  hidden: true,
  sortBy: [{ key, type: 'uuid' }],
});

const columns: readonly ReportColumn[] = [
  hiddenId('item_id', 'Item'),
  hiddenId('library_id', 'Library ID'),
  { key: 'action', label: 'Plan', type: 'text' },
  { key: 'match', label: 'Match', type: 'text' },
  { key: 'group_key', label: 'Group', type: 'text' },
  { key: 'group_rank', label: 'Rank', type: 'integer' },
  { key: 'rel_path', label: 'Path', type: 'text' },
  { key: 'library', label: 'Library', type: 'text' },
  { key: 'size', label: 'Size', type: 'bytes' },
  { key: 'frees', label: 'Frees', type: 'bytes', sum: true },
  { key: 'group_frees', label: 'Group frees', type: 'bytes' },
  { key: 'annotated', label: 'Has tags or notes', type: 'boolean' },
  { key: 'mtime', label: 'Modified', type: 'time' },
  { key: 'content_hash', label: 'Content hash', type: 'text', nullable: true },
  hiddenId('kept_library_id', 'Library of the kept copy'),
  { key: 'kept_rel_path', label: 'Kept copy', type: 'text' },
  ...pathColumns,
];
export const columnAt = (key: string): number => columns.findIndex((column) => column.key === key);

/** The plan as rows: every copy of every group, groups together, largest first. `only` limits it to removed files of proven groups. */
export async function planSource(context: ReportContext, scope: PlanScope, only: 'all' | 'remove' = 'all'): Promise<RowSource> {
  const { db, database } = context;
  const rows = sql`select p.item_id, p.library_id, p.action, p.tier as match, p.key as group_key, p.rank as group_rank, p.rel_path, p.library, p.size, p.frees,
      (sum(p.frees) over (partition by p.key))::bigint as group_frees, p.annotated, p.mtime_ns / 1000000 as mtime, p.content_hash, p.kept_library_id, p.kept_rel_path
    from (${plannedCopies(scope)}) p ${only === 'remove' ? sql`where p.action = 'remove'` : sql``}`;
  const terms = orderTerms(
    columns,
    [
      { key: 'group_frees', descending: true },
      { key: 'group_key', descending: false },
      { key: 'group_rank', descending: false },
    ],
    { key: 'item_id', type: 'uuid' },
  );
  const forms = await createPathForms(db, context.shareMap);
  const visibility = await visibilityOf(db, context.principal);
  return {
    title: 'Cleanup plan',
    name: 'cleanup-plan',
    columns,
    total: async () => (await countRows(db, rows, [])).total,
    batches: ({ signal }) =>
      streamCells(database, { rows, terms, columns, forms, limit: null }, { signal, check: createAccessCheck(context, visibility) }),
  };
}
