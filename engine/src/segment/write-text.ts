import { type Draft, extraMark, firstCode, gapMark } from './draft.ts';
import { GrowingBytes } from './growing-arrays.ts';
import { type PostingGroup, writeGroups } from './posting-groups.ts';
import type { SectionWriter } from './segment-file.ts';
import type { Texts } from './texts.ts';

/** Writes the dictionary, the postings and the forward streams; FORMAT.md says how they lie. Answers the number of terms. */
export function writeText(file: SectionWriter, draft: Draft, order: Uint32Array): number {
  const { texts, renumber } = draft.terms.settle();
  const places = renumber.subarray(1);
  for (let at = 0; at < places.length; at++) places[at]!--;
  const survey = surveyTerms(draft, order, places, texts.size);
  const kept = keptTerms(texts.size, survey);
  writeDictionary(file, texts, kept.places);
  // From here on terms that no kept document holds have no number.
  for (let at = 0; at < places.length; at++) places[at] = kept.renumber[places[at]!]!;
  writePostings(file, draft, order, places, kept.documents);
  writeForward(file, draft, order, places, kept.occurrences);
  return kept.places.length;
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
  const stream = draft.stream.items;
  const starts = draft.streamStarts.items;
  for (let doc = 0; doc < order.length; doc++) {
    const end = starts[order[doc]! + 1]!;
    let at = starts[order[doc]!]!;
    while (at < end) {
      const fieldEnd = at + 2 + stream[at + 1]!;
      at += 2;
      while (at < fieldEnd) {
        const entry = stream[at++]!;
        if (entry === gapMark) continue;
        const term = places[(entry === extraMark ? stream[at]! : entry) - firstCode]!;
        if (entry === extraMark) at += 2;
        occurrences[term]!++;
        if (last[term] === doc) continue;
        last[term] = doc;
        documents[term]!++;
      }
    }
  }
  return { documents, occurrences };
}

/** Terms whose documents were all replaced before the segment was written are left out. */
function keptTerms(size: number, survey: Survey): { places: Uint32Array; renumber: Uint32Array } & Survey {
  const renumber = new Uint32Array(size);
  const places = new Uint32Array(size);
  let kept = 0;
  for (let at = 0; at < size; at++) {
    if (survey.documents[at] === 0) continue;
    renumber[at] = kept;
    survey.documents[kept] = survey.documents[at]!;
    survey.occurrences[kept] = survey.occurrences[at]!;
    places[kept++] = at;
  }
  return {
    places: places.subarray(0, kept),
    renumber,
    documents: survey.documents.subarray(0, kept),
    occurrences: survey.occurrences.subarray(0, kept),
  };
}

function writeDictionary(file: SectionWriter, texts: Texts, places: Uint32Array): void {
  const offsets = new Uint32Array(places.length + 1);
  const blob = new GrowingBytes(1 << 16);
  for (let at = 0; at < places.length; at++) {
    texts.encode(places[at]!, blob);
    offsets[at + 1] = blob.length;
  }
  file.section('text.terms', blob.view());
  file.section('text.termOffsets', offsets);
}

function writePostings(file: SectionWriter, draft: Draft, order: Uint32Array, places: Uint32Array, frequency: Uint32Array): void {
  const size = frequency.length;
  const starts = new Float64Array(size + 1);
  for (let term = 0; term < size; term++) starts[term + 1] = starts[term]! + frequency[term]!;
  const { documents, masks } = scatter(draft, order, places, starts);
  const offsets = new Uint32Array(size + 1);
  const bytes = new GrowingBytes(documents.length * 3 + 64);
  const groups: PostingGroup[] = [];
  for (let term = 0; term < size; term++) {
    writeGroups(bytes, groups, documents, masks, starts[term]!, starts[term + 1]!);
    offsets[term + 1] = bytes.length;
  }
  file.section('text.postingOffsets', offsets);
  file.section('text.postings', bytes.view());
}

/** Brings the documents of each term together: those of term t stand from starts[t] on, ascending, each with its mask. */
function scatter(draft: Draft, order: Uint32Array, places: Uint32Array, starts: Float64Array) {
  const size = starts.length - 1;
  const documents = new Uint32Array(starts[size]!);
  const masks = new Uint32Array(starts[size]!);
  const next = Float64Array.from(starts.subarray(0, size));
  const stream = draft.stream.items;
  const streamStarts = draft.streamStarts.items;
  for (let doc = 0; doc < order.length; doc++) {
    const end = streamStarts[order[doc]! + 1]!;
    let at = streamStarts[order[doc]!]!;
    while (at < end) {
      const field = stream[at]!;
      const entries = stream[at + 1]!;
      const fieldEnd = at + 2 + entries;
      // The only token of the field, with or without an extra one beside it.
      const only = entries === 1 || (entries === 4 && stream[at + 2]! >= firstCode && stream[at + 3] === extraMark);
      at += 2;
      while (at < fieldEnd) {
        const entry = stream[at++]!;
        if (entry === gapMark) continue;
        const extra = entry === extraMark;
        const term = places[(extra ? stream[at]! : entry) - firstCode]!;
        if (extra) at += 2;
        const mask = (1 << field) | (only && !extra ? 1 << (16 + field) : 0);
        const to = next[term]!;
        if (to > starts[term]! && documents[to - 1] === doc) masks[to - 1]! |= mask;
        else {
          documents[to] = doc;
          masks[to] = mask;
          next[term] = to + 1;
        }
      }
    }
  }
  return { documents, masks };
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
      bytes.reserve(10 + fieldBytes.length);
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
