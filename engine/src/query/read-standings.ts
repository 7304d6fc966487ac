import { firstCode } from '../segment/draft.ts';
import type { SegmentMatch } from './candidates.ts';
import { type AttributeGroup, attributeGroups } from './attribute-groups.ts';
import { type Cell, type CellPart, cellOf, documentsOf, listPart, type Split, uniform } from './cells.ts';
import type { Deadline } from './deadline.ts';
import type { TextPlan } from './plan.ts';
import { rankScan, standing } from './rank.ts';
import { smallCell } from './walk.ts';

/** What the kernel can hold; longer queries are read by the scanner. */
const mostKernelWords = 16;
const workBytes = 37_120;
const unknown = 0xffffffff;
const stretch = 4096;
const mostGroupedWords = 4;

/**
 * Several words: documents are read and grouped by their standing. Large cells are read in the order of what they can reach at best, and
 * what lies past the page is not read at all.
 */
export function* splitByReading(cell: Cell, plan: TextPlan, deadline: Deadline): Iterable<Split> {
  const read = new Map<number, CellPart[]>();
  for (const { cell: own, next } of readingGroups(cell, plan)) {
    for (const part of own.parts) readPart(part, plan, own, deadline, read);
    for (const value of [...read.keys()].sort((a, b) => a - b)) {
      if (next !== null && value >= bestStanding(plan, cell, next)) break;
      const parts = read.get(value)!;
      read.delete(value);
      yield uniform(cellOf(parts, cell.levels), value);
    }
  }
}

function readingGroups(cell: Cell, plan: TextPlan): Iterable<AttributeGroup> {
  const counted = countedAtLevel0(plan, cell);
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > mostGroupedWords || cell.count <= smallCell * 20) return [{ cell, next: null }];
  return attributeGroups(cell, words, plan.fieldCount);
}

/** No document with this sum of fields stands before that. */
function bestStanding(plan: TextPlan, cell: Cell, attribute: number): number {
  const words = cell.words ?? plan.plain.length;
  const counted = plan.words.length - plan.plain.length + words;
  return standing({ proximity: counted - 1, attribute, whole: true, exact: counted });
}

/** Adds the documents of a part to those that have the same standing. */
function readPart(part: CellPart, plan: TextPlan, cell: Cell, deadline: Deadline, read: Map<number, CellPart[]>): void {
  const documents = documentsOf(part);
  const values = standings(part.match, plan, cell, documents, deadline);
  const own = new Map<number, number[]>();
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
  for (const [value, group] of own) {
    const parts = read.get(value) ?? [];
    parts.push(listPart(part.match, Uint32Array.from(group)));
    read.set(value, parts);
  }
}

/** Out of time, documents that were not read stand at the end of the cell. */
function standings(match: SegmentMatch, plan: TextPlan, cell: Cell, documents: Uint32Array, deadline: Deadline): Float64Array {
  const values = new Float64Array(documents.length).fill(Number.MAX_SAFE_INTEGER);
  const scanner = match.scanner();
  const read = plan.words.length <= mostKernelWords ? kernelReader(match, plan, cell) : null;
  for (let from = 0; from < documents.length && !deadline.passed(); from += stretch) {
    const to = Math.min(from + stretch, documents.length);
    const keys = read?.(documents.subarray(from, to)) ?? null;
    for (let at = from; at < to; at++) {
      const key = keys === null ? unknown : keys[at - from]!;
      if (key === unknown) {
        scanner.scan(documents[at]!);
        values[at] = standing(rankScan(scanner, plan));
      } else values[at] = unpack(key);
    }
  }
  return values;
}

function unpack(key: number): number {
  return standing({ proximity: (key >>> 14) & 127, attribute: (key >>> 6) & 255, whole: ((key >>> 5) & 1) === 0, exact: 16 - (key & 31) });
}

/** The words that count in the cell (bit by word) when all of them stand at level 0 in all its documents; else none. */
function countedAtLevel0(plan: TextPlan, cell: Cell): number {
  if (cell.levels !== 0) return 0;
  const mayMiss = plan.lastMayDrop && plan.plain.length > 1;
  if (mayMiss && (cell.words ?? null) === null) return 0;
  const plain = new Set(mayMiss ? plan.plain.slice(0, cell.words!) : plan.plain);
  return plan.words.reduce((mask, word, index) => (word.inPhrase || plain.has(index) ? mask | (1 << index) : mask), 0);
}

/** Lays the query's patterns out in the segment's memory; the answer ranks a stretch of documents. */
function kernelReader(match: SegmentMatch, plan: TextPlan, cell: Cell): (documents: Uint32Array) => Uint32Array {
  const { segment } = match;
  const words = plan.words.length;
  const patterns = match.patterns();
  const table = segment.scratch.bytes(patterns.length * 4 * words);
  const exactCodes = segment.scratch.bytes(words * 4);
  const work = segment.scratch.bytes(workBytes);
  const input = segment.scratch.bytes(stretch * 4);
  const output = segment.scratch.bytes(stretch * 4);
  const { u8, u32, kernels } = segment;
  u8.fill(9, table, table + patterns.length * 4 * words);
  patterns.forEach((parts, pattern) => {
    for (const { word, levels, exact } of parts) {
      if (word >= words) continue;
      for (let fieldClass = 0; fieldClass < 4; fieldClass++) {
        u8[table + (pattern * 4 + fieldClass) * words + word] = levels[fieldClass]! + (exact ? 128 : 0);
      }
    }
  });
  match.expansions.forEach(({ exact }, word) => {
    u32[(exactCodes >>> 2) + word] = exact < 0 ? 0 : u32[(segment.codes >>> 2) + exact]!;
  });
  const maskOf = (wanted: (word: TextPlan['words'][number]) => boolean) =>
    plan.words.reduce((mask, word, index) => (wanted(word) ? mask | (1 << index) : mask), 0);
  const phrased = maskOf(({ inPhrase }) => inPhrase);
  const prefixed = maskOf(({ prefix }) => prefix);
  const counted = countedAtLevel0(plan, cell);
  const { forward, forwardStarts, marks } = segment;

  const readWhole = (documents: Uint32Array): Uint32Array => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankDocuments as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, forward, forwardStarts, marks, segment.dictionary.size + firstCode, table, exactCodes, words],
      ...[phrased, plan.searched, plan.typoFields, plan.infixFields, work, output],
    );
    return memory.slice(output >>> 2, (output >>> 2) + documents.length);
  };
  if (counted === 0) return readWhole;
  return (documents) => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankNear as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, forward, forwardStarts, marks, table, exactCodes, words],
      ...[counted, prefixed, plan.searched, work, output],
    );
    const keys = memory.slice(output >>> 2, (output >>> 2) + documents.length);
    const left: number[] = [];
    keys.forEach((key, at) => {
      if (key === unknown) left.push(at);
    });
    if (left.length > 0) {
      const found = readWhole(Uint32Array.from(left, (at) => documents[at]!));
      left.forEach((at, index) => {
        keys[at] = found[index]!;
      });
    }
    return keys;
  };
}
