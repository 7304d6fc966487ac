import { firstCode } from '../segment/draft.ts';
import type { SegmentMatch } from './candidates.ts';
import { type Cell, cellOf, documentsOf, listPart, type Split, uniform } from './cells.ts';
import type { Deadline } from './deadline.ts';
import type { TextPlan } from './plan.ts';
import { rankScan, standing } from './rank.ts';

/** What the kernel can hold; longer queries are read by the scanner. */
const mostKernelWords = 16;
const workBytes = 37_120;
const unknown = 0xffffffff;
const stretch = 4096;

/** Several words: every document of the cell is read, then the documents are grouped by their standing. */
export function* splitByReading(cell: Cell, plan: TextPlan, deadline: Deadline): Iterable<Split> {
  const groups = new Map<number, { match: SegmentMatch; documents: number[] }[]>();
  for (const part of cell.parts) {
    const documents = documentsOf(part);
    const values = standings(part.match, plan, documents, deadline);
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
    for (const [value, group] of own) groups.set(value, [...(groups.get(value) ?? []), { match: part.match, documents: group }]);
  }
  for (const value of [...groups.keys()].sort((a, b) => a - b)) {
    const parts = groups.get(value)!.map(({ match, documents }) => listPart(match, Uint32Array.from(documents)));
    yield uniform(cellOf(parts, cell.levels), value);
  }
}

/** Out of time, documents that were not read stand at the end of the cell. */
function standings(match: SegmentMatch, plan: TextPlan, documents: Uint32Array, deadline: Deadline): Float64Array {
  const values = new Float64Array(documents.length).fill(Number.MAX_SAFE_INTEGER);
  const scanner = match.scanner();
  const read = plan.words.length <= mostKernelWords ? kernelReader(match, plan) : null;
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

/** Lays the query's patterns out in the segment's memory; the answer ranks a stretch of documents. */
function kernelReader(match: SegmentMatch, plan: TextPlan): (documents: Uint32Array) => Uint32Array {
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
  const phrased = plan.words.reduce((mask, word, index) => (word.inPhrase ? mask | (1 << index) : mask), 0);
  return (documents) => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankDocuments as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, segment.forward, segment.forwardStarts, segment.marks, segment.dictionary.size + firstCode],
      ...[table, exactCodes, words],
      ...[phrased, plan.searched, plan.typoFields, plan.infixFields, work, output],
    );
    return memory.subarray(output >>> 2, (output >>> 2) + documents.length);
  };
}
