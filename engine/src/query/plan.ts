import { parseSearchText, typoBudget } from '../text/index.ts';
import type { Query, Schema } from '../types.ts';

/** Cells up to this size are sorted by comparing documents. */
export let smallCell = 200;

export function setSmallCell(size: number): void {
  smallCell = size;
}

/** One word of the query text, independent of any segment. */
export interface PlannedWord {
  term: string;
  prefix: boolean;
  maxTypos: number;
  /** Words of phrases match exactly and are always required. */
  inPhrase: boolean;
}

export interface TextPlan {
  /** Words and phrase tokens in query order. */
  words: PlannedWord[];
  /** Ranges of `words` that must occur at consecutive positions. */
  phrases: { first: number; length: number }[];
  /** Indexes in `words` of the words outside phrases, in order. */
  plainWords: number[];
  excludedWords: string[];
  excludedPhrases: string[][];
  allowsMissingWords: boolean;
  /** Bit masks by text field: searched; searched with typo tolerance; searched with infix matching. */
  searchedFields: number;
  typoFields: number;
  infixFields: number;
  /** Searched fields that are a shorter form of another one. */
  variantFields: number;
  fieldCount: number;
}

export function planText(schema: Schema, query: Query): TextPlan {
  const { parts, exclusions } = parseSearchText(query.text ?? '', query.prefix === undefined ? {} : { prefix: query.prefix });
  const words: PlannedWord[] = [];
  const phrases: TextPlan['phrases'] = [];
  const plainWords: number[] = [];
  for (const part of parts) {
    if (part.kind === 'word') {
      plainWords.push(words.length);
      words.push({ term: part.term, prefix: part.prefix, maxTypos: typoBudget(part.term), inPhrase: false });
    } else {
      phrases.push({ first: words.length, length: part.terms.length });
      for (const term of part.terms) words.push({ term, prefix: false, maxTypos: 0, inPhrase: true });
    }
  }
  const maskOf = (wanted: (field: Schema['text'][number]) => boolean) =>
    schema.text.reduce((mask, field, index) => (isSearched(query, field.name) && wanted(field) ? mask | (1 << index) : mask), 0);
  return {
    words,
    phrases,
    plainWords,
    excludedWords: exclusions.flatMap((terms) => (terms.length === 1 ? terms : [])),
    excludedPhrases: exclusions.filter((terms) => terms.length > 1),
    allowsMissingWords: query.matching === 'last',
    searchedFields: maskOf(() => true),
    typoFields: maskOf((field) => field.typos !== false),
    infixFields: maskOf((field) => field.infix === true),
    variantFields: maskOf((field) => field.variant === true),
    fieldCount: schema.text.length,
  };
}

const isSearched = (query: Query, name: string) => query.fields === undefined || query.fields.includes(name);

/** A wall-clock budget, checked between units of work. Once passed, it stays passed. */
export interface Deadline {
  passed(): boolean;
}

export function startDeadline(milliseconds: number | undefined): Deadline {
  const end = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
  let isPassed = false;
  return {
    passed() {
      isPassed ||= performance.now() > end;
      return isPassed;
    },
  };
}
