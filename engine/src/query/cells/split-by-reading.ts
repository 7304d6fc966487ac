// biome-ignore-all lint/style/noNonNullAssertion: words, fields and documents are indexed within lengths known from the plan and the segment
import type { SegmentMatch } from '../match.ts';
import { type Deadline, smallCell, type TextPlan } from '../plan.ts';
import { rankScan, textRankKey } from '../ranking/rank.ts';
import { kernelRanker, notRanked, rankBatchSize, textRankOfKernelKey } from '../ranking/rank-kernel.ts';
import { readingGroups } from './reading-groups.ts';
import { type Cell, type CellPart, createCell, listDocuments, partFromList, type RankingRule, type Split, uniformSplit } from './types.ts';

/**
 * Splits a cell for a query of several words by reading its documents. Groups with the best possible rank are read first, and groups behind
 * the page are not read. When the next rule can list documents in its own order (`batchesInOrder`), reading a group stops as soon as
 * `wanted` documents have the best rank of the group.
 */
export function* splitByReading(
  cell: Cell,
  plan: TextPlan,
  deadline: Deadline,
  wanted: number,
  batchesInOrder: RankingRule['batchesInOrder'] | undefined,
): Iterable<Split> {
  const cellsByRank = new Map<number, CellPart[]>();
  let remaining = wanted;
  const splitsBefore = function* (best: number): Iterable<Split> {
    for (const value of [...cellsByRank.keys()].sort((a, b) => a - b)) {
      if (value >= best) return;
      const own = createCell(cellsByRank.get(value)!, cell.levelSum);
      cellsByRank.delete(value);
      remaining -= own.count;
      yield uniformSplit(own, value);
    }
  };
  for (const { bestRank, cell: createGroup, isRankKnown } of readingGroups(cell, plan, level0Words(plan, cell))) {
    if (isRankKnown) {
      cellsByRank.set(bestRank, [...(cellsByRank.get(bestRank) ?? []), ...createGroup().parts]);
      continue;
    }
    yield* splitsBefore(bestRank);
    const own = createGroup();
    const stop =
      batchesInOrder && bestRank > 0 && own.count > smallCell * 5 ? { batchesInOrder, textRankKey: bestRank, documents: remaining } : null;
    let isDone = false;
    for (const part of own.parts) if (readPart(part, plan, own, deadline, cellsByRank, stop)) isDone = true;
    if (!isDone) continue;
    // These documents come before all others that remain, and the page ends among them.
    yield { cell: createCell(cellsByRank.get(bestRank)!, cell.levelSum), needsSorting: true, compareToCursor: () => 0 };
    return;
  }
  yield* splitsBefore(Number.POSITIVE_INFINITY);
}

interface StopCondition {
  batchesInOrder: NonNullable<RankingRule['batchesInOrder']>;
  textRankKey: number;
  documents: number;
}

/** Adds the documents of a part to `cellsByRank`. Returns true when the stop condition was met before the end of the part. */
function readPart(
  part: CellPart,
  plan: TextPlan,
  cell: Cell,
  deadline: Deadline,
  cellsByRank: Map<number, CellPart[]>,
  stop: StopCondition | null,
): boolean {
  const own = new Map<number, number[]>();
  let isDone = false;
  for (const documents of stop ? stop.batchesInOrder(part.match, listDocuments(part)) : [listDocuments(part)]) {
    group(documents, readTextRanks(part.match, plan, cell, documents, deadline), own);
    isDone = stop !== null && (own.get(stop.textRankKey)?.length ?? 0) >= stop.documents;
    if (isDone) break;
  }
  for (const [value, list] of own) {
    const parts = cellsByRank.get(value) ?? [];
    const documents = Uint32Array.from(list);
    parts.push(partFromList(part.match, stop ? documents.sort() : documents));
    cellsByRank.set(value, parts);
  }
  return isDone;
}

function group(documents: Uint32Array, values: Float64Array, own: Map<number, number[]>): void {
  let before = -1;
  let list: number[] = [];
  for (let at = 0; at < documents.length; at++) {
    const value = values[at]!;
    if (value !== before) {
      before = value;
      list = own.get(value) ?? [];
      own.set(value, list);
    }
    list.push(documents[at]!);
  }
}

/** After the deadline, unread documents get the largest rank and so come last in the cell. */
function readTextRanks(match: SegmentMatch, plan: TextPlan, cell: Cell, documents: Uint32Array, deadline: Deadline): Float64Array {
  const values = new Float64Array(documents.length).fill(Number.MAX_SAFE_INTEGER);
  const counted = level0Words(plan, cell);
  const inexact = counted === 0;
  const ranks = kernelRanker(match, plan, inexact);
  for (let from = 0; from < documents.length && !deadline.passed(); from += rankBatchSize) {
    const to = Math.min(from + rankBatchSize, documents.length);
    const own = documents.subarray(from, to);
    const keys = counted === 0 ? ranks?.rankDocuments(own) : ranks?.rankNear(own, counted);
    for (let at = from; at < to; at++) {
      const key = keys?.[at - from] ?? notRanked;
      if (key === notRanked) {
        const scanner = match.scanner(inexact);
        scanner.scan(documents[at]!);
        values[at] = textRankKey(rankScan(scanner, plan));
      } else values[at] = textRankOfKernelKey(key);
    }
  }
  return values;
}

/** A bit mask of the words that count in this cell when all its documents contain them at level 0; 0 otherwise. */
function level0Words(plan: TextPlan, cell: Cell): number {
  if (cell.levelSum !== 0) return 0;
  const mayMiss = plan.allowsMissingWords && plan.plainWords.length > 1;
  if (mayMiss && (cell.wordCount ?? null) === null) return 0;
  const plain = new Set(mayMiss ? plan.plainWords.slice(0, cell.wordCount!) : plan.plainWords);
  return plan.words.reduce((mask, word, index) => (word.inPhrase || plain.has(index) ? mask | (1 << index) : mask), 0);
}
