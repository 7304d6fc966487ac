import { type Draft, extraMark, firstCode, gapMark } from './draft.ts';
import { GrowingBytes } from './growing-arrays.ts';
import type { SectionWriter } from './segment-file.ts';
import { byBytes, sortValues } from './sort-values.ts';

/** Writes the dictionary, the postings and the forward streams; FORMAT.md says how they lie. Answers the number of terms. */
export function writeText(file: SectionWriter, draft: Draft, order: Uint32Array): number {
  const { ordered, renumber } = sortValues(draft.terms.values, byBytes, draft.terms.sorted);
  const size = ordered.length;
  const places = renumber.subarray(1);
  for (let at = 0; at < size; at++) places[at]!--;
  const survey = surveyTerms(draft, order, places, size);
  const kept = keptTerms(ordered, survey);
  writeDictionary(file, kept.terms);
  // From here on terms that no kept document holds have no number.
  for (let at = 0; at < size; at++) places[at] = kept.renumber[places[at]!]!;
  writePostings(file, draft, order, places, kept.documents);
  writeForward(file, draft, order, places, kept.occurrences);
  return kept.terms.length;
}

/** Entry by entry through a document: `visit(place of term, field, extra)`; places are looked up by the draft's numbers. */
function eachToken(
  draft: Draft,
  place: number,
  places: Uint32Array,
  visit: (term: number, field: number, extra: boolean, only: boolean) => void,
): void {
  const stream = draft.stream.items;
  const end = draft.streamStarts.items[place + 1]!;
  let at = draft.streamStarts.items[place]!;
  while (at < end) {
    const field = stream[at]!;
    const fieldEnd = at + 2 + stream[at + 1]!;
    const only = stream[at + 1] === 1;
    at += 2;
    while (at < fieldEnd) {
      const entry = stream[at]!;
      if (entry >= firstCode) {
        visit(places[entry - firstCode]!, field, false, only);
        at++;
      } else if (entry === extraMark) {
        visit(places[stream[at + 1]! - firstCode]!, field, true, false);
        at += 3;
      } else at++;
    }
  }
}

interface Survey {
  documents: Uint32Array;
  occurrences: Uint32Array;
}

/** How many documents hold each term, and how often it occurs. */
function surveyTerms(draft: Draft, order: Uint32Array, places: Uint32Array, size: number): Survey {
  const documents = new Uint32Array(size);
  const occurrences = new Uint32Array(size);
  const last = new Int32Array(size).fill(-1);
  let current = 0;
  const visit = (term: number) => {
    occurrences[term]!++;
    if (last[term] === current) return;
    last[term] = current;
    documents[term]!++;
  };
  for (current = 0; current < order.length; current++) eachToken(draft, order[current]!, places, visit);
  return { documents, occurrences };
}

/** Terms whose documents were all replaced before the segment was written are left out. */
function keptTerms(terms: string[], survey: Survey): { terms: string[]; renumber: Uint32Array } & Survey {
  const renumber = new Uint32Array(terms.length);
  const kept: string[] = [];
  for (let at = 0; at < terms.length; at++) {
    if (survey.documents[at] === 0) continue;
    renumber[at] = kept.length;
    survey.documents[kept.length] = survey.documents[at]!;
    survey.occurrences[kept.length] = survey.occurrences[at]!;
    kept.push(terms[at]!);
  }
  return {
    terms: kept,
    renumber,
    documents: survey.documents.subarray(0, kept.length),
    occurrences: survey.occurrences.subarray(0, kept.length),
  };
}

function writeDictionary(file: SectionWriter, terms: string[]): void {
  const offsets = new Uint32Array(terms.length + 1);
  const blob = new GrowingBytes(1 << 16);
  const encoder = new TextEncoder();
  terms.forEach((term, index) => {
    blob.reserve(term.length * 3);
    blob.length += encoder.encodeInto(term, blob.items.subarray(blob.length)).written;
    offsets[index + 1] = blob.length;
  });
  file.section('text.terms', blob.view());
  file.section('text.termOffsets', offsets);
}

function writePostings(file: SectionWriter, draft: Draft, order: Uint32Array, places: Uint32Array, frequency: Uint32Array): void {
  const size = frequency.length;
  const starts = new Float64Array(size + 1);
  for (let term = 0; term < size; term++) starts[term + 1] = starts[term]! + frequency[term]!;
  const documents = new Uint32Array(starts[size]!);
  const masks = new Uint32Array(starts[size]!);
  const next = Float64Array.from(starts.subarray(0, size));
  let current = 0;
  const visit = (term: number, field: number, _extra: boolean, only: boolean) => {
    const mask = (1 << field) | (only ? 1 << (16 + field) : 0);
    const at = next[term]!;
    if (at > starts[term]! && documents[at - 1] === current) masks[at - 1]! |= mask;
    else {
      documents[at] = current;
      masks[at] = mask;
      next[term] = at + 1;
    }
  };
  for (current = 0; current < order.length; current++) eachToken(draft, order[current]!, places, visit);

  const offsets = new Uint32Array(size + 1);
  const bytes = new GrowingBytes(documents.length * 3 + 64);
  for (let term = 0; term < size; term++) {
    bytes.reserve(frequency[term]! * 10);
    let previous = -1;
    let held = 0;
    for (let at = starts[term]!; at < starts[term + 1]!; at++) {
      const mask = masks[at]!;
      const gap = documents[at]! - previous - 1;
      previous = documents[at]!;
      if (mask === held) bytes.varint(gap * 2);
      else {
        bytes.varint(gap * 2 + 1);
        bytes.varint(mask);
        held = mask;
      }
    }
    offsets[term + 1] = bytes.length;
  }
  file.section('text.postingOffsets', offsets);
  file.section('text.postings', bytes.view());
}

/** Frequent terms get small codes, so that most tokens take one or two bytes. */
function codesByFrequency(occurrences: Uint32Array): Uint32Array {
  const cap = 1 << 16;
  const starts = new Uint32Array(cap + 1);
  const bucket = (term: number) => cap - 1 - Math.min(occurrences[term]!, cap - 1);
  for (let term = 0; term < occurrences.length; term++) starts[bucket(term) + 1]!++;
  for (let at = 0; at < cap; at++) starts[at + 1]! += starts[at]!;
  const codes = new Uint32Array(occurrences.length);
  for (let term = 0; term < occurrences.length; term++) codes[term] = firstCode + starts[bucket(term)]!++;
  return codes;
}

function writeForward(file: SectionWriter, draft: Draft, order: Uint32Array, places: Uint32Array, occurrences: Uint32Array): void {
  const codes = codesByFrequency(occurrences);
  const stream = draft.stream.items;
  const starts = new Uint32Array(order.length + 1);
  const bytes = new GrowingBytes(1 << 16);
  const fieldBytes = new GrowingBytes();
  for (let doc = 0; doc < order.length; doc++) {
    const end = draft.streamStarts.items[order[doc]! + 1]!;
    let at = draft.streamStarts.items[order[doc]!]!;
    while (at < end) {
      const field = stream[at]!;
      const entries = stream[at + 1]!;
      const fieldEnd = at + 2 + entries;
      at += 2;
      fieldBytes.length = 0;
      fieldBytes.reserve(entries * 5);
      while (at < fieldEnd) {
        const entry = stream[at]!;
        if (entry >= firstCode) fieldBytes.varint(codes[places[entry - firstCode]!]!);
        else if (entry === gapMark) fieldBytes.varint(gapMark);
        else {
          fieldBytes.varint(extraMark);
          fieldBytes.varint(codes[places[stream[at + 1]! - firstCode]!]!);
          fieldBytes.varint(stream[at + 2]!);
          at += 2;
        }
        at++;
      }
      bytes.reserve(10);
      bytes.varint(field);
      bytes.varint(fieldBytes.length);
      bytes.append(fieldBytes.view());
    }
    starts[doc + 1] = bytes.length;
  }
  file.section('text.codes', codes);
  file.section('text.forwardStarts', starts);
  file.section('text.forward', bytes.view());
}
