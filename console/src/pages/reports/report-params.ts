import type { ReportSchedule } from '../../api/types.ts';

/** The filters and the order of a report as the API takes them. In an address a library is `library`, and times are days. */
export type ReportParams = ReportSchedule['params'];

const TEXTS = ['folder', 'sort', 'principal', 'other_principal', 'words'] as const;
const NUMBERS = ['threshold_days', 'min_bytes'] as const;
const DAYS = ['since', 'until', 'on'] as const;

/** The filters of an address. */
export function readParams(search: string): ReportParams {
  const given = new URLSearchParams(search);
  const params: ReportParams = {};
  const library = given.get('library');
  if (library) params.library_id = library;
  for (const name of TEXTS) {
    const value = given.get(name);
    if (value) params[name] = value;
  }
  for (const name of NUMBERS) {
    const value = Number(given.get(name));
    if (Number.isSafeInteger(value) && value > 0) params[name] = value;
  }
  for (const name of DAYS) {
    const value = given.get(name);
    // The last day counts as a whole.
    if (value && /^\d{4}-\d{2}-\d{2}$/.test(value)) params[name] = `${value}T${name === 'until' ? '23:59:59.999' : '00:00:00'}Z`;
  }
  return params;
}

/** The address of the filters. */
export function writeParams(params: ReportParams): string {
  const search = new URLSearchParams();
  if (params.library_id) search.set('library', params.library_id);
  for (const name of [...TEXTS, ...NUMBERS]) if (params[name] !== undefined) search.set(name, String(params[name]));
  for (const name of DAYS) if (params[name]) search.set(name, new Date(params[name]).toISOString().slice(0, 10));
  return search.toString();
}

/** Changes filters by their names in an address; null and '' remove one. The others keep exact times, and what an address cannot have. */
export function changeParams(params: ReportParams, changes: Record<string, string | number | null>): ReportParams {
  const next = { ...params };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(changes)) {
    delete next[(name === 'library' ? 'library_id' : name) as keyof ReportParams];
    if (value !== null && value !== '') given.set(name, String(value));
  }
  return { ...next, ...readParams(given.toString()) };
}
