import type { SearchParams } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { plainWords, tokenizeQuery } from './query-text.ts';

export type ViewMode = 'list' | 'grid' | 'map';

export interface GeoBox {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Facts of files that are filtered by value, with the heading of each. The names are those of the API. */
export const FACT_FACETS = {
  lens: t('Lens'),
  artist: t('Artist'),
  album: t('Album'),
  author: t('Author'),
  language: t('Language'),
  resolution: t('Resolution'),
};
export type FactFacet = keyof typeof FACT_FACETS;
export const factFacets = Object.keys(FACT_FACETS) as FactFacet[];
type FactValues = Partial<Record<FactFacet, string[]>>;

function factsOf(read: (name: FactFacet) => string[]): FactValues {
  return Object.fromEntries(factFacets.map((name) => [name, read(name)] as const).filter(([, values]) => values.length > 0));
}

/** The chosen values of facts with one value added or removed. */
export function withFact(facts: FactValues, name: FactFacet, value: string, on: boolean): FactValues {
  const values = [...(facts[name] ?? []).filter((each) => each !== value), ...(on ? [value] : [])];
  return values.length > 0 ? { ...facts, [name]: values } : withoutFact(facts, name);
}

export function withoutFact(facts: FactValues, name: FactFacet): FactValues {
  const { [name]: _, ...rest } = facts;
  return rest;
}

/** The complete state of a search. It is stored only in the address. */
export interface SearchState {
  q: string;
  libraries: string[];
  categories: string[];
  groups: string[];
  extensions: string[];
  tags: string[];
  cameras: string[];
  facts: FactValues;
  /** Who owns the file on disk. */
  owners: string[];
  /** A person or group who can read the file on disk. */
  principal: string;
  /** Whether everyone can read the file on disk: true, false, or empty for both. */
  world: string;
  /** Empty means active files. */
  status: string;
  /** 'true' also finds sidecars. */
  sidecars: string;
  path: string;
  sizeFrom: number | null;
  sizeTo: number | null;
  modifiedFrom: number | null;
  modifiedTo: number | null;
  takenFrom: number | null;
  takenTo: number | null;
  box: GeoBox | null;
  /** Empty means names and contents. */
  searchIn: string;
  sort: string;
  semantic: number;
  viewMode: ViewMode;
  /** The file shown in the inspector. */
  item: string;
  /** The saved search this one started from. */
  saved: string;
}

export const EMPTY_SEARCH: SearchState = {
  q: '',
  libraries: [],
  categories: [],
  groups: [],
  extensions: [],
  tags: [],
  cameras: [],
  facts: {},
  owners: [],
  principal: '',
  world: '',
  status: '',
  sidecars: '',
  path: '',
  sizeFrom: null,
  sizeTo: null,
  modifiedFrom: null,
  modifiedTo: null,
  takenFrom: null,
  takenTo: null,
  box: null,
  searchIn: '',
  sort: '',
  semantic: 0,
  viewMode: 'list',
  item: '',
  saved: '',
};

const VIEW_MODES: readonly string[] = ['list', 'grid', 'map'];
const WORLD = ['true', 'false'] as const;
const SIDECARS = ['true'] as const;
const SEARCH_SCOPES = ['names', 'content'] as const;
type SearchScope = (typeof SEARCH_SCOPES)[number];

const oneOf = (choices: readonly string[], value: unknown): string => choices.find((choice) => choice === value) ?? '';

function numberOf(text: string | null): number | null {
  if (text === null || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function boxOf(text: string | null): GeoBox | null {
  const parts = (text ?? '').split(',').map(Number);
  if (parts.length !== 4 || parts.some((n) => !Number.isFinite(n))) return null;
  const [top, right, bottom, left] = parts as [number, number, number, number];
  return { top, right, bottom, left };
}

/** Reads the address. Unknown or invalid parameters are ignored. */
export function readState(search: string): SearchState {
  const p = new URLSearchParams(search);
  const viewMode = p.get('lens') ?? 'list';
  return {
    q: p.get('q') ?? '',
    libraries: p.getAll('library'),
    categories: p.getAll('kind'),
    groups: p.getAll('group'),
    extensions: p.getAll('ext'),
    tags: p.getAll('tag'),
    cameras: p.getAll('camera'),
    facts: factsOf((name) => p.getAll(`fact_${name}`)),
    owners: p.getAll('owner'),
    principal: p.get('principal') ?? '',
    world: oneOf(WORLD, p.get('world')),
    status: p.get('status') ?? '',
    sidecars: oneOf(SIDECARS, p.get('sidecars')),
    path: p.get('path') ?? '',
    sizeFrom: numberOf(p.get('size_from')),
    sizeTo: numberOf(p.get('size_to')),
    modifiedFrom: numberOf(p.get('modified_from')),
    modifiedTo: numberOf(p.get('modified_to')),
    takenFrom: numberOf(p.get('taken_from')),
    takenTo: numberOf(p.get('taken_to')),
    box: boxOf(p.get('box')),
    searchIn: oneOf(SEARCH_SCOPES, p.get('in')),
    sort: p.get('sort') ?? '',
    semantic: Math.min(1, Math.max(0, numberOf(p.get('semantic')) ?? 0)),
    viewMode: (VIEW_MODES.includes(viewMode) ? viewMode : 'list') as ViewMode,
    item: p.get('item') ?? '',
    saved: p.get('saved') ?? '',
  };
}

/** The order of the hits. Without words no file is more relevant than another, and the newest come first. */
export const sortOf = (state: SearchState): string => state.sort || (plainWords(state.q).length > 0 ? '' : 'newest');

/** The address of a state, without parameters that have their default value. */
export function writeState(state: SearchState): string {
  const p = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== '') p.set(name, String(value));
  };
  set('q', state.q);
  for (const [name, values] of [
    ['library', state.libraries],
    ['kind', state.categories],
    ['group', state.groups],
    ['ext', state.extensions],
    ['tag', state.tags],
    ['camera', state.cameras],
    ...factFacets.map((name) => [`fact_${name}`, state.facts[name] ?? []] as const),
    ['owner', state.owners],
  ] as const)
    for (const value of values) p.append(name, value);
  set('principal', state.principal);
  set('world', state.world);
  set('status', state.status);
  set('sidecars', state.sidecars);
  set('path', state.path);
  set('size_from', state.sizeFrom);
  set('size_to', state.sizeTo);
  set('modified_from', state.modifiedFrom);
  set('modified_to', state.modifiedTo);
  set('taken_from', state.takenFrom);
  set('taken_to', state.takenTo);
  if (state.box) p.set('box', [state.box.top, state.box.right, state.box.bottom, state.box.left].map((n) => n.toFixed(4)).join(','));
  set('in', state.searchIn);
  set('sort', state.sort);
  set('semantic', state.semantic || null);
  if (state.viewMode !== 'list') p.set('lens', state.viewMode);
  set('item', state.item);
  set('saved', state.saved);
  return p.toString();
}

export const searchHref = (state: Partial<SearchState>): string => {
  const text = writeState({ ...EMPTY_SEARCH, ...state });
  return text ? `/?${text}` : '/';
};

type Status = NonNullable<SearchParams['status']>;
const isStatus = (text: string): text is Status => ['active', 'missing', 'trashed', 'any'].includes(text);

const trimmed = (values: string[]): string[] => values.map((value) => value.trim()).filter(Boolean);

/** A value as it stands in quotes, where only quotes and backslashes have a meaning. */
export const quotable = (value: string): string => value.replace(/["\\]/g, '\\$&');

/** Alternatives in the filter language. */
const clauseOf = (key: 'tag' | 'owner', values: string[]): string =>
  values.length > 0 ? `(${values.map((value) => `${key}:"${quotable(value)}"`).join(' OR ')})` : '';

/** A file must have any of the tags. One tag is sent as a parameter; several are appended to the query as an OR clause. */
function tagFilter(tags: string[]): { tag: string; clause: string } {
  const clean = trimmed(tags);
  const [only, ...others] = clean;
  if (only && others.length === 0 && !only.includes(',')) return { tag: only, clause: '' };
  return { tag: '', clause: clauseOf('tag', clean) };
}

const OWNER_CLAUSE = /(?:^|\s)\((owner:"(?:[^"\\]|\\.)+"(?: OR owner:"(?:[^"\\]|\\.)+")*)\)$/s;
const TAG_CLAUSE = /(?:^|\s)\((tag:"(?:[^"\\]|\\.)+"(?: OR tag:"(?:[^"\\]|\\.)+")*)\)$/s;

/** Whether the clauses of facets follow the query, so that one with an OR is sent in parentheses. */
export const needsParentheses = (state: SearchState): boolean => hasClauses(state) && hasOpenOr(state.q);

const hasClauses = ({ tags, owners }: SearchState): boolean => tagFilter(tags).clause !== '' || trimmed(owners).length > 0;

/** The query as it is sent, without the clauses of facets behind it. */
export const ownQuery = (state: SearchState): string => (hasClauses(state) ? inParentheses(state.q) : state.q.trim());

/** A query to which a filter is added. AND binds tighter than OR, so an OR outside parentheses needs some. */
export const inParentheses = (q: string): string => (hasOpenOr(q) ? `(${closed(q)})` : closed(q));

function hasOpenOr(q: string): boolean {
  let depth = 0;
  for (const { operator, text } of tokenizeQuery(q)) {
    if (!operator) continue;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === 'OR' && depth <= 0) return true;
  }
  return false;
}

const OPEN_QUOTE = /^[-!]?(?:[a-z][\w.*-]*(?::|(?=[<>]))(?:[<>]=?|=)?)?"(?:[^"\\]|\\.)*(\\?)$/is;

/**
 * The query with its last quote and its parentheses closed, and without a NOT or a key at its end: what is still being typed must not take in
 * the filters behind it.
 */
function closed(q: string): string {
  const all = tokenizeQuery(q);
  const tokens = all.slice(0, all.findLastIndex(({ text, key, value }) => text !== 'NOT' && (key === undefined || value !== '')) + 1);
  const last = tokens.at(-1);
  const open = OPEN_QUOTE.exec(last?.text ?? '');
  const depth = tokens.reduce((sum, { text }) => (text === '(' ? sum + 1 : text === ')' ? Math.max(0, sum - 1) : sum), 0);
  return `${q.slice(0, last?.end ?? 0).trim()}${open ? `${open[1]}"` : ''}${')'.repeat(depth)}`;
}

/** Splits a saved query into the query and the values of a trailing OR clause. */
function splitClause(q: string, clause: RegExp): { q: string; values: string[] } {
  const found = clause.exec(q);
  if (!found) return { q, values: [] };
  return {
    q: q.slice(0, found.index),
    values: [...(found[1] ?? '').matchAll(/:"((?:[^"\\]|\\.)+)"/gs)].map(([, value = '']) => value.replace(/\\(["\\])/g, '$1')),
  };
}

/** The query of a response without the clauses that `toParams` has put behind it. */
export const withoutClauses = (q: string): string => splitClause(splitClause(q, OWNER_CLAUSE).q, TAG_CLAUSE).q;

/** The request parameters: only what determines the hits, not how they are displayed. */
export function toParams(state: SearchState): SearchParams {
  const params: SearchParams = {};
  const { tag, clause } = tagFilter(state.tags);
  const clauses = [clause, clauseOf('owner', trimmed(state.owners))].filter(Boolean);
  const q = [ownQuery(state), ...clauses].filter(Boolean).join(' ');
  if (q) params.q = q;
  if (state.libraries.length) params.library = state.libraries;
  if (state.categories.length) params.file_category = state.categories;
  if (state.groups.length) params.file_group = state.groups;
  if (state.extensions.length) params.extension = state.extensions;
  if (tag) params.tags = tag;
  if (state.principal) params.principal = state.principal;
  if (state.world) params.world_readable = state.world === 'true';
  if (isStatus(state.status)) params.status = state.status;
  if (state.sidecars) params.include_sidecars = true;
  if (state.path) params.path = state.path;
  if (state.sizeFrom !== null) params.size_gte = state.sizeFrom;
  if (state.sizeTo !== null) params.size_lte = state.sizeTo;
  if (state.modifiedFrom !== null) params.mtime_gte = state.modifiedFrom;
  if (state.modifiedTo !== null) params.mtime_lte = state.modifiedTo;
  if (state.takenFrom !== null) params.taken_gte = state.takenFrom;
  if (state.takenTo !== null) params.taken_lte = state.takenTo;
  if (state.cameras.length) params.camera = state.cameras;
  Object.assign(params, state.facts);
  if (state.box) {
    params.geo_top_lat = state.box.top;
    params.geo_right_lng = state.box.right;
    params.geo_bottom_lat = state.box.bottom;
    params.geo_left_lng = state.box.left;
  }
  if (state.searchIn) params.search_in = state.searchIn as SearchScope;
  if (state.sort) params.sort = state.sort;
  if (state.semantic) params.semantic = state.semantic;
  return params;
}

/** Saved searches store the API's parameter names, so that other clients can use them. */
export function fromSavedParams(params: Record<string, unknown>): Partial<SearchState> {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? value.split(',') : [];
  const num = (value: unknown): number | null => (typeof value === 'number' ? value : typeof value === 'string' ? numberOf(value) : null);
  const corners = [num(params['geo_top_lat']), num(params['geo_right_lng']), num(params['geo_bottom_lat']), num(params['geo_left_lng'])];
  const { q: rest, values: owners } = splitClause(typeof params['q'] === 'string' ? params['q'] : '', OWNER_CLAUSE);
  const { q, values: tags } = splitClause(rest, TAG_CLAUSE);
  return {
    q,
    libraries: list(params['library']),
    categories: list(params['file_category']),
    groups: list(params['file_group']),
    extensions: list(params['extension']),
    tags: [...list(params['tags']), ...tags],
    cameras: list(params['camera']),
    facts: factsOf((name) => list(params[name])),
    owners,
    principal: typeof params['principal'] === 'string' ? params['principal'] : '',
    world: oneOf(WORLD, String(params['world_readable'] ?? '')),
    status: typeof params['status'] === 'string' ? params['status'] : '',
    sidecars: oneOf(SIDECARS, String(params['include_sidecars'] ?? '')),
    path: typeof params['path'] === 'string' ? params['path'] : '',
    sizeFrom: num(params['size_gte']),
    sizeTo: num(params['size_lte']),
    modifiedFrom: num(params['mtime_gte']),
    modifiedTo: num(params['mtime_lte']),
    takenFrom: num(params['taken_gte']),
    takenTo: num(params['taken_lte']),
    box: corners.every((n) => n !== null) ? boxOf(corners.join(',')) : null,
    searchIn: oneOf(SEARCH_SCOPES, params['search_in']),
    sort: typeof params['sort'] === 'string' ? params['sort'] : '',
    semantic: num(params['semantic']) ?? 0,
  };
}

/** Whether two states make the same request. */
export function sameQuery(a: SearchState, b: SearchState): boolean {
  return JSON.stringify(toParams(a)) === JSON.stringify(toParams(b));
}
