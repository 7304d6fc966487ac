import type { SegmentMatch } from '../match.ts';
import { type Entry, hasBit } from '../cells/types.ts';
import type { Marks } from './term-marks.ts';
import { rankOneWord } from '../cells/split-one-word.ts';
import type { TextPlan } from '../plan.ts';
import { type Rank, rankScan, standing } from './rank.ts';

/** What the kernel can hold; longer queries are read by the scanner. */
const mostKernelWords = 16;
const workBytes = 33_024;
/** Documents ranked in one call. */
export const stretch = 4096;
/** The key of a document that the kernel left to the scanner. */
export const unknown = 0xffffffff;

/** Ranks up to `stretch` documents of one segment by kernel; a key is what `rankDocuments` of the kernels writes. */
export interface KernelRanks {
  whole(documents: Uint32Array): Uint32Array;
  /** Documents that have all words of `counted` (bit by word) at level 0. */
  near(documents: Uint32Array, counted: number): Uint32Array;
}

const known = new WeakMap<SegmentMatch, { ranks: KernelRanks; patterns: number }>();

/** Null when the query is too long for the kernel. The tables are laid once a query, and again when its marks have become deep. */
export function kernelRanks(match: SegmentMatch, plan: TextPlan, deep: boolean): KernelRanks | null {
  if (plan.words.length > mostKernelWords) return null;
  const marks = match.marks(deep);
  const found = known.get(match);
  if (found?.patterns === marks.patterns.length) return found.ranks;
  const ranks = layTables(match, plan, marks);
  known.set(match, { ranks, patterns: marks.patterns.length });
  return ranks;
}

/** Lays the query's patterns out in the segment's memory. */
function layTables(match: SegmentMatch, plan: TextPlan, { patterns, sieve }: Marks): KernelRanks {
  const { segment } = match;
  const words = plan.words.length;
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
  const { forward, forwardStarts, marks } = segment;

  const whole = (documents: Uint32Array): Uint32Array => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankDocuments as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, forward, forwardStarts, marks, sieve, table, exactCodes, words],
      ...[phrased, plan.searched, plan.typoFields, plan.infixFields, work, output],
    );
    return memory.slice(output >>> 2, (output >>> 2) + documents.length);
  };
  const near = (documents: Uint32Array, counted: number): Uint32Array => {
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
      const found = whole(Uint32Array.from(left, (at) => documents[at]!));
      left.forEach((at, index) => {
        keys[at] = found[index]!;
      });
    }
    return keys;
  };
  return { whole, near };
}

/** Rules 3 to 5 of a key. */
export function standingOfKey(key: number): number {
  return standing({ proximity: (key >>> 14) & 127, attribute: (key >>> 6) & 255, whole: ((key >>> 5) & 1) === 0, exact: 16 - (key & 31) });
}

function rankOfKey(key: number): Rank {
  return {
    words: 16 - (key >>> 27),
    levels: (key >>> 21) & 63,
    proximity: (key >>> 14) & 127,
    attribute: (key >>> 6) & 255,
    whole: ((key >>> 5) & 1) === 0,
    exact: 16 - (key & 31),
  };
}

/** Ranks all of these that have no rank yet. */
export function rankEntries(entries: readonly Entry[], plan: TextPlan): void {
  if (plan.words.length === 0) return;
  const open = entries.filter(({ rank }) => rank === null);
  if (plan.words.length === 1) {
    for (const entry of open) entry.rank = rankOneWord(entry, plan);
    return;
  }
  for (const deep of [false, true]) {
    const byMatch = Map.groupBy(
      open.filter((entry) => isDeep(entry, plan) === deep),
      ({ match }) => match,
    );
    for (const [match, own] of byMatch) readRanks(match, own, plan, deep);
  }
}

/** Whether some word that counts is there at another level than 0, as the bitmaps of the levels tell. */
function isDeep({ match, doc }: Entry, plan: TextPlan): boolean {
  for (const word of plan.plain) {
    const { levels, any } = match.levels[word]!;
    if (levels[0] !== null && hasBit(match, levels[0]!, doc)) continue;
    // Words count up to the first one that is missing.
    return hasBit(match, any, doc);
  }
  return false;
}

function readRanks(match: SegmentMatch, entries: readonly Entry[], plan: TextPlan, deep: boolean): void {
  const reader = kernelRanks(match, plan, deep);
  for (let from = 0; from < entries.length; from += stretch) {
    const some = entries.slice(from, from + stretch);
    const keys = reader?.whole(Uint32Array.from(some, ({ doc }) => doc));
    some.forEach((entry, at) => {
      const key = keys?.[at] ?? unknown;
      entry.rank = key === unknown ? scanned(entry, plan, deep) : rankOfKey(key);
    });
  }
}

function scanned({ match, doc }: Entry, plan: TextPlan, deep: boolean): Rank {
  const scanner = match.scanner(deep);
  scanner.scan(doc);
  return rankScan(scanner, plan);
}

export function rankOf(entry: Entry, plan: TextPlan): Rank {
  if (!entry.rank) rankEntries([entry], plan);
  return entry.rank!;
}
