import { attributeGroups } from './attribute-groups.ts';
import type { SegmentMatch } from './candidates.ts';
import { type Cell, type CellPart, cellOf, intersect, without } from './cells.ts';
import { perhapsWhole } from './field-lengths.ts';
import { emptyBitmap } from './filter.ts';
import type { TextPlan } from './plan.ts';
import { standing } from './rank.ts';
import { smallCell } from './walk.ts';

/** Documents of a cell that stand alike, or are read together. */
export interface ReadingGroup {
  /** What none of them, nor of the groups after this one that are to be read, stands before. */
  best: number;
  cell(): Cell;
  /** They all stand at `best`, and that is known without reading them; it says nothing of later groups. */
  known: boolean;
}

const mostGroupedWords = 4;
const farApart = 8;

/**
 * Divides a large cell by what its documents can reach at best, as far as postings tell: the sum of fields; that neighbouring words have
 * no field in common, so that they are as far apart as can be; that no field can be the query; that the prefix word is there itself. Each
 * group is made when it is asked for.
 */
export function* readingGroups(cell: Cell, plan: TextPlan, counted: number): Iterable<ReadingGroup> {
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > mostGroupedWords || cell.count <= smallCell * 5) {
    yield { best: 0, cell: () => cell, known: false };
    return;
  }
  const count = words.length;
  const common = new Map(cell.parts.map(({ match }) => [match, withCommonField(match, words, plan.fieldCount)]));
  const exactly = new Map(cell.parts.map(({ match }) => [match, withExactWord(match, plan, words.at(-1)!)]));
  const at = (attribute: number, place: { proximity?: number; whole?: boolean; exact?: number }) =>
    standing({ proximity: count - 1, attribute, whole: false, exact: count, ...place });
  const group = (best: number, own: Cell, known = false): ReadingGroup => ({ best, cell: () => own, known });

  for (const { sum, cell: make, isRest } of attributeGroups(cell, words, plan.fieldCount)) {
    let others: Cell | null = null;
    yield {
      best: at(sum, { whole: true }),
      known: false,
      cell: () => {
        const own = make();
        if (isRest || own.count <= smallCell) return own;
        others = own;
        // Those that may hold a field which is the query are read first: then nothing of the others can stand before them unseen.
        const near = divide(own, ({ match }) => common.get(match)!).with;
        return divide(near, ({ match }) => perhapsWhole(match.segment, plan)).with;
      },
    };
    if (others === null) continue;
    const { with: near, without: apart } = divide(others, ({ match }) => common.get(match)!);
    const far = divide(apart, ({ match }) => exactly.get(match)!);
    const proximity = farApart * (count - 1);
    if (far.with.count > 0) yield group(at(sum, { proximity }), far.with, true);
    if (far.without.count > 0) yield group(at(sum, { proximity, exact: count - 1 }), far.without, true);
    if (near.count === 0) continue;
    const rest = divide(near, ({ match }) => perhapsWhole(match.segment, plan)).without;
    const read = divide(rest, ({ match }) => exactly.get(match)!);
    if (read.with.count > 0) yield group(at(sum, {}), read.with);
    if (read.without.count > 0) yield group(at(sum, { exact: count - 1 }), read.without);
  }
}

/** A cell in two: the documents in a bitmap and the others. Null stands for all. */
function divide(cell: Cell, bitmapOf: (part: CellPart) => number | null): { with: Cell; without: Cell } {
  const inside: CellPart[] = [];
  const outside: CellPart[] = [];
  for (const part of cell.parts) {
    const bitmap = bitmapOf(part);
    inside.push(bitmap === null ? part : intersect(part, bitmap));
    if (bitmap !== null) outside.push(without(part, bitmap));
  }
  return { with: { ...cell, ...cellOf(inside, cell.levels) }, without: { ...cell, ...cellOf(outside, cell.levels) } };
}

/** The documents in which some two neighbouring words stand in one field. */
function withCommonField(match: SegmentMatch, words: readonly number[], fieldCount: number): number {
  const { segment } = match;
  const { kernels, blocks } = segment;
  const found = emptyBitmap(segment);
  const both = segment.scratch.bitmap();
  for (let pair = 1; pair < words.length; pair++) {
    const left = match.levels[words[pair - 1]!]!.byField(0);
    const right = match.levels[words[pair]!]!.byField(0);
    for (let field = 0; field < fieldCount; field++) {
      if (left[field] === null || right[field] === null) continue;
      kernels.and(both, left[field]!, right[field]!, blocks);
      kernels.or(found, found, both, blocks);
    }
  }
  return found;
}

/** The documents that have a prefix word itself and not only as the beginning of others; null for other words, which all have. */
function withExactWord({ segment, expansions }: SegmentMatch, plan: TextPlan, word: number): number | null {
  if (!plan.words[word]!.prefix) return null;
  const bitmap = emptyBitmap(segment);
  const { exact } = expansions[word]!;
  if (exact >= 0) segment.kernels.orPacked(segment.postingOffsets, exact, exact + 1, segment.postings, plan.searched, bitmap);
  return bitmap;
}
