// biome-ignore-all lint/style/noNonNullAssertion: every index is below the length of its typed array
import { recordAt, tags } from './corpus.ts';

/** Filters and facets over typed arrays: one code per document and column. FTS5 itself has no facets. */
export function loadColumns(size: number) {
  const codes = new Map<string, number>();
  const codeOf = (value: string) => {
    if (!codes.has(value)) codes.set(value, codes.size);
    return codes.get(value)!;
  };
  const library = new Uint8Array(size + 1);
  const category = new Uint8Array(size + 1);
  const group = new Uint8Array(size + 1);
  const active = new Uint8Array(size + 1);
  const tagStarts = new Uint32Array(size + 2);
  const tagCodes: number[] = [];
  const codeOfTag = new Map(tags.map((tag, index) => [tag, index]));
  for (let index = 0; index < size; index++) {
    const record = recordAt(index);
    library[index + 1] = codeOf(record.library);
    category[index + 1] = codeOf(record.category);
    group[index + 1] = codeOf(record.group);
    active[index + 1] = record.status === 'active' ? 1 : 0;
    tagStarts[index + 1] = tagCodes.length;
    for (const tag of record.tags) tagCodes.push(codeOfTag.get(tag)!);
  }
  tagStarts[size + 1] = tagCodes.length;
  const tagList = Uint16Array.from(tagCodes);

  const counters = () => ({ values: new Int32Array(codes.size), tags: new Int32Array(tags.length) });
  return {
    /** Counts the libraries, categories, groups and tags of the active documents among `ids`. */
    count: (ids: readonly number[]) => {
      const { values, tags: tagCounts } = counters();
      let found = 0;
      for (const id of ids) {
        if (active[id] === 0) continue;
        found++;
        values[library[id]!]!++;
        values[category[id]!]!++;
        values[group[id]!]!++;
        for (let at = tagStarts[id]!; at < tagStarts[id + 1]!; at++) tagCounts[tagList[at]!]!++;
      }
      return found;
    },
    /** Counts over all active documents: either the tags, or the other three columns. */
    countAll: (onlyTags: boolean) => {
      const { values, tags: tagCounts } = counters();
      let found = 0;
      for (let id = 1; id <= size; id++) {
        if (active[id] === 0) continue;
        found++;
        if (onlyTags) {
          for (let at = tagStarts[id]!; at < tagStarts[id + 1]!; at++) tagCounts[tagList[at]!]!++;
        } else {
          values[library[id]!]!++;
          values[category[id]!]!++;
          values[group[id]!]!++;
        }
      }
      return found;
    },
  };
}

/** Finds terms within an edit distance, because FTS5 has no typo tolerance. Only terms with the same first letter are compared. */
export function createVocabulary(terms: readonly string[]) {
  const byLetter = Map.groupBy(terms, (term) => term[0]);
  return {
    near: (word: string): string[] => {
      const maxDistance = word.length >= 9 ? 2 : word.length >= 5 ? 1 : 0;
      const candidates = byLetter.get(word[0]) ?? [];
      return candidates.filter((term) => Math.abs(term.length - word.length) <= maxDistance && isWithinDistance(word, term, maxDistance));
    },
  };
}

/** Optimal string alignment distance, aborted as soon as a whole row exceeds the limit. */
function isWithinDistance(a: string, b: string, maxDistance: number): boolean {
  let beforePrevious = new Uint8Array(b.length + 1);
  let previous = Uint8Array.from({ length: b.length + 1 }, (_, index) => index);
  let current = new Uint8Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    let rowMinimum = i;
    for (let j = 1; j <= b.length; j++) {
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, beforePrevious[j - 2]! + 1);
      current[j] = value;
      rowMinimum = Math.min(rowMinimum, value);
    }
    if (rowMinimum > maxDistance) return false;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[b.length]! <= maxDistance;
}
