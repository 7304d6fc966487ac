import { extraMark, firstCode } from '../segment/draft.ts';
import type { Segment } from '../segment/open-segment.ts';
import type { Schema } from '../types.ts';
import type { Entry } from './cells.ts';
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
  const { segment } = entry.match;
  const scanner = entry.match.scanner();
  scanner.scan(entry.doc);
  const patterns = entry.match.patterns();
  for (const { field, codes } of fieldCodes(segment, entry.doc)) {
    const { name } = schema.text[field]!;
    if (!fields.includes(name) || ((plan.searched >>> field) & 1) === 0) continue;
    const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
    const terms = new Set<string>();
    for (const code of codes) {
      const parts = patterns[segment.u16[(segment.marks >>> 1) + code]!]!;
      const hits = parts.some(
        ({ word, levels }) => word < plan.words.length && levels[fieldClass]! < 9 && levels[fieldClass] === scanner.level[word],
      );
      if (hits) terms.add(termOf(segment, code));
    }
    if (terms.size > 0) found[name] = [...terms];
  }
  return found;
}

function* fieldCodes(segment: Segment, doc: number): Generator<{ field: number; codes: Set<number> }> {
  const { u8, u32 } = segment;
  let at = segment.forward + u32[(segment.forwardStarts >>> 2) + doc]!;
  const end = segment.forward + u32[(segment.forwardStarts >>> 2) + doc + 1]!;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = u8[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const field = next();
    const fieldEnd = next() + at;
    const codes = new Set<number>();
    while (at < fieldEnd) {
      const code = next();
      if (code >= firstCode) codes.add(code);
      else if (code === extraMark) {
        codes.add(next());
        next();
      }
    }
    yield { field, codes };
  }
}
