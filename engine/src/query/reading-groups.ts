import { attributeGroups } from './attribute-groups.ts';
import { bitmapPart, type Cell, type CellPart, cellOf, intersect, without } from './cells.ts';
import { perhapsWhole } from './field-lengths.ts';
import type { TextPlan } from './plan.ts';
import { standing } from './rank.ts';
import { smallCell } from './walk.ts';

/** Documents of a cell that are read together, and what none of them stands before. */
export interface ReadingGroup {
  best: number;
  cell(): Cell;
}

const mostGroupedWords = 4;

/** Divides a large cell by what its documents can reach at best, as far as postings tell. Each group is made when it is asked for. */
export function* readingGroups(cell: Cell, plan: TextPlan, counted: number): Iterable<ReadingGroup> {
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > mostGroupedWords || cell.count <= smallCell * 20) {
    yield { best: 0, cell: () => cell };
    return;
  }
  const count = words.length;
  const best = (attribute: number, whole: boolean, exact: number) => standing({ proximity: count - 1, attribute, whole, exact });
  for (const { sum, cell: make } of attributeGroups(cell, words, plan.fieldCount)) {
    // Those that may hold a field which is the query are read first: then nothing of the others can stand before them unseen.
    let others: Cell | null = null;
    yield {
      best: best(sum, true, count),
      cell: () => {
        const own = make();
        if (own.count <= smallCell * 5) return own;
        const divided = divide(own, (part) => perhapsWhole(part.match.segment, plan));
        others = divided.without;
        return divided.with;
      },
    };
    if (others === null) continue;
    const rest: Cell = others;
    const exactly = rest.count === 0 ? null : divideByExact(rest, plan, words.at(-1)!);
    if (rest.count > 0) yield { best: best(sum, false, count), cell: () => exactly?.with ?? rest };
    if (exactly && exactly.without.count > 0) yield { best: best(sum, false, count - 1), cell: () => exactly.without };
  }
}

type Divided = { with: Cell; without: Cell };

function divide(cell: Cell, bitmapOf: (part: CellPart) => number | null): Divided {
  const parts = cell.parts.map((part) => ({ part, bitmap: bitmapOf(part) }));
  const inside = parts.flatMap(({ part, bitmap }) => (bitmap === null ? [] : intersect(part, bitmap)));
  const outside = parts.map(({ part, bitmap }) => (bitmap === null ? part : without(part, bitmap)));
  return { with: { ...cell, ...cellOf(inside, cell.levels) }, without: { ...cell, ...cellOf(outside, cell.levels) } };
}

/** A prefix word is either there itself or only as the beginning of others; all other words of level 0 are there themselves. */
function divideByExact(cell: Cell, plan: TextPlan, word: number): Divided | null {
  if (!plan.words[word]!.prefix) return null;
  return divide(cell, ({ match }) => {
    const { segment } = match;
    const { exact } = match.expansions[word]!;
    if (exact < 0) return null;
    const bitmap = segment.scratch.bitmap();
    segment.kernels.clear(bitmap, segment.blocks);
    segment.kernels.orPacked(segment.postingOffsets, exact, exact + 1, segment.postings, plan.searched, bitmap);
    return bitmapPart(match, bitmap).bitmap;
  });
}
