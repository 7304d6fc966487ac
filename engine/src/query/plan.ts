import { parseQuery, typoBudget } from '../text/index.ts';
import type { Query, Schema } from '../types.ts';

/** Cells up to this size are ordered by comparing documents. */
export let smallCell = 200;

export function setSmallCell(size: number): void {
  smallCell = size;
}

/** What a query's text asks for, before any segment is looked at. */
export interface PlannedWord {
  term: string;
  prefix: boolean;
  budget: number;
  /** Words of phrases match exactly and are always required. */
  inPhrase: boolean;
}

export interface TextPlan {
  /** Words and the tokens of phrases, in the order they were typed. */
  words: PlannedWord[];
  /** Runs of `words` that must stand together. */
  phrases: { first: number; length: number }[];
  /** Plain words: places in `words`, in order. */
  plain: number[];
  excludedWords: string[];
  excludedPhrases: string[][];
  lastMayDrop: boolean;
  /** Bit f: text field f is searched; is searched and forgives typos; is searched and allows infix. */
  searched: number;
  typoFields: number;
  infixFields: number;
  fieldCount: number;
}

export function planText(schema: Schema, query: Query): TextPlan {
  const { parts, exclusions } = parseQuery(query.text ?? '', query.prefix === undefined ? {} : { prefix: query.prefix });
  const words: PlannedWord[] = [];
  const phrases: TextPlan['phrases'] = [];
  const plain: number[] = [];
  for (const part of parts) {
    if (part.kind === 'word') {
      plain.push(words.length);
      words.push({ term: part.term, prefix: part.prefix, budget: typoBudget(part.term), inPhrase: false });
    } else {
      phrases.push({ first: words.length, length: part.terms.length });
      for (const term of part.terms) words.push({ term, prefix: false, budget: 0, inPhrase: true });
    }
  }
  const maskOf = (wanted: (field: Schema['text'][number]) => boolean) =>
    schema.text.reduce((mask, field, index) => (isSearched(query, field.name) && wanted(field) ? mask | (1 << index) : mask), 0);
  return {
    words,
    phrases,
    plain,
    excludedWords: exclusions.filter((terms) => terms.length === 1).map((terms) => terms[0]!),
    excludedPhrases: exclusions.filter((terms) => terms.length > 1),
    lastMayDrop: query.matching === 'last',
    searched: maskOf(() => true),
    typoFields: maskOf((field) => field.typos !== false),
    infixFields: maskOf((field) => field.infix === true),
    fieldCount: schema.text.length,
  };
}

const isSearched = (query: Query, name: string) => query.fields === undefined || query.fields.includes(name);

/** A wall-clock budget, looked at between pieces of work. Once it is over, it stays over. */
export interface Deadline {
  passed(): boolean;
  /** Whether anyone was told that it had passed. */
  missed(): boolean;
}

export function startDeadline(milliseconds: number | undefined): Deadline {
  const end = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
  let missed = false;
  return {
    passed() {
      missed ||= performance.now() > end;
      return missed;
    },
    missed: () => missed,
  };
}
