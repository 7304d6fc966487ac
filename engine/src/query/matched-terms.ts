// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot

import { firstCode } from '../segment/draft.ts';
import type { Segment } from '../segment/types.ts';
import type { Schema } from '../types.ts';
import type { Candidate } from './cells/types.ts';
import type { SegmentMatch } from './match.ts';
import type { TextPlan } from './plan.ts';
import type { WordMatch } from './ranking/term-marks.ts';

const termIndexByCode = new WeakMap<Segment, Uint32Array>();

/** Maps a forward-stream code back to its term. The map is built per segment on first use, because only highlighting needs it. */
function termByCode(segment: Segment, code: number): string {
  let termIndexes = termIndexByCode.get(segment);
  if (!termIndexes) {
    termIndexes = new Uint32Array(segment.dictionary.size + firstCode);
    for (let termIndex = 0; termIndex < segment.dictionary.size; termIndex++)
      termIndexes[segment.u32[(segment.codes >>> 2) + termIndex]!] = termIndex;
    termIndexByCode.set(segment, termIndexes);
  }
  const { bytes, offsets } = segment.dictionary;
  const termIndex = termIndexes[code]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', offsets[termIndex]!, offsets[termIndex + 1]!);
}

/** Initial capacity for marked tokens. */
const initialTokens = 1024;

/** Returns, for each requested field, the terms of the document that matched a query word at the document's level for that word. */
export function matchedTerms(candidate: Candidate, schema: Schema, fields: readonly string[], plan: TextPlan): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  if (plan.words.length === 0) return found;
  const { segment } = candidate.match;
  // Words that ranking ignores may still occur at any level.
  const isExact = candidate.rank?.levels === 0 && !plan.allowsMissingWords;
  const { patterns, markFilter } = candidate.match.marks(!isExact);
  const levelOf = isExact ? () => 0 : levels(candidate);
  const mask = schema.text.reduce((sum, { name }, field) => (fields.includes(name) ? sum | (1 << field) : sum), 0) & plan.searchedFields;
  const tokens = markedTokens(candidate, markFilter, mask);
  const seen = new Set<number>();
  for (let at = tokens.at >>> 2; at < (tokens.at >>> 2) + tokens.count * 2; at += 2) {
    const field = segment.u32[at]!;
    const code = segment.u32[at + 1]!;
    const key = code * 32 + field;
    if (seen.has(key)) continue;
    seen.add(key);
    const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
    const isMatch = ({ word, levels: own }: WordMatch) =>
      word < plan.words.length && own[fieldClass]! < noLevel && own[fieldClass] === levelOf(word);
    if (!patterns[segment.u16[(segment.marks >>> 1) + code]!]!.some(isMatch)) continue;
    const { name } = schema.text[field]!;
    found[name] ??= [];
    found[name].push(termByCode(segment, code));
  }
  return found;
}

/** Few tokens of a long text are marked, so a kernel finds them. */
function markedTokens({ match, doc }: Candidate, markFilter: number, mask: number): { at: number; count: number } {
  const { segment } = match;
  const starts = (segment.forwardStarts >>> 2) + doc;
  for (let capacity = initialTokens; ; capacity *= 8) {
    const at = reserveTokens(match, capacity);
    const start = segment.forward + segment.u32[starts]!;
    const end = segment.forward + segment.u32[starts + 1]!;
    const count = segment.kernels.markedTokens(start, end, segment.marks, markFilter, mask, at, capacity);
    if (count < capacity) return { at, count };
  }
}

const tokenBuffers = new WeakMap<SegmentMatch, { at: number; capacity: number }>();

/** Returns a token buffer that all hits of a query share. */
function reserveTokens(match: SegmentMatch, capacity: number): number {
  const known = tokenBuffers.get(match);
  if (known && known.capacity >= capacity) return known.at;
  const at = match.segment.scratch.bytes(capacity * 8);
  tokenBuffers.set(match, { at, capacity });
  return at;
}

const noLevel = 9;

/** Returns the document's level for each word. */
function levels({ match, doc, rank }: Candidate): (word: number) => number {
  // A query with a single word.
  if (rank && match.levels.length === 1) return () => rank.levels;
  const scanner = match.scanner(true);
  scanner.scan(doc);
  return (word) => scanner.level[word]!;
}
