import { sql } from 'kysely';
import { readableLibrary } from '../../catalog/libraries/index.ts';
import { isBelow, lookUpFolders } from '../../catalog/paths/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { ownerOf, principalOfOwner } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { findAllHits, type Meaning, type SearchParams } from '../../search/query/index.ts';
import { inputOf, itemQuery, openDefinition, openList, readableReport, scheduledReport } from '../custom-reports/index.ts';
import { openPlan, planSource } from '../duplicates/index.ts';
import {
  AccessChanged,
  accessToDownload,
  type Cell,
  createPathForms,
  findReport,
  openReport,
  parseSort,
  type ReportContext,
  type RowSource,
  readFilters,
} from '../reports/index.ts';

/** What an export consists of, as it is stored: never rows or rights. */
export type ExportSource =
  | { kind: 'report'; id: string; params: ReportParams; only_changes?: boolean }
  | { kind: 'custom'; id: string; limit?: number; only_changes?: boolean }
  | { kind: 'search'; params: Omit<SearchParams, 'cursor' | 'offset'>; columns: string[] }
  | { kind: 'duplicates' }
  | { kind: 'folder'; library_id: string; path: string; recursive: boolean; columns: string[] };

export interface ReportParams {
  library_id?: string;
  folder?: string;
  threshold_days?: number;
  min_bytes?: number;
  since?: string;
  until?: string;
  principal?: string;
  other_principal?: string;
  words?: string;
  on?: string;
  sort?: string;
  limit?: number;
}

export const defaultColumns: readonly string[] = [
  'filename',
  'rel_path',
  'library',
  'file_category',
  'file_group',
  'size',
  'mtime',
  'title',
  'year',
  'tags',
  'content_hash',
  'path',
];

/** What a search needs besides the database. */
export interface SearchIndex {
  reader: SearchReader;
  meaning: Meaning;
}

export type SourceContext = ReportContext &
  Pick<Dependencies, 'log'> & {
    openIndex(): SearchIndex;
    /** A run of a schedule, whose report was checked when it was chosen. */
    scheduled?: boolean;
  };

/** Opens the rows of a source under the rights that the caller has now. */
export async function openSource(context: SourceContext, source: ExportSource): Promise<RowSource> {
  switch (source.kind) {
    case 'report': {
      const definition = findReport(source.id);
      if (!definition) throw notFound('report');
      const { sort, limit = null, ...params } = source.params;
      const choice = { filters: readFilters(definition, params), sort: parseSort(sort, definition.columns), limit };
      return (await openReport(context, definition, choice, 'download')).source();
    }
    case 'custom': {
      const row = await reportOf(context, source.id);
      const names = { title: row.name, name: row.name, limit: source.limit ?? null };
      return (await openDefinition(context, inputOf(row), 'download', names)).source();
    }
    case 'duplicates':
      return planSource(context, await openPlan(context, 'download'));
    case 'folder':
      return openFolder(context, source);
    case 'search':
      return openSearch(context, source);
  }
}

type ReportSource = Pick<SourceContext, 'db' | 'principal' | 'scheduled'>;
const reportOf = ({ db, principal, scheduled }: ReportSource, id: string) =>
  (scheduled ? scheduledReport : readableReport)(db, principal, id);

/** What a source selects now: its filters, and the definition of a custom report. */
export async function describeSource(context: ReportSource, source: ExportSource): Promise<string> {
  const definition = source.kind === 'custom' ? inputOf(await reportOf(context, source.id)) : null;
  return JSON.stringify([source, definition]);
}

async function openFolder(
  context: SourceContext,
  { library_id, path, recursive, columns }: ExportSource & { kind: 'folder' },
): Promise<RowSource> {
  const visibility = await visibilityOf(context.db, context.principal);
  const library = await readableLibrary(context.db, visibility, library_id);
  const inside = recursive
    ? path === ''
      ? sql`true`
      : isBelow('i', path, library_id)
    : sql`i.folder_id = (select f.id from folders f where f.library_id = ${library_id}::uuid and f.rel_path = ${path})`;
  const where = sql`i.status = 'active' and i.library_id = ${library_id}::uuid and ${inside}`;
  const names = {
    title: path === '' ? library.name : `${library.name}/${path}`,
    name: path.split('/').at(-1) || library.name,
    limit: null,
  };
  return (await openList(context, { columns, sort: [], groupBy: [], aggregates: [] }, where, 'download', names)).source();
}

const hitsAtOnce = 2_000;

/** The hits come from the index, their rows from the database, batch by batch under the rights of that moment. */
async function openSearch(context: SourceContext, source: ExportSource & { kind: 'search' }): Promise<RowSource> {
  const { db } = context;
  accessToDownload(await visibilityOf(db, context.principal));
  const hits = await findAllHits(context, context.openIndex(), context.principal, source.params);
  const shape = { columns: source.columns, sort: [], groupBy: [], aggregates: [] };
  const { columns } = itemQuery(shape, { whereItem: () => sql<boolean>`true` }, sql`true`);
  const forms = await createPathForms(db, context.shareMap);
  return {
    title: source.params.q ? `Search: ${source.params.q}`.slice(0, 200) : 'Search',
    name: 'search',
    columns,
    total: async () => hits.total,
    async *batches({ signal }) {
      for await (const ids of hits.pages(hitsAtOnce)) {
        signal?.throwIfAborted();
        const now = await principalOfOwner(db, context.settings, ownerOf(context.principal));
        if (!now) throw new AccessChanged();
        const access = accessToDownload(await visibilityOf(db, now));
        const { rows } = itemQuery(shape, access, sql`i.id = any(${ids}::uuid[])`, lookUpFolders);
        const found = await sql<
          Record<string, Cell>
        >`select r.* from (${rows}) r order by array_position(${ids}::uuid[], r.item_id)`.execute(db);
        yield found.rows.map((row) => {
          const [path, native_path, share_url, share_unc] = forms(String(row['library_id']), String(row['rel_path']));
          const whole: Record<string, Cell | undefined> = { ...row, path, native_path, share_url, share_unc };
          return columns.map(({ key }) => whole[key] ?? null);
        });
      }
    },
  };
}

/** The reason why an export ended, as its owner should read it. */
export function rightsLost() {
  return problem('action_denied', 'The account or API key that started this export no longer exists or is disabled.');
}
