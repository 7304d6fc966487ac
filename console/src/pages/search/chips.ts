import { bytes } from '../../format/numbers.ts';
import { categoryLook } from '../../format/categories.ts';
import { date, shortMonthYear } from '../../format/dates.ts';
import { type QueryToken, tokenize, withoutTokens } from './query-text.ts';
import type { SearchState } from './search-state.ts';

/** One filter in words: "library Photos or Studio". */
export interface Chip {
  id: string;
  field: string;
  values: string[];
  /** The same search without this filter. */
  without: SearchState;
}

const FIELD_WORDS: Record<string, string> = { ext: 'type', is: 'status', has: 'has', hash: 'hash', name: 'name' };

function wordsForValue(token: QueryToken): string {
  const value = token.value ?? '';
  if (token.key === 'kind') return categoryLook(value === '3d' ? 'three-d-cad' : value).label;
  return value.replace('..', ' – ').replace(/^>=?/, 'over ').replace(/^<=?/, 'under ');
}

function span(from: number | null, to: number | null, words: (n: number) => string): string {
  if (from !== null && to !== null) return words(from) === words(to) ? words(from) : `${words(from)} – ${words(to)}`;
  return from !== null ? `from ${words(from)}` : `up to ${words(to!)}`;
}

/** Everything that narrows the search, echoed in words, each removable on its own. */
export function chipsOf(state: SearchState, libraryName: (id: string) => string): Chip[] {
  const chips: Chip[] = [];
  const tokens = tokenize(state.q);
  const free = tokens.filter((t) => !t.key);
  const mixed = tokens.some((t) => t.operator);
  if (mixed) {
    chips.push({ id: 'q', field: 'query', values: [state.q.trim()], without: { ...state, q: '' } });
  } else {
    const words = free.filter((t) => !t.negated);
    if (words.length)
      chips.push({
        id: 'words',
        field: 'contains',
        values: [words.map((t) => t.text).join(' ')],
        without: { ...state, q: withoutTokens(state.q, words) },
      });
    for (const token of free.filter((t) => t.negated))
      chips.push({
        id: `not${token.start}`,
        field: 'without',
        values: [token.text.slice(1)],
        without: { ...state, q: withoutTokens(state.q, [token]) },
      });
    for (const token of tokens.filter((t) => t.key && t.value))
      chips.push({
        id: `${token.key}${token.start}`,
        field: `${token.negated ? 'not ' : ''}${FIELD_WORDS[token.key!] ?? token.key}`,
        values: [wordsForValue(token)],
        without: { ...state, q: withoutTokens(state.q, [token]) },
      });
  }
  const many = (id: 'categories' | 'groups' | 'libraries' | 'extensions', field: string, word: (v: string) => string) => {
    if (state[id].length) chips.push({ id, field, values: state[id].map(word), without: { ...state, [id]: [] } });
  };
  many('categories', 'kind', (v) => categoryLook(v).label);
  many('groups', 'group', (v) => v);
  many('libraries', 'library', libraryName);
  many('extensions', 'type', (v) => v);
  for (const tag of state.tags)
    chips.push({ id: `tag-${tag}`, field: 'tag', values: [tag], without: { ...state, tags: state.tags.filter((t) => t !== tag) } });
  if (state.path) chips.push({ id: 'path', field: 'folder', values: [state.path], without: { ...state, path: '' } });
  if (state.status) chips.push({ id: 'status', field: 'status', values: [state.status], without: { ...state, status: '' } });
  if (state.modifiedFrom !== null || state.modifiedTo !== null) {
    const long = state.modifiedFrom !== null && state.modifiedTo !== null && state.modifiedTo - state.modifiedFrom > 60 * 86_400;
    chips.push({
      id: 'modified',
      field: 'modified',
      values: [span(state.modifiedFrom, state.modifiedTo, long ? shortMonthYear : date)],
      without: { ...state, modifiedFrom: null, modifiedTo: null },
    });
  }
  if (state.sizeFrom !== null || state.sizeTo !== null)
    chips.push({
      id: 'size',
      field: 'size',
      values: [span(state.sizeFrom, state.sizeTo, bytes)],
      without: { ...state, sizeFrom: null, sizeTo: null },
    });
  if (state.box) chips.push({ id: 'box', field: 'place', values: ['in the drawn box'], without: { ...state, box: null } });
  return chips;
}
