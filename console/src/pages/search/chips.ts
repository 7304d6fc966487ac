import { categoryStyle } from '../../format/categories.ts';
import { formatCameraDate, formatDate, formatShortMonth } from '../../format/dates.ts';
import { orList } from '../../format/lists.ts';
import { formatBytes } from '../../format/numbers.ts';
import { inSentence, t } from '../../language/text.ts';
import { tokenizeQuery, withoutSpans } from './query-text.ts';
import { FACT_FACETS, factFacets, needsParentheses, ownQuery, type SearchState, withoutFact } from './search-state.ts';

/** Labels of filter fields whose name in the filter language is not the label. */
const FIELDS: Record<string, string> = {
  kind: t('file type'),
  ext: t('extension'),
  path: t('folder'),
  is: t('status'),
  'readable-by': t('readable by'),
  'writable-by': t('changeable by'),
  'perm-changed': t('permissions changed'),
  library: t('library'),
  tag: t('tag'),
  size: t('size'),
  modified: t('modified'),
  created: t('created'),
  taken: t('taken'),
  has: t('has'),
  camera: t('camera'),
  owner: t('owner'),
  group: t('group'),
  name: t('name'),
  note: t('note'),
  hash: t('hash'),
};

export const fieldLabel = (field: string): string => FIELDS[field] ?? field.replace(/^(meta|cf)\./, '').replaceAll('_', ' ');

const UNITS: Record<string, string> = { k: 'kB', m: 'MB', g: 'GB', t: 'TB' };
const SPANS: Record<string, (n: number) => string> = {
  h: (n) => t('{n|# hour|# hours}', { n }),
  d: (n) => t('{n|# day|# days}', { n }),
  w: (n) => t('{n|# week|# weeks}', { n }),
  mo: (n) => t('{n|# month|# months}', { n }),
  y: (n) => t('{n|# year|# years}', { n }),
};
const HAS: Record<string, string> = {
  error: t('an error'),
  text: t('text'),
  members: t('archive entries'),
  tags: t('tags'),
  notes: t('a note'),
  origin: t('a download source'),
};
const STATUSES: Record<string, string> = { trashed: t('in recycle bin'), active: t('active'), missing: t('missing'), any: t('any') };

const sizeLabel = (text: string): string =>
  text.replace(/(\d(?:[\d.]*\d)?)\s*([kmgt])i?b?\b/gi, (_all, n: string, unit: string) => `${n} ${UNITS[unit.toLowerCase()]}`);

type Comparison = (value: string) => string;

function comparisonLabel(value: string, less: Comparison, more: Comparison, format: (text: string) => string = (text) => text): string {
  if (value.includes('..'))
    return value
      .split('..')
      .map((end) => format(end.trim()) || '…')
      .join(' – ');
  const [, sign = '', rest = value] = /^([<>]=?|=)?(.*)$/s.exec(value) ?? [];
  const plain = format(rest.trim());
  if (sign.startsWith('<')) return less(plain);
  return sign.startsWith('>') ? more(plain) : plain;
}

const before: Comparison = (value) => t('before {value}', { value });
const after: Comparison = (value) => t('after {value}', { value });
const since: Comparison = (value) => t('since {value}', { value });
const under: Comparison = (value) => t('under {value}', { value });
const over: Comparison = (value) => t('over {value}', { value });

/** `<30d` means less than 30 days old; `<2020` means before 2020. */
function dateLabel(value: string): string {
  const [, sign, number, unit = ''] = /^([<>])=?(\d+)(h|d|w|mo|y)$/i.exec(value) ?? [];
  if (!sign) return comparisonLabel(value, before, value.startsWith('>=') ? since : after);
  const age = SPANS[unit.toLowerCase()]?.(Number(number)) ?? '';
  return sign === '<' ? t('in the last {age}', { age }) : t('more than {age} ago', { age });
}

/** The labels of a filter's values, any of which may match. */
export function valueLabels(field: string, value: string): string[] {
  if (field === 'modified' || field === 'created' || field === 'taken' || field === 'perm-changed') return [dateLabel(value)];
  if (field === 'size') return [comparisonLabel(value, under, over, sizeLabel)];
  const list = value
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  if (field === 'kind') return list.map((one) => categoryStyle(one === '3d' ? 'three-d-cad' : one).label);
  if (field === 'has') return list.map((one) => HAS[one] ?? one);
  if (field === 'is') return list.map((one) => STATUSES[one] ?? one);
  return list.map((one) => comparisonLabel(one, under, over));
}

/** One filter of a search, such as "library Photos or Studio". */
export interface FilterChip {
  id: string;
  field: string;
  values: string[];
  /** Joined to the previous chip by OR. */
  or?: boolean;
  /** The same search without this filter. */
  without: SearchState;
  /** Where it is edited: a range of the query text, or a facet. */
  edit: { start: number; end: number } | { facet: string };
}

/** "library Photos or Studio". */
export const chipText = ({ field, values }: FilterChip): string => `${field} ${orList(values)}`;

/** A filter as the server parsed it; `start` and `end` are positions in the trimmed query. */
export interface ParsedFilter {
  field: string;
  value: string;
  negated: boolean;
  start: number;
  end: number;
}

function rangeLabel(from: number | null, to: number | null, format: (n: number) => string): string {
  if (from !== null && to !== null) return format(from) === format(to) ? format(from) : `${format(from)} – ${format(to)}`;
  if (from !== null) return t('from {from}', { from: format(from) });
  return to === null ? '' : t('up to {to}', { to: format(to) });
}

/** The filters as the console's own tokenizer finds them, used until the response arrives. */
const parseLocally = (q: string): ParsedFilter[] =>
  tokenizeQuery(q).flatMap(({ key, value, negated, start, end }) =>
    key && value ? [{ field: key, value, negated, start: start + (negated ? 1 : 0), end }] : [],
  );

function queryChips(state: SearchState, parsed: readonly ParsedFilter[] | undefined): FilterChip[] {
  const { q } = state;
  const lead = q.length - q.trimStart().length;
  const end = q.trimEnd().length;
  // The server receives the query trimmed, perhaps in parentheses or with a quote closed, with the tags of the facet appended.
  const shift = lead - (needsParentheses(state) ? 1 : 0);
  const filters = parsed
    ? parsed
        .filter(({ start }) => start < ownQuery(state).length)
        .map((one) => ({ ...one, start: one.start + shift, end: Math.min(end, one.end + shift) }))
    : parseLocally(q);
  const tokens = tokenizeQuery(q);
  const words = tokens.filter((token) => !token.operator && !filters.some((one) => token.start < one.end && token.end > one.start));
  // A sign without a word after it is still being typed.
  const plain = words.filter((token) => !token.negated && !/^[-!]+$/.test(token.text));
  const chips: FilterChip[] = [];
  const [first] = plain;
  if (first)
    chips.push({
      id: 'words',
      field: t('contains'),
      values: [plain.map((token) => token.text).join(' ')],
      without: { ...state, q: withoutSpans(q, plain) },
      edit: { start: first.start, end: plain.at(-1)?.end ?? first.end },
    });
  for (const token of words.filter((one) => one.negated))
    chips.push({
      id: `not${token.start}`,
      field: t('does not contain'),
      values: [token.text.slice(1)],
      without: { ...state, q: withoutSpans(q, [token]) },
      edit: { start: token.start, end: token.end },
    });
  filters.forEach((one, i) => {
    const before = filters[i - 1];
    chips.push({
      id: `${one.field}${one.start}`,
      field: one.negated ? t('not {field}', { field: fieldLabel(one.field) }) : fieldLabel(one.field),
      values: valueLabels(one.field, one.value),
      ...(before && /\bOR\b/.test(q.slice(before.end, one.start)) ? { or: true } : {}),
      without: { ...state, q: withoutSpans(q, [one]) },
      edit: { start: one.start, end: one.end },
    });
  });
  return chips;
}

/** One chip for each filter of the search. Filters in the query text come from the server's parse when it is known. */
export function filterChips(state: SearchState, libraryName: (id: string) => string, parsed?: readonly ParsedFilter[]): FilterChip[] {
  const chips = queryChips(state, parsed);
  const add = (id: string, field: string, values: string[], cleared: Partial<SearchState>, facet: string) =>
    chips.push({ id, field, values, without: { ...state, ...cleared }, edit: { facet } });
  if (state.categories.length)
    add(
      'categories',
      t('file type'),
      state.categories.map((v) => categoryStyle(v).label),
      { categories: [] },
      t('File type'),
    );
  if (state.groups.length) add('groups', t('group'), state.groups, { groups: [] }, t('File type'));
  if (state.libraries.length) add('libraries', t('library'), state.libraries.map(libraryName), { libraries: [] }, t('Library'));
  if (state.extensions.length) add('extensions', t('extension'), state.extensions, { extensions: [] }, t('Extension'));
  if (state.tags.length) add('tags', t('tag'), state.tags, { tags: [] }, t('Tags'));
  if (state.cameras.length) add('cameras', t('camera'), state.cameras, { cameras: [] }, t('Camera'));
  for (const name of factFacets) {
    const values = state.facts[name];
    if (values) add(name, inSentence(FACT_FACETS[name]), values, { facts: withoutFact(state.facts, name) }, FACT_FACETS[name]);
  }
  if (state.owners.length) add('owners', t('owner'), state.owners, { owners: [] }, t('Owner'));
  if (state.principal) add('principal', t('readable by'), [state.principal], { principal: '' }, t('Permissions'));
  if (state.world)
    add('world', t('everyone'), [state.world === 'true' ? t('can read') : t('cannot read')], { world: '' }, t('Permissions'));
  if (state.searchIn)
    add('in', t('search in'), [state.searchIn === 'names' ? t('names') : t('contents')], { searchIn: '' }, t('Search in'));
  if (state.path) add('path', t('folder'), [state.path], { path: '' }, t('Folder'));
  if (state.status) add('status', t('status'), [STATUSES[state.status] ?? state.status], { status: '' }, t('Status'));
  if (state.sidecars) add('sidecars', t('sidecars'), [t('included')], { sidecars: '' }, t('Status'));
  if (state.modifiedFrom !== null || state.modifiedTo !== null) {
    const long = state.modifiedFrom !== null && state.modifiedTo !== null && state.modifiedTo - state.modifiedFrom > 60 * 86_400;
    const label = rangeLabel(state.modifiedFrom, state.modifiedTo, long ? formatShortMonth : formatDate);
    add('modified', t('modified'), [label], { modifiedFrom: null, modifiedTo: null }, t('Modified'));
  }
  if (state.takenFrom !== null || state.takenTo !== null)
    add(
      'taken',
      t('taken'),
      [rangeLabel(state.takenFrom, state.takenTo, formatCameraDate)],
      { takenFrom: null, takenTo: null },
      t('Taken'),
    );
  if (state.sizeFrom !== null || state.sizeTo !== null)
    add('size', t('size'), [rangeLabel(state.sizeFrom, state.sizeTo, formatBytes)], { sizeFrom: null, sizeTo: null }, t('Size'));
  if (state.box) add('box', t('location'), [t('inside the box')], { box: null }, t('Location'));
  return chips;
}
