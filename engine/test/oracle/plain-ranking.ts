import type { Document, Query, Schema } from '../../src/types.ts';
import { type PlainQuery, plainTokens } from './plain-text.ts';

/** A document as the rules see it: the tokens of each text field, in schema order. */
export interface PlainFields {
  tokens: { term: string; position: number; extra: boolean }[][];
}

export function plainFields(document: Document, schema: Schema): PlainFields {
  return {
    tokens: schema.text.map(({ name }) => {
      const value = document[name];
      const values = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : [];
      let base = 0;
      return values.flatMap((text) => {
        const found = plainTokens(text).map((token) => ({ ...token, position: token.position + base }));
        base = Math.max(base - 8, ...found.map((token) => token.position + 1)) + 8;
        return found;
      });
    }),
  };
}

/** Optimal string alignment distance. */
function distance(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  const d: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    d.push([i]);
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        d[0]!.push(j);
        continue;
      }
      let best = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, d[i - 2]![j - 2]! + 1);
      d[i]!.push(best);
    }
  }
  return d[a.length]![b.length]!;
}

const known = new Map<string, number>();

/** The number of typos between a word and a term, 9 when beyond the budget. */
function typos(word: string, term: string, prefix: boolean): number {
  const key = `${word}\n${term}\n${prefix}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const length = Array.from(word).length;
  const budget = /\p{N}/u.test(word) || length < 5 ? 0 : length < 9 ? 1 : 2;
  let steps = 9;
  if (budget > 0 && word.codePointAt(0) === term.codePointAt(0)) {
    const letters = Array.from(term);
    steps = prefix ? Math.min(...letters.map((_, end) => distance(word, letters.slice(0, end + 1).join('')))) : distance(word, term);
    if (steps > budget) steps = 9;
  }
  if (known.size > 200_000) known.clear();
  known.set(key, steps);
  return steps;
}

/** §3: the level of a term for a word in a field, or 9. */
function levelOf(word: string, prefix: boolean, term: string, field: { typos?: boolean; infix?: boolean }): number {
  if (term === word || (prefix && term.startsWith(word))) return 0;
  const steps = field.typos === false ? 9 : typos(word, term, prefix);
  if (steps < 3) return steps;
  return field.infix === true && Array.from(word).length >= 3 && term.includes(word) ? 3 : 9;
}

interface Occurrence {
  field: number;
  position: number;
  exact: boolean;
  extra: boolean;
}

/** A document's rank for a query. Ranks are compared element by element, smaller first. */
export interface PlainRank {
  values: number[];
  score: number;
}

function cost(left: Occurrence[], right: Occurrence[]): number {
  let least = 8;
  for (const { field, position: p } of left) {
    for (const { field: other, position: q } of right) {
      if (field !== other) continue;
      const gap = q - p;
      if (gap >= 1 && gap <= 7) least = Math.min(least, gap);
      else if (gap === 0) least = Math.min(least, 2);
      else if (gap <= -1 && gap >= -6) least = Math.min(least, -gap + 1);
    }
  }
  return least;
}

/** §3 to §5 for one document; null when it does not match. */
export function plainRank(fields: PlainFields, schema: Schema, parsed: PlainQuery, query: Query): PlainRank | null {
  const searchedFields = schema.text
    .map(({ name }, index) => ({ name, index }))
    .filter(({ name }) => query.fields === undefined || query.fields.includes(name));
  const hasPhrase = (terms: string[]) =>
    searchedFields.some(({ index }) =>
      fields.tokens[index]!.some((start) =>
        terms.every((term, step) => fields.tokens[index]!.some((token) => token.term === term && token.position === start.position + step)),
      ),
    );
  if (parsed.exclusions.some(hasPhrase)) return null;
  if (parsed.parts.length === 0) return { values: [], score: 1 };

  const find = (word: string, prefix: boolean) => {
    const graded = searchedFields.flatMap(({ index }) =>
      fields.tokens[index]!.map((token) => ({
        field: index,
        position: token.position,
        exact: token.term === word,
        extra: token.extra,
        level: levelOf(word, prefix, token.term, schema.text[index]!),
      })),
    );
    const level = Math.min(9, ...graded.map((one) => one.level));
    return { level, occurrences: graded.filter((one) => one.level === level) };
  };

  const matched: { level: number; occurrences: Occurrence[] }[] = [];
  let open = true;
  let run = 0;
  let words = 0;
  for (const part of parsed.parts) {
    if (part.phrase) {
      if (!hasPhrase(part.terms)) return null;
      for (const term of part.terms) matched.push(find(term, false));
      continue;
    }
    words++;
    if (!open) continue;
    const found = find(part.terms[0]!, part.prefix);
    if (found.level === 9) {
      if (query.matching !== 'last') return null;
      open = false;
    } else {
      matched.push(found);
      run++;
    }
  }
  if (words > 0 && run === 0) return null;

  const all = parsed.parts.flatMap((part) => part.terms);
  const n = matched.length;
  const S = matched.reduce((sum, { level }) => sum + level, 0);
  let P = 0;
  for (let i = 0; i + 1 < n; i++) P += cost(matched[i]!.occurrences, matched[i + 1]!.occurrences);
  const A = matched.reduce((sum, { occurrences }) => sum + Math.min(...occurrences.map(({ field }) => field)), 0);
  const X = matched.filter(({ occurrences }) => occurrences.some(({ exact }) => exact)).length;
  /** Whether the field has as many tokens as the query has words, each token is a word, and each word is there. */
  const hasOnlyWords = (index: number) => {
    const tokens = fields.tokens[index]!.filter((token) => !token.extra);
    const places = matched.map(({ occurrences }) =>
      occurrences.filter(({ field, extra }) => field === index && !extra).map(({ position }) => position),
    );
    if (n !== all.length || tokens.length !== n) return false;
    return places.every((own) => own.length > 0) && tokens.every(({ position }) => places.some((own) => own.includes(position)));
  };
  const W = Math.min(
    2,
    ...searchedFields.filter(({ index }) => hasOnlyWords(index)).map(({ index }) => (schema.text[index]!.variant === true ? 1 : 0)),
  );
  const F = schema.text.length;
  const score =
    0.5 * (n / all.length) +
    0.25 * (1 - S / (3 * n)) +
    0.125 * (n < 2 ? 1 : 1 - (P - (n - 1)) / (7 * (n - 1))) +
    0.0825 * (1 - A / (n * Math.max(1, F - 1))) +
    0.0425 * (W === 0 ? 1 : W === 1 ? 0.95 : (0.9 * X) / n);
  return { values: [-n, S, P, A, W, -X], score };
}

/** The terms of a document that matched a word at the document's level for it, by requested field. */
export function plainMatches(fields: PlainFields, schema: Schema, parsed: PlainQuery, query: Query): Record<string, string[]> {
  const searchedFields = schema.text.flatMap((field, index) => (query.fields?.includes(field.name) === false ? [] : [{ field, index }]));
  const found: Record<string, string[]> = {};
  for (const part of parsed.parts) {
    for (const word of part.terms) {
      const graded = searchedFields.flatMap(({ field, index }) =>
        fields.tokens[index]!.map(({ term }) => ({
          field: field.name,
          term,
          level: part.phrase && term !== word ? 9 : levelOf(word, part.prefix, term, field),
        })),
      );
      const best = Math.min(8, ...graded.map(({ level }) => level));
      for (const { field, term, level } of graded) {
        if (level === best && query.matches!.includes(field)) found[field] = [...new Set([...(found[field] ?? []), term])].sort();
      }
    }
  }
  return found;
}
