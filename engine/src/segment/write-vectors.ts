// biome-ignore-all lint/style/noNonNullAssertion: rows and lists are below their counts
import type { VectorDraft } from './draft.ts';
import type { SectionWriter } from './segment-file.ts';
import { divideIntoLists, type VectorLists } from './vector-lists.ts';
import { type DiskSection, rowsInOrder } from './write-columns.ts';

/** Stores the sign of each component as one bit. Rows are padded with 0 to whole 16-byte blocks. */
export function quantise(vector: Float32Array, into: Uint8Array): void {
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) into[at >> 3]! |= 1 << (at & 7);
}

/** Stores as one bit which components are larger than they are on average in a vector of length one, whatever their sign. */
function markStrong(vector: Float32Array, into: Uint8Array): void {
  const average = 1 / Math.sqrt(vector.length);
  for (let at = 0; at < vector.length; at++) if (Math.abs(vector[at]!) > average) into[at >> 3]! |= 1 << (at & 7);
}

export const quantisedBytes = (dimension: number) => Math.ceil(dimension / 128) * 16;

/** Writes the vectors of a draft in the order of their lists, or of their documents if there are too few for lists. */
export function writeVectors(
  file: SectionWriter,
  draft: VectorDraft,
  dimension: number,
  quantised: boolean,
  order: Uint32Array,
): DiskSection | null {
  const byDocument = rowsInOrder(draft.documents, order);
  const vectorOf = (row: number) => draft.floats.subarray(row * dimension, (row + 1) * dimension);
  const lists = quantised ? divideIntoLists(byDocument.rows.length, dimension, (at) => vectorOf(byDocument.rows[at]!)) : null;
  const { documents, rows } = lists ? inListOrder(byDocument, lists) : byDocument;
  file.section('vector.documents', documents);
  if (!quantised) {
    file.section('vector.floats', floatsOf(rows, dimension, vectorOf));
    return null;
  }
  const width = quantisedBytes(dimension);
  for (const [name, mark] of [
    ['vector.codes', quantise],
    ['vector.strengths', markStrong],
  ] as const) {
    const codes = new Uint8Array(rows.length * width);
    for (let at = 0; at < rows.length; at++) mark(vectorOf(rows[at]!), codes.subarray(at * width));
    file.section(name, codes);
  }
  if (lists) {
    file.section('vector.rowsByDocument', inverse(lists.members));
    file.section('vector.lists', lists.starts);
    file.section('vector.centres', lists.centres);
  }
  return (late) => late.section('vector.floats', floatsOf(rows, dimension, vectorOf));
}

interface Rows {
  documents: Uint32Array;
  rows: Uint32Array;
}

function inListOrder({ documents, rows }: Rows, { members }: VectorLists): Rows {
  return { documents: members.map((at) => documents[at]!), rows: members.map((at) => rows[at]!) };
}

function inverse(permutation: Uint32Array): Uint32Array {
  const result = new Uint32Array(permutation.length);
  for (let at = 0; at < permutation.length; at++) result[permutation[at]!] = at;
  return result;
}

function floatsOf(rows: Uint32Array, dimension: number, vectorOf: (row: number) => Float32Array): Float32Array {
  const floats = new Float32Array(rows.length * dimension);
  for (let at = 0; at < rows.length; at++) floats.set(vectorOf(rows[at]!), at * dimension);
  return floats;
}
