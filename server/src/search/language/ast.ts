import type { Visibility } from '../../people/access/index.ts';

/** The parsed query, independent of whether SQL or the index evaluates it. Positions are UTF-16 code units from the start of the query. */
interface Span {
  start: number;
  end: number;
}

export type Expression =
  | { kind: 'and'; parts: Expression[] }
  | { kind: 'or'; parts: Expression[] }
  | { kind: 'not'; part: Expression }
  | FilterTerm
  | WordTerm;

/** `key:value`. */
export interface FilterTerm extends Span {
  kind: 'filter';
  /** For `meta` and `cf`, `name` has the rest of the key. */
  key: FilterKey;
  name: string;
  test: ValueTest;
  /** The value as typed, for display. */
  value: string;
  /** Set for filters by permissions before the query runs; see resolveAccess. */
  access?: { classes: number[]; visibility: Visibility };
}

/** A word or quoted phrase to search for in the text. */
export interface WordTerm extends Span {
  kind: 'word';
  text: string;
  quoted: boolean;
}

export const plainKeys = [
  'kind',
  'group',
  'ext',
  'path',
  'tag',
  'hash',
  'size',
  'modified',
  'created',
  'taken',
  'camera',
  'is',
  'has',
  'library',
  'year',
  'owner',
  'readable-by',
  'writable-by',
  'perm-changed',
] as const;
export type FilterKey = (typeof plainKeys)[number] | 'meta' | 'cf';

export interface RangeBounds {
  gte?: number;
  gt?: number;
  lte?: number;
  lt?: number;
}

export type ValueTest =
  /** Matches any of these values; those in `globs` contain `*`. */
  | { type: 'values'; exact: string[]; globs: string[] }
  | { type: 'range'; bounds: RangeBounds }
  /** ISO days as text, for custom fields of type date. */
  | { type: 'dates'; gte?: string; lt?: string }
  /** Matches when there is any value. */
  | { type: 'present' };

export interface ParsedQuery {
  text: string;
  words: (WordTerm & { negated: boolean })[];
  /** Combined with AND. */
  filters: Expression[];
  chips: Chip[];
}

/** One filter as the console shows it. */
export interface Chip extends Span {
  field: string;
  value: string;
  negated: boolean;
  text: string;
}
