import type { Segment } from '../segment/types.ts';
import { firstCode } from '../segment/draft.ts';
import type { Schema } from '../types.ts';
import type { SegmentMatch } from './match.ts';
import type { Entry } from './cells/types.ts';
import type { PatternPart } from './ranking/term-marks.ts';
import type { TextPlan } from './plan.ts';

const placesByCode = new WeakMap<Segment, Uint32Array>();

/** From a code of the forward streams back to the term; made once a segment, when highlighting is first asked for. */
function termOf(segment: Segment, code: number): string {
  let places = placesByCode.get(segment);
  if (!places) {
    places = new Uint32Array(segment.dictionary.size + firstCode);
    for (let place = 0; place < segment.dictionary.size; place++) places[segment.u32[(segment.codes >>> 2) + place]!] = place;
    placesByCode.set(segment, places);
  }
  const { bytes, offsets } = segment.dictionary;
  const place = places[code]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', offsets[place]!, offsets[place + 1]!);
}

/** Marked tokens that room is made for at first. */
const fewTokens = 1024;

/** The terms of a document that matched a word of the query at the document's level for it, per field asked for. */
export function matchedTerms(entry: Entry, schema: Schema, fields: readonly string[], plan: TextPlan): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  if (plan.words.length === 0) return found;
  const { segment } = entry.match;
  // Words that the order does not count may still be there, at any level.
  const isExact = entry.rank?.levels === 0 && !plan.lastMayDrop;
  const { patterns, sieve } = entry.match.marks(!isExact);
  const levelOf = isExact ? () => 0 : levels(entry);
  const mask = schema.text.reduce((sum, { name }, field) => (fields.includes(name) ? sum | (1 << field) : sum), 0) & plan.searched;
  const tokens = markedTokens(entry, sieve, mask);
  const seen = new Set<number>();
  for (let at = tokens.at >>> 2; at < (tokens.at >>> 2) + tokens.count * 2; at += 2) {
    const field = segment.u32[at]!;
    const code = segment.u32[at + 1]!;
    const key = code * 32 + field;
    if (seen.has(key)) continue;
    seen.add(key);
    const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
    const isMatch = ({ word, levels: own }: PatternPart) =>
      word < plan.words.length && own[fieldClass]! < none && own[fieldClass] === levelOf(word);
    if (!patterns[segment.u16[(segment.marks >>> 1) + code]!]!.some(isMatch)) continue;
    const { name } = schema.text[field]!;
    found[name] ??= [];
    found[name].push(termOf(segment, code));
  }
  return found;
}

/** Hardly any token of a long text has a mark: the kernel finds those that have. */
function markedTokens({ match, doc }: Entry, sieve: number, mask: number): { at: number; count: number } {
  const { segment } = match;
  const starts = (segment.forwardStarts >>> 2) + doc;
  for (let most = fewTokens; ; most *= 8) {
    const at = roomFor(match, most);
    const start = segment.forward + segment.u32[starts]!;
    const end = segment.forward + segment.u32[starts + 1]!;
    const count = segment.kernels.markedTokens(start, end, segment.marks, sieve, mask, at, most);
    if (count < most) return { at, count };
  }
}

const rooms = new WeakMap<SegmentMatch, { at: number; most: number }>();

/** The same room for all hits of a question. */
function roomFor(match: SegmentMatch, most: number): number {
  const known = rooms.get(match);
  if (known && known.most >= most) return known.at;
  const at = match.segment.scratch.bytes(most * 8);
  rooms.set(match, { at, most });
  return at;
}

const none = 9;

/** The document's level for each word. */
function levels({ match, doc, rank }: Entry): (word: number) => number {
  // The only word of the query.
  if (rank && match.levels.length === 1) return () => rank.levels;
  const scanner = match.scanner(true);
  scanner.scan(doc);
  return (word) => scanner.level[word]!;
}
