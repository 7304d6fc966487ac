import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ShareMapEntry } from '../../catalog/libraries/index.ts';
import { readableLibrary } from '../../catalog/libraries/index.ts';
import { describeRights, type Visibility, visibilityOf } from '../../people/access/index.ts';
import { ownerOf, principalOfOwner } from '../../people/identity/index.ts';
import { type Database, type Db, readFrom } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { accessToDownload, accessToView } from './access.ts';
import {
  AccessChanged,
  type Cell,
  type Counted,
  type ReportColumn,
  type ReportDefinition,
  type ReportFilters,
  type RowSource,
  type SortKey,
} from './contract.ts';
import { createPathForms, type FormPaths } from './paths.ts';
import { countRows, type OrderTerm, orderBy, orderTerms, readPage } from './read-rows.ts';
import { createScope } from './scope.ts';
import { streamRows } from './stream-rows.ts';

export interface ReportContext extends Pick<Dependencies, 'db' | 'database' | 'replica' | 'clock' | 'settings'> {
  principal: Principal;
  shareMap: readonly ShareMapEntry[];
}

/** What a file needs beside what a page needs: the right to download. */
type Purpose = 'view' | 'download';

export interface ReportChoice {
  filters: ReportFilters;
  sort: readonly SortKey[] | null;
  /** The length of a top list, or the most rows of a file. */
  limit: number | null;
}

/** A report whose query is built under the rights of one caller. */
export interface OpenReport {
  definition: ReportDefinition;
  columns: readonly ReportColumn[];
  terms: readonly OrderTerm[];
  page(page: { limit: number; offset: number; after: readonly (string | null)[] | null }): Promise<Record<string, unknown>[]>;
  count(): Promise<Counted>;
  source(): RowSource;
}

export async function openReport(
  context: ReportContext,
  definition: ReportDefinition,
  choice: ReportChoice,
  purpose: Purpose,
): Promise<OpenReport> {
  const { db, database, clock, principal } = context;
  const visibility = await visibilityOf(db, principal);
  const filters = await checkFilters(context, visibility, definition, choice.filters);
  const access = purpose === 'view' ? accessToView(visibility) : accessToDownload(visibility);
  await definition.prepare?.(db);
  const cap = definition.capped ? (choice.limit ?? definition.defaultLimit) : Number.MAX_SAFE_INTEGER;
  const scope = createScope(db, clock.now(), access, filters, cap);
  const built = await definition.rows(scope);
  const { columns } = definition;
  const defaultTerms = orderTerms(columns, definition.order, definition.rowKey);
  // A top list is cut before it is sorted in another way.
  const rows = definition.capped ? sql`select r.* from (${built}) r order by ${orderBy(defaultTerms)} limit ${cap}` : built;
  const terms = choice.sort ? orderTerms(columns, choice.sort, definition.rowKey) : defaultTerms;
  const summed = columns.filter(({ sum }) => sum).map(({ key }) => key);
  // Totals that were settled above must be on the replica.
  const read = <T>(query: (from: Db) => Promise<T>): Promise<T> =>
    readFrom(context, principal, (from) => query(from.db), { upToNow: definition.prepare !== undefined });
  const count = async (): Promise<Counted> => (await definition.count?.(scope)) ?? read((from) => countRows(from, rows, summed));
  const forms = definition.paths ? await createPathForms(db, context.shareMap) : null;
  return {
    definition,
    columns,
    terms,
    page: async (page) => {
      const near = choice.sort ? null : await definition.next?.(scope, { after: page.after, take: page.limit + page.offset });
      return addPaths(await read((from) => readPage(from, near ?? rows, terms, page)), forms);
    },
    count,
    source: () => ({
      title: definition.title,
      name: definition.id.replaceAll('_', '-'),
      columns,
      rowKey: definition.rowKey.key,
      total: async () => limitTotal((await count()).total, choice.limit),
      batches: ({ signal }) =>
        streamCells(
          database,
          { rows, terms, columns, forms, limit: choice.limit },
          { signal, check: createAccessCheck(context, visibility) },
        ),
    }),
  };
}

export const limitTotal = (total: number | null, limit: number | null): number | null =>
  total === null ? null : Math.min(total, limit ?? Number.MAX_SAFE_INTEGER);

/** The path columns are formed here and not in the database, which does not know the share map. */
export function addPaths(rows: Record<string, unknown>[], forms: FormPaths | null): Record<string, unknown>[] {
  if (!forms) return rows;
  return rows.map((row) => {
    const [path, native_path, share_url, share_unc] = forms(String(row['library_id']), String(row['rel_path']));
    return { ...row, path, native_path, share_url, share_unc };
  });
}

const formedKeys = ['path', 'native_path', 'share_url', 'share_unc'];

export interface CellQuery {
  rows: RawBuilder<unknown>;
  terms: readonly OrderTerm[];
  columns: readonly ReportColumn[];
  forms: FormPaths | null;
  limit: number | null;
}

/** All rows of a query as cells in the order of the columns. */
export async function* streamCells(
  database: Database,
  { rows, terms, columns, forms, limit }: CellQuery,
  options: { signal?: AbortSignal | undefined; check: (() => Promise<void>) | null },
): AsyncGenerator<Cell[][]> {
  const selected = columns.filter(({ key }) => !forms || !formedKeys.includes(key));
  const at = (key: string): number => selected.findIndex((each) => each.key === key);
  const [libraryAt, pathAt] = [at('library_id'), at('rel_path')];
  // Formed paths are usually the last columns; in a report that people define they can be anywhere.
  const order = columns.map(({ key }) => (at(key) >= 0 ? at(key) : selected.length + formedKeys.indexOf(key)));
  const inOrder = order.every((each, position) => each === position);
  const query = sql`select ${sql.join(selected.map(({ key }) => sql`r.${sql.id(key)}`))} from (${rows}) r order by ${orderBy(terms)} ${limit === null ? sql`` : sql`limit ${limit}`}`;
  for await (const batch of streamRows(database, query, options)) {
    const cells = batch as Cell[][];
    if (!forms) yield cells;
    else {
      for (const row of cells) row.push(...forms(String(row[libraryAt]), String(row[pathAt])));
      yield inOrder ? cells : cells.map((row) => order.map((each) => row[each] ?? null));
    }
  }
}

/**
 * A check between two batches: the owner is read again, and must still see and download exactly what the query was built for. So a right
 * that is revoked during a long export ends it before the next batch.
 */
export function createAccessCheck(
  { db, settings, principal }: Pick<ReportContext, 'db' | 'settings' | 'principal'>,
  visibility: Visibility,
): () => Promise<void> {
  const before = describeRights(visibility);
  return async () => {
    const now = await principalOfOwner(db, settings, ownerOf(principal));
    if (!now || describeRights(await visibilityOf(db, now)) !== before) throw new AccessChanged();
  };
}

async function checkFilters(
  { db, clock }: ReportContext,
  visibility: Visibility,
  definition: ReportDefinition,
  given: ReportFilters,
): Promise<ReportFilters> {
  const { library, folder, threshold, since, until } = given;
  const refuse = (name: string, why: string) => fieldProblem(['query', name], why, 'not_supported');
  if (library !== null && !definition.library)
    throw refuse('library_id', 'This report cannot be limited to a library. Leave out library_id.');
  if (folder && !definition.folder) throw refuse('folder', 'This report cannot be limited to a folder. Leave out folder.');
  if (folder && library === null) throw refuse('folder', 'A folder belongs to a library. Add library_id.');
  if (library !== null) await readableLibrary(db, visibility, library);
  if (threshold !== null) {
    const limits = definition.threshold;
    const name = limits?.unit === 'bytes' ? 'min_bytes' : 'threshold_days';
    if (!limits) throw refuse(name, 'This report has no threshold. Leave it out.');
    if (threshold < limits.minimum || threshold > limits.maximum)
      throw fieldProblem(['query', name], `Choose a number from ${limits.minimum} to ${limits.maximum}.`, 'range');
  }
  const chosen = checkChoices(definition, given, clock.now(), refuse);
  if (!definition.dates) {
    if (since || until) throw refuse('since', 'This report has no dates. Leave out since and until.');
    return chosen;
  }
  const end = until ?? clock.now();
  const start = since ?? new Date(end.getTime() - definition.dates.defaultDays * 86_400_000);
  if (start >= end) throw fieldProblem(['query', 'since'], 'since must be before until.', 'range');
  return { ...chosen, since: start, until: end };
}

/** People, words and the single date, each with its default. */
function checkChoices(
  definition: ReportDefinition,
  given: ReportFilters,
  now: Date,
  refuse: (name: string, why: string) => Error,
): ReportFilters {
  if (given.principal && !definition.principal)
    throw refuse('principal', 'This report is not about one person or group. Leave out principal.');
  if (given.otherPrincipal && !definition.otherPrincipal)
    throw refuse('other_principal', 'This report does not compare two people. Leave out other_principal.');
  if (given.words && !definition.words) throw refuse('words', 'This report does not look for words. Leave out words.');
  if (given.on && !definition.on) throw refuse('on', 'This report has no date. Leave out on.');
  return {
    ...given,
    principal: given.principal ?? definition.principal?.default ?? null,
    otherPrincipal: given.otherPrincipal ?? definition.otherPrincipal?.default ?? null,
    words: given.words ?? (definition.words ? definition.words.default.split(', ') : null),
    on: given.on ?? (definition.on ? new Date(now.getTime() - definition.on.defaultDays * 86_400_000) : null),
  };
}
