import { parseSearchText, type Query, type Schema, type TextField, typoBudget } from '@catalog/engine';
import { wholeValues } from './document.ts';
import { anyOf, type Clause } from './filter.ts';
import { beginnings, wholeField } from './mapping.ts';
import { type Weights, weightsFor } from './ranking.ts';

type Part = ReturnType<typeof parseSearchText>['parts'][number];
type SearchedField = TextField & { index: number };

export interface WordsQuery {
  clause: Clause;
  /** Words and phrases that a document is matched against; 0 when every document matches. */
  parts: number;
  weights: Weights;
  /** Words that may match inside a term, which the server does not mark. */
  infixes: string[];
}

/** Proximity is scored for the first pairs only, because each pair costs three phrase queries per field. */
const maxPairs = 4;

/** The words of a query as clauses whose scores follow the ranking rules. */
export function wordsQuery(query: Query, schema: Schema): WordsQuery {
  const fields: SearchedField[] = schema.text
    .map((field, index) => ({ ...field, index }))
    .filter(({ name }) => !query.fields || query.fields.includes(name));
  const { parts, exclusions } = parseSearchText(
    (query.text ?? '').toWellFormed(),
    query.prefix === undefined ? {} : { prefix: query.prefix },
  );
  const partial = query.matching === 'last';
  const weights = weightsFor(schema.text.length, partial);
  const required = parts.map((part) => partClause(part, fields, weights));
  const optional = partial ? [] : [...proximityClauses(parts, fields, weights), ...wholeClauses(parts, fields, weights)];
  return {
    clause: {
      bool: {
        must: partial ? leadingRun(parts, required) : required.length > 0 ? required : [{ match_all: {} }],
        should: optional,
        must_not: exclusions.map((terms) => anyOf(fields.map(({ name }) => phrase(name, terms)))),
      },
    },
    parts: parts.length,
    weights,
    infixes: parts.flatMap((part) => (part.kind === 'word' && [...part.term].length >= 3 ? [part.term] : [])),
  };
}

const scored = (filter: Clause, boost: number): Clause => ({ constant_score: { filter, boost } });
const best = (queries: Clause[]): Clause => (queries.length === 0 ? { match_none: {} } : { dis_max: { queries } });

function phrase(field: string, terms: readonly string[], slop = 0): Clause {
  if (terms.length === 1) return { term: { [field]: { value: terms[0] } } };
  return { match_phrase: { [field]: { query: terms.join(' '), slop } } };
}

function partClause(part: Part, fields: readonly SearchedField[], weights: Weights): Clause {
  if (part.kind === 'phrase') return best(fields.map(({ name, index }) => scored(phrase(name, part.terms), weights.word(0, index, true))));
  const { term, prefix } = part;
  const length = [...term].length;
  const budget = typoBudget(term);
  const clauses: Clause[] = [];
  for (const { name, index, typos, infix } of fields) {
    clauses.push(scored({ term: { [name]: { value: term } } }, weights.word(0, index, true)));
    if (prefix) clauses.push(scored({ prefix: { [name]: { value: term } } }, weights.word(0, index, false)));
    for (let level = 1; level <= budget && typos !== false; level++) {
      clauses.push(scored(misspelt(name, term, level), weights.word(level, index, false)));
      if (prefix && infix && length <= beginnings.longest)
        clauses.push(scored(misspelt(`${name}.beginnings`, term, level), weights.word(level, index, false)));
    }
    if (infix && length >= 3)
      clauses.push(scored({ wildcard: { [`${name}.infix`]: { value: `*${term}*` } } }, weights.word(3, index, false)));
  }
  return best(clauses);
}

/** The rewrite method avoids one clause per similar term, of which a request may have only 1,024. */
function misspelt(field: string, value: string, fuzziness: number): Clause {
  return { fuzzy: { [field]: { value, fuzziness, prefix_length: 1, transpositions: true, rewrite: 'constant_score' } } };
}

/** Phrases are always required; of the words, the first must match, and each further one counts if those before it match. */
function leadingRun(parts: readonly Part[], clauses: readonly Clause[]): Clause[] {
  const phrases = clauses.filter((_, at) => parts[at]?.kind === 'phrase');
  const words = clauses.filter((_, at) => parts[at]?.kind === 'word');
  const run = words.reduceRight<Clause | null>((rest, word) => ({ bool: { must: [word], should: rest ? [rest] : [] } }), null);
  return run || phrases.length > 0 ? [...phrases, ...(run ? [run] : [])] : [{ match_all: {} }];
}

function proximityClauses(parts: readonly Part[], fields: readonly SearchedField[], weights: Weights): Clause[] {
  const clauses: Clause[] = [];
  for (let at = 0; at + 1 < parts.length && clauses.length < maxPairs; at++) {
    const [first, second] = [parts[at], parts[at + 1]];
    if (first?.kind !== 'word' || second?.kind !== 'word') continue;
    const type = second.prefix ? 'phrase_prefix' : 'phrase';
    const near = (slop: number): Clause => ({
      multi_match: { type, query: `${first.term} ${second.term}`, fields: fields.map(({ name }) => name), slop, analyzer: 'whitespace' },
    });
    clauses.push(
      best([scored(near(0), weights.proximity(3)), scored(near(1), weights.proximity(2)), scored(near(6), weights.proximity(1))]),
    );
  }
  return clauses;
}

/** Documents with a field that is all of the query: in any order, or in the typed order with an incomplete last word. */
function wholeClauses(parts: readonly Part[], fields: readonly SearchedField[], weights: Weights): Clause[] {
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part.term] : part.terms));
  if (words.length === 0) return [];
  const last = parts.at(-1);
  const clauses = fields.map(({ name, variant }) => {
    const [inOrder, sorted] = wholeValues(name, words);
    const matches: Clause[] = [{ term: { [wholeField]: { value: sorted } } }];
    if (last?.kind === 'word' && last.prefix)
      matches.push({ regexp: { [wholeField]: { value: `${escaped(inOrder)}[^ ]*`, flags: 'NONE', rewrite: 'constant_score' } } });
    return scored(anyOf(matches), weights.whole(variant === true));
  });
  return [best(clauses)];
}

/** A literal text in the server's regular expressions. */
export function escaped(text: string): string {
  return text.replace(/[.?+*|{}[\]()"\\#@&<>~^$-]/g, '\\$&');
}
