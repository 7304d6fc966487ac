import { type RawBuilder, sql } from 'kysely';
import { visibilityOf } from '../../people/access/index.ts';
import { readFrom } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import { filtersBy, type ParsedQuery, queryCondition, resolveAccess } from '../../search/language/index.ts';
import {
  accessToDownload,
  accessToView,
  addPaths,
  type Counted,
  countRows,
  createAccessCheck,
  createPathForms,
  limitTotal,
  type OrderTerm,
  type ReportColumn,
  type ReportContext,
  type RowSource,
  readPage,
  streamCells,
} from '../reports/index.ts';
import { buildQuery, type ReportShape } from './build.ts';
import { type DefinitionError, type ReportInput, validateDefinition } from './validate.ts';

/** A list of items whose query is built under the rights of one caller. */
export interface OpenList {
  columns: readonly ReportColumn[];
  terms: readonly OrderTerm[];
  page(page: { limit: number; offset: number; after: readonly (string | null)[] | null }): Promise<Record<string, unknown>[]>;
  count(): Promise<Counted>;
  source(): RowSource;
}

interface ListNames {
  title: string;
  name: string;
  limit: number | null;
}

/** Runs a shape over the items that match a condition on `i`. */
export async function openList(
  context: ReportContext,
  shape: ReportShape,
  where: RawBuilder<unknown>,
  purpose: 'view' | 'download',
  { title, name, limit }: ListNames,
): Promise<OpenList> {
  const { db, database } = context;
  const visibility = await visibilityOf(db, context.principal);
  const access = purpose === 'view' ? accessToView(visibility) : accessToDownload(visibility);
  const { rows, columns, terms, paths } = buildQuery(shape, access, where);
  const forms = paths ? await createPathForms(db, context.shareMap) : null;
  const summed = columns.filter(({ sum }) => sum).map(({ key }) => key);
  const count = (): Promise<Counted> => readFrom(context, context.principal, (from) => countRows(from.db, rows, summed));
  return {
    columns,
    terms,
    page: async (page) => addPaths(await readFrom(context, context.principal, (from) => readPage(from.db, rows, terms, page)), forms),
    count,
    source: () => ({
      title,
      name,
      columns,
      rowKey: shape.groupBy.length > 0 ? 'group_key' : 'item_id',
      total: async () => limitTotal((await count()).total, limit),
      batches: ({ signal }) =>
        streamCells(database, { rows, terms, columns, forms, limit }, { signal, check: createAccessCheck(context, visibility) }),
    }),
  };
}

/** Items of a query. As in a search, only active files count and sidecars are left out, unless the query says otherwise. */
function conditionOf(parsed: ParsedQuery): RawBuilder<unknown> {
  const status = filtersBy('status', parsed) ? sql`true` : sql`i.status = 'active'`;
  const sidecars = filtersBy('sidecar', parsed) ? sql`true` : sql`i.sidecar_of is null`;
  return sql`${status} and ${sidecars} and ${queryCondition(parsed)}`;
}

/** Opens a definition, stored or not. One that does not compile, for instance because a field was deleted, is a problem with all reasons. */
export async function openDefinition(
  context: ReportContext,
  input: ReportInput,
  purpose: 'view' | 'download',
  names: ListNames,
): Promise<OpenList> {
  const { errors, parsed } = await validateDefinition(context.db, input, context.clock.now());
  if (!parsed) throw definitionProblem(errors);
  await resolveAccess(context.db, await visibilityOf(context.db, context.principal), parsed);
  return openList(context, input, conditionOf(parsed), purpose, names);
}

export function definitionProblem(errors: readonly DefinitionError[]) {
  const [first] = errors;
  const reason = first ? ('reason' in first ? first.reason : first.message) : 'The definition is not valid.';
  return problem('report_invalid', reason, {
    validation: errors,
    errors: errors.map((error) =>
      error.error === 'parse_error'
        ? { loc: ['body', 'query', error.position], msg: error.reason, type: error.code }
        : { loc: ['body', 'columns', error.column], msg: error.message, type: error.error },
    ),
  });
}
