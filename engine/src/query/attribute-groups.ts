import { asBitmap, bitmapPart, type Cell, type CellPart, cellOf, intersect, without } from './cells.ts';

export interface AttributeGroup {
  /** The sum of fields that all its documents have. */
  sum: number;
  /** Those that were left over: their sums are unknown, and `sum` is 0. */
  isRest: boolean;
  cell(): Cell;
}

/** Sums of fields that get a group of their own; all others are read together. */
const mostSums = 24;

/**
 * Divides a cell whose documents have all these words at level 0 by rule 4's sum of fields, smallest first: the postings tell it without
 * a look at the documents. Each group is made when it is asked for.
 */
export function* attributeGroups(cell: Cell, words: readonly number[], fieldCount: number): Iterable<AttributeGroup> {
  const parts = cell.parts.map((part) => ({
    rest: bitmapPart(part.match, asBitmap(part)),
    firsts: words.map((word) => firstFields(part, word, fieldCount)),
  }));
  const possible = new Set(parts.flatMap(({ firsts }) => possibleSums(firsts)));
  for (const sum of [...possible].sort((a, b) => a - b).slice(0, mostSums)) {
    let made: Cell | null = null;
    const make = () => {
      const found = parts.flatMap((part) => {
        const own = withSum(part.rest, part.firsts, sum);
        if (own !== null) part.rest = without(part.rest, asBitmap(own));
        return own ?? [];
      });
      return { ...cell, ...cellOf(found, cell.levels) };
    };
    yield {
      sum,
      isRest: false,
      cell: () => {
        made ??= make();
        return made;
      },
    };
    made ??= make();
    if (parts.every(({ rest }) => rest.count === 0)) return;
  }
  yield {
    sum: 0,
    isRest: true,
    cell: () => ({
      ...cell,
      ...cellOf(
        parts.map(({ rest }) => rest),
        cell.levels,
      ),
    }),
  };
}

/** By field: the documents that have the word there and in no field before it. */
function firstFields(part: CellPart, word: number, fieldCount: number): (CellPart | null)[] {
  const byField = part.match.levels[word]!.byField(0);
  let rest = bitmapPart(part.match, asBitmap(part));
  return Array.from({ length: fieldCount }, (_, field) => {
    const bitmap = byField[field]!;
    if (bitmap === null || rest.count === 0) return null;
    const own = intersect(rest, bitmap);
    if (own.count === 0) return null;
    rest = without(rest, bitmap);
    return own;
  });
}

function possibleSums(firsts: readonly (CellPart | null)[][]): number[] {
  return firsts.reduce<number[]>(
    (sums, own) => [...new Set(sums.flatMap((sum) => own.flatMap((part, field) => (part === null ? [] : sum + field))))],
    [0],
  );
}

/** The documents whose first fields add up to `sum`. */
function withSum(documents: CellPart, firsts: readonly (CellPart | null)[][], sum: number): CellPart | null {
  const [own, ...others] = firsts;
  if (own === undefined) return sum === 0 ? documents : null;
  let found: CellPart | null = null;
  for (let field = 0; field <= sum && field < own.length; field++) {
    if (own[field] === null) continue;
    const here = intersect(documents, own[field]!.bitmap!);
    if (here.count === 0) continue;
    const both = withSum(here, others, sum - field);
    if (both !== null) found = found === null ? both : union(found, both);
  }
  return found;
}

function union(a: CellPart, b: CellPart): CellPart {
  const { segment } = a.match;
  const bitmap = segment.scratch.bitmap();
  segment.kernels.or(bitmap, asBitmap(a), asBitmap(b), segment.blocks);
  return bitmapPart(a.match, bitmap);
}
