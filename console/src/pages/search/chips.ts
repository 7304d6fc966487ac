import { formatBytes } from '../../format/numbers.ts';
import { categoryStyle } from '../../format/categories.ts';
import { formatDate, formatShortMonth } from '../../format/dates.ts';
import { tokenize, withoutSpans } from './query-text.ts';
import type { SearchState } from './search-state.ts';

/** What the filter language calls its fields and values, in the words of people. */
const FIELDS: Record<string, string> = { ext: 'type', path: 'folder', is: 'status', 'meta.width': 'width', 'meta.height': 'height' };

export const fieldWord = (field: string): string => FIELDS[field] ?? field.replace(/^(meta|cf)\./, '').replaceAll('_', ' ');

const UNITS: Record<string, string> = { k: 'kB', m: 'MB', g: 'GB', t: 'TB' };
const SPANS: Record<string, string> = { h: 'hour', d: 'day', w: 'week', mo: 'month', y: 'year' };
const HAS: Record<string, string> = {
  error: 'a problem',
  text: 'text',
  members: 'members',
  tags: 'tags',
  notes: 'a note',
  origin: 'an origin',
};

const size = (text: string): string =>
  text.replace(/(\d(?:[\d.]*\d)?)\s*([kmgt])i?b?\b/gi, (_all, n: string, unit: string) => `${n} ${UNITS[unit.toLowerCase()]}`);

function compared(value: string, less: string, more: string, words: (text: string) => string = (text) => text): string {
  if (value.includes('..'))
    return value
      .split('..')
      .map((end) => words(end.trim()) || '…')
      .join(' – ');
  const [, sign = '', rest = value] = /^([<>]=?|=)?(.*)$/s.exec(value) ?? [];
  const plain = words(rest.trim());
  if (sign.startsWith('<')) return `${less} ${plain}`;
  return sign.startsWith('>') ? `${more} ${plain}` : plain;
}

/** modified:<30d asks for files younger than 30 days, modified:<2020 for those before 2020. */
function moment(value: string): string {
  const age = /^([<>])=?(\d+)(h|d|w|mo|y)$/i.exec(value);
  if (!age) return compared(value, 'before', value.startsWith('>=') ? 'since' : 'after');
  const unit = SPANS[age[3]!.toLowerCase()]!;
  const span = `${age[2]} ${unit}${age[2] === '1' ? '' : 's'}`;
  return age[1] === '<' ? `in the last ${span}` : `more than ${span} ago`;
}

/** The values of one filter; several stand for "or". */
export function valueWords(field: string, value: string): string[] {
  if (field === 'modified' || field === 'created') return [moment(value)];
  if (field === 'size') return [compared(value, 'under', 'over', size)];
  const list = value
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  if (field === 'kind') return list.map((one) => categoryStyle(one === '3d' ? 'three-d-cad' : one).label);
  if (field === 'has') return list.map((one) => HAS[one] ?? one);
  return list.map((one) => compared(one, 'under', 'over'));
}

/** One filter in words: "library Photos or Studio". */
export interface Chip {
  id: string;
  field: string;
  values: string[];
  /** It stands in an "or" with the one before it. */
  or?: boolean;
  /** The same search without this filter. */
  without: SearchState;
  /** Where it is changed: a stretch of the query, or a group of the filters. */
  edit: { start: number; end: number } | { facet: string };
}

/** A filter as the service understood it. */
export interface Understood {
  field: string;
  value: string;
  negated: boolean;
  start: number;
  end: number;
}

function span(from: number | null, to: number | null, words: (n: number) => string): string {
  if (from !== null && to !== null) return words(from) === words(to) ? words(from) : `${words(from)} – ${words(to)}`;
  return from !== null ? `from ${words(from)}` : `up to ${words(to!)}`;
}

/** While the answer is on its way: the query as the console itself reads it. */
const guessed = (q: string): Understood[] =>
  tokenize(q)
    .filter((token) => token.key && token.value)
    .map((token) => ({
      field: token.key!,
      value: token.value!,
      negated: token.negated,
      start: token.start + (token.negated ? 1 : 0),
      end: token.end,
    }));

function queryChips(state: SearchState, understood: readonly Understood[] | undefined): Chip[] {
  const { q } = state;
  const lead = q.length - q.trimStart().length;
  const length = q.trim().length;
  // The service reads the query without the blanks around it, and tags chosen among the filters behind it.
  const filters = understood
    ? understood.filter((one) => one.end <= length).map((one) => ({ ...one, start: one.start + lead, end: one.end + lead }))
    : guessed(q);
  const tokens = tokenize(q);
  const words = tokens.filter((token) => !token.operator && !filters.some((one) => token.start < one.end && token.end > one.start));
  const plain = words.filter((token) => !token.negated);
  const chips: Chip[] = [];
  if (plain.length > 0)
    chips.push({
      id: 'words',
      field: 'contains',
      values: [plain.map((token) => token.text).join(' ')],
      without: { ...state, q: withoutSpans(q, plain) },
      edit: { start: plain[0]!.start, end: plain.at(-1)!.end },
    });
  for (const token of words.filter((one) => one.negated))
    chips.push({
      id: `not${token.start}`,
      field: 'without',
      values: [token.text.slice(1)],
      without: { ...state, q: withoutSpans(q, [token]) },
      edit: { start: token.start, end: token.end },
    });
  filters.forEach((one, i) => {
    const before = filters[i - 1];
    chips.push({
      id: `${one.field}${one.start}`,
      field: `${one.negated ? 'not ' : ''}${fieldWord(one.field)}`,
      values: valueWords(one.field, one.value),
      ...(before && /\bOR\b/.test(q.slice(before.end, one.start)) ? { or: true } : {}),
      without: { ...state, q: withoutSpans(q, [one]) },
      edit: { start: one.start, end: one.end },
    });
  });
  return chips;
}

/** Everything that narrows the search, echoed in words, each changed and removed on its own. What the query means is the service's word. */
export function chipsOf(state: SearchState, libraryName: (id: string) => string, understood?: readonly Understood[]): Chip[] {
  const chips = queryChips(state, understood);
  const add = (id: string, field: string, values: string[], gone: Partial<SearchState>, facet: string) =>
    chips.push({ id, field, values, without: { ...state, ...gone }, edit: { facet } });
  if (state.categories.length)
    add(
      'categories',
      'kind',
      state.categories.map((v) => categoryStyle(v).label),
      { categories: [] },
      'Kind',
    );
  if (state.groups.length) add('groups', 'group', state.groups, { groups: [] }, 'Kind');
  if (state.libraries.length) add('libraries', 'library', state.libraries.map(libraryName), { libraries: [] }, 'Library');
  if (state.extensions.length) add('extensions', 'type', state.extensions, { extensions: [] }, 'File type');
  if (state.tags.length) add('tags', 'tag', state.tags, { tags: [] }, 'Tags');
  if (state.searchIn) add('in', 'words in', [state.searchIn === 'names' ? 'names' : 'contents'], { searchIn: '' }, 'Words in');
  if (state.path) add('path', 'folder', [state.path], { path: '' }, 'Folder');
  if (state.status) add('status', 'status', [state.status], { status: '' }, 'Status');
  if (state.modifiedFrom !== null || state.modifiedTo !== null) {
    const long = state.modifiedFrom !== null && state.modifiedTo !== null && state.modifiedTo - state.modifiedFrom > 60 * 86_400;
    const words = span(state.modifiedFrom, state.modifiedTo, long ? formatShortMonth : formatDate);
    add('modified', 'modified', [words], { modifiedFrom: null, modifiedTo: null }, 'Modified');
  }
  if (state.sizeFrom !== null || state.sizeTo !== null)
    add('size', 'size', [span(state.sizeFrom, state.sizeTo, formatBytes)], { sizeFrom: null, sizeTo: null }, 'Size');
  if (state.box) add('box', 'place', ['in the drawn box'], { box: null }, 'Place');
  return chips;
}
