import { type Document, EngineError, type Hit, type Query, type Schema } from '@catalog/engine';
import { type Clause, filterClause } from './filter.ts';

/** The field of full vectors, and the field with the sign of each component as one bit. Both are read by scripts only. */
export const meaningField = 'meaning';
const signsField = 'catalog_meaning_signs';

/** Minimum number of neighbours considered in a mix of words and vectors, however short the page. */
const minNeighbours = 100;
/** How many of the documents selected by signs are compared by their full vectors, for each wanted neighbour. */
const rescoredPerWanted = 40;
const minRescored = 2000;
const maxRescored = 10_000;

/** Vectors are doc values, so that a script finds them without reading the document. */
export function vectorMapping({ vector }: Schema): Record<string, unknown> {
  const bytes = { type: 'binary', doc_values: true };
  if (!vector) return {};
  return { [meaningField]: bytes, ...(vector.quantise ? { [signsField]: bytes } : {}) };
}

/** The vector of a document as it is stored: normalised f32 components in little-endian order. */
export function storedVector(document: Document, { vector }: Schema): Record<string, string> {
  const value = vector && document[vector.name];
  if (!(value instanceof Float32Array)) return {};
  const unit = normalised(value);
  const bytes = Buffer.alloc(unit.length * 4);
  for (const [at, each] of unit.entries()) bytes.writeFloatLE(each, at * 4);
  return {
    [meaningField]: bytes.toString('base64'),
    ...(vector?.quantise ? { [signsField]: Buffer.from(signsOf(unit)).toString('base64') } : {}),
  };
}

export function vectorOfBytes(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

function signsOf(vector: Float32Array): number[] {
  const bytes = Array.from({ length: Math.ceil(vector.length / 8) }, () => 0);
  for (const [at, each] of vector.entries()) if (each > 0) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
}

/** (1 + cosine) / 2, or 0 for a document without a vector. */
const fullScore = `
if (!doc.containsKey('${meaningField}') || doc['${meaningField}'].size() == 0) return 0.0;
BytesRef stored = doc['${meaningField}'].value;
byte[] bytes = stored.bytes;
int at = stored.offset;
List near = params.near;
double sum = 0;
for (int i = 0; i < near.size(); i++) {
  int bits = (bytes[at] & 255) | ((bytes[at + 1] & 255) << 8) | ((bytes[at + 2] & 255) << 16) | ((bytes[at + 3] & 255) << 24);
  sum += ((Number) near.get(i)).doubleValue() * Float.intBitsToFloat(bits);
  at += 4;
}
return Math.max(0.0, Math.min(1.0, (1 + sum) / 2));`;

/** The share of components whose sign is that of the query; the full score in an index without signs. */
const signsScore = `
if (!doc.containsKey('${signsField}')) {${fullScore}
}
if (doc['${signsField}'].size() == 0) return 0.0;
BytesRef stored = doc['${signsField}'].value;
byte[] bytes = stored.bytes;
int from = stored.offset;
List signs = params.signs;
int differing = 0;
for (int i = 0; i < signs.size(); i++) differing += Integer.bitCount((bytes[from + i] & 255) ^ ((Number) signs.get(i)).intValue());
return 1.0 - (double) differing / (signs.size() * 8);`;

export interface VectorQuery {
  /** How many documents are considered by words and as many by vector. */
  wanted: number;
  ratio: number;
  /** The vector score of a document, for `script_fields`. */
  script: Clause;
  /** The request for the nearest documents. */
  body: Record<string, unknown>;
}

/**
 * The nearest documents that pass the filter, compared by scripts: in a quantised index all of them by their signs and the best of each
 * shard by their full vectors, in others all by their full vectors.
 */
export function vectorQuery(query: Query, near: Float32Array, schema: Schema): VectorQuery {
  const unit = normalised(near);
  const params = { near: [...unit], signs: signsOf(unit) };
  const wanted = Math.max(minNeighbours, (query.offset ?? 0) + (query.limit ?? 20) + 1);
  const script = { source: fullScore, lang: 'painless', params: { near: params.near } };
  const excluded = query.likeId === undefined ? [] : [{ ids: { values: [query.likeId] } }];
  const filter = [{ exists: { field: meaningField } }, ...(query.filter ? [filterClause(query.filter, schema)] : [])];
  return {
    wanted,
    ratio: query.likeId === undefined ? (query.vector?.ratio ?? 1) : 1,
    script,
    body: {
      size: wanted,
      _source: false,
      track_total_hits: false,
      query: {
        script_score: { query: { bool: { filter, must_not: excluded } }, script: { source: signsScore, lang: 'painless', params } },
      },
      rescore: {
        window_size: Math.min(maxRescored, Math.max(minRescored, wanted * rescoredPerWanted)),
        query: {
          rescore_query: { script_score: { query: { match_all: {} }, script } },
          query_weight: 0,
          rescore_query_weight: 1,
        },
      },
      ...(query.deadlineMs === undefined ? {} : { timeout: `${Math.max(1, Math.round(query.deadlineMs))}ms` }),
    },
  };
}

/** The hits of a mix of words and vectors: by (1 − ratio) · word score + ratio · vector score, then id (engine/RULES.md §7). */
export function mixedHits(hits: readonly Hit[], ratio: number): Hit[] {
  return hits
    .map((hit) => ({ ...hit, score: (1 - ratio) * (hit.parts?.words ?? 0) + ratio * (hit.parts?.vector ?? 0) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

export function missingVector(id: string): EngineError {
  return new EngineError('bad_query', `Document "${id}" has no vector to compare.`);
}
