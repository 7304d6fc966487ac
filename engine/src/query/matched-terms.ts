import { extraMark, firstCode } from '../segment/draft.ts';
import type { Segment } from '../segment/open-segment.ts';
import type { Schema } from '../types.ts';
import type { Entry } from './cells.ts';
import type { PatternPart } from './marks.ts';
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

/** The terms of a document that matched a word of the query at the document's level for it, per field asked for. */
export function matchedTerms(entry: Entry, schema: Schema, fields: readonly string[], plan: TextPlan): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  if (plan.words.length === 0) return found;
  const { match, doc } = entry;
  const { segment } = match;
  // Words that the order does not count may still be there, at any level.
  const isExact = entry.rank?.levels === 0 && !plan.lastMayDrop;
  const { patterns } = match.marks(!isExact);
  const levelOf = isExact ? () => 0 : levels(entry);
  const { u8, u16, u32 } = segment;
  const marks = segment.marks >>> 1;
  let at = segment.forward + u32[(segment.forwardStarts >>> 2) + doc]!;
  const end = segment.forward + u32[(segment.forwardStarts >>> 2) + doc + 1]!;
  const next = (): number => {
    let byte = u8[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = u8[at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  };
  while (at < end) {
    const field = next();
    const fieldEnd = next() + at;
    const { name } = schema.text[field]!;
    if (!fields.includes(name) || ((plan.searched >>> field) & 1) === 0) {
      at = fieldEnd;
      continue;
    }
    const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
    const codes = new Set<number>();
    while (at < fieldEnd) {
      let code = next();
      if (code === extraMark) {
        code = next();
        next();
      }
      // Hardly any token of a long text has a mark.
      const pattern = code < firstCode ? 0 : u16[marks + code]!;
      if (pattern === 0 || codes.has(code)) continue;
      const isMatch = ({ word, levels: own }: PatternPart) =>
        word < plan.words.length && own[fieldClass]! < none && own[fieldClass] === levelOf(word);
      if (patterns[pattern]!.some(isMatch)) codes.add(code);
    }
    if (codes.size > 0) found[name] = Array.from(codes, (code) => termOf(segment, code));
  }
  return found;
}

const none = 9;

/** The document's level for each word. */
function levels({ match, doc }: Entry): (word: number) => number {
  const scanner = match.scanner(true);
  scanner.scan(doc);
  return (word) => scanner.level[word]!;
}
