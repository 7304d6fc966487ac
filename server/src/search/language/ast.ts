/** What a query says, before anybody asks where the answer comes from. Positions count UTF-16 code units from the start of the query. */
export interface Span {
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
  /** As in the table of keys; meta and cf carry their own name in `name`. */
  key: FilterKey;
  name: string;
  test: ValueTest;
  /** The value as typed, for people. */
  value: string;
}

/** A word or a quoted phrase to be looked for in the text. */
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
  'is',
  'has',
  'library',
  'year',
] as const;
export type FilterKey = (typeof plainKeys)[number] | 'meta' | 'cf';

export interface RangeBounds {
  gte?: number;
  gt?: number;
  lte?: number;
  lt?: number;
}

export type ValueTest =
  /** One of these values; those in `globs` hold `*`. */
  | { type: 'values'; exact: string[]; globs: string[] }
  | { type: 'range'; bounds: RangeBounds }
  /** Days as text, for custom fields of type date. */
  | { type: 'dates'; gte?: string; lt?: string }
  /** There at all. */
  | { type: 'present' };

/** A query that was understood. */
export interface ParsedQuery {
  text: string;
  words: (WordTerm & { negated: boolean })[];
  /** All must hold. */
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
