import { fieldProblem } from '../../platform/problem.ts';
import { isoTime } from '../../platform/schemas.ts';
import type { ReportColumn, ReportDefinition, ReportFilters, SortKey } from './contract.ts';
import type { filterParameters, RunParams } from './schemas.ts';

export function presentReport(report: ReportDefinition) {
  const { id, title, description, group, threshold } = report;
  return {
    id,
    title,
    description,
    group,
    ...presentColumns(report.columns),
    supports_library: report.library,
    supports_folder: report.folder,
    supports_dates: report.dates !== undefined,
    is_capped: report.capped ?? false,
    default_limit: report.defaultLimit,
    default_days: report.dates?.defaultDays ?? null,
    default_sort: formatSort(report.order),
    row_link: report.rowLink,
    supports_threshold: threshold !== undefined,
    threshold_unit: threshold?.unit ?? null,
    threshold_label: threshold?.label ?? null,
    default_threshold_days: threshold?.unit === 'days' ? threshold.default : null,
    default_min_bytes: threshold?.unit === 'bytes' ? threshold.default : null,
    supports_principal: report.principal !== undefined,
    default_principal: report.principal?.default ?? null,
    supports_other_principal: report.otherPrincipal !== undefined,
    default_other_principal: report.otherPrincipal?.default ?? null,
    supports_words: report.words !== undefined,
    default_words: report.words?.default ?? null,
    supports_on: report.on !== undefined,
    default_on_days: report.on?.defaultDays ?? null,
  };
}

/** `columns` are those of a table; `fields` describes all members of a row. */
export function presentColumns(columns: readonly ReportColumn[]) {
  return {
    columns: columns.filter(({ hidden }) => !hidden).map(({ key }) => key),
    fields: columns.map(({ key, label, type, hidden = false, sortable = type !== 'list' }) => ({ key, label, type, hidden, sortable })),
  };
}

/** A row as JSON: only the columns of the report, times in ISO 8601. */
export function presentRow(row: Record<string, unknown>, columns: readonly ReportColumn[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { key, type } of columns) {
    const value = row[key] ?? null;
    shown[key] = type === 'time' && typeof value === 'number' ? isoTime(value) : value;
  }
  return shown;
}

const formatSort = (sort: readonly SortKey[]): string => sort.map(({ key, descending }) => (descending ? `-${key}` : key)).join(',');

/** `-size,rel_path` as sort keys. */
export function parseSort(
  text: string | undefined,
  columns: readonly ReportColumn[],
  where: (string | number)[] = ['query', 'sort'],
): SortKey[] | null {
  if (!text) return null;
  const sort = text.split(',').map((part) => ({ key: part.replace(/^-/, ''), descending: part.startsWith('-') }));
  const sortable = columns.filter(({ type, sortable = type !== 'list' }) => sortable).map(({ key }) => key);
  const wrong = sort.find(({ key }) => !sortable.includes(key));
  if (wrong) throw fieldProblem(where, `Rows cannot be sorted by "${wrong.key}". Use one of: ${sortable.join(', ')}.`, 'unknown_column');
  return sort;
}

type FilterParams = Pick<RunParams, keyof typeof filterParameters>;

export function readFilters(definition: ReportDefinition, params: FilterParams): ReportFilters {
  const { threshold_days, min_bytes } = params;
  const unit = definition.threshold?.unit;
  if (threshold_days !== undefined && unit !== 'days')
    throw fieldProblem(['query', 'threshold_days'], 'This report has no threshold in days. Leave it out.', 'not_supported');
  if (min_bytes !== undefined && unit !== 'bytes')
    throw fieldProblem(['query', 'min_bytes'], 'This report has no threshold in bytes. Leave it out.', 'not_supported');
  return {
    library: params.library_id ?? null,
    folder: params.folder?.replace(/^\/+|\/+$/g, '') || null,
    threshold: threshold_days ?? min_bytes ?? null,
    since: params.since ? new Date(params.since) : null,
    until: params.until ? new Date(params.until) : null,
    principal: params.principal ?? null,
    otherPrincipal: params.other_principal ?? null,
    words: wordsOf(params.words),
    on: params.on ? new Date(params.on) : null,
  };
}

function wordsOf(text: string | undefined): string[] | null {
  const words = [...new Set((text ?? '').split(',').map((word) => word.trim()))].filter(Boolean);
  return words.length > 0 ? words : null;
}
