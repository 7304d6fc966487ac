// biome-ignore-all lint/style/noNonNullAssertion: rows and lists are below their counts
import { createMemory, loadKernels } from '../kernels/index.ts';

/**
 * Vectors of a segment, divided into lists of vectors that are near each other, so that a query compares only the lists near it.
 *
 * The centres are found by k-means on a sample, and every vector goes into the list of its nearest centre. A segment is divided when it is
 * written and never again: new vectors cost what their segment costs, and a merge divides what it merges. There is no randomness, so equal
 * input gives equal lists.
 */
export interface VectorLists {
  /** Centres of length one, padded with zeros to whole quads. */
  centres: Float32Array;
  /** The first member of each list, and the number of members at the end. */
  starts: Uint32Array;
  /** The vectors list by list; in a list in ascending order. */
  members: Uint32Array;
}

/** Segments with fewer vectors have no lists; comparing all of them takes less than a millisecond. */
export const minListedVectors = 20_000;
const vectorsPerList = 512;
const maxLists = 1024;
const sampledPerList = 32;
const rounds = 6;
const vectorsPerCall = 1024;

/** Divides `count` vectors of length one; null when there are too few. */
export function divideIntoLists(count: number, dimension: number, vectorOf: (at: number) => Float32Array): VectorLists | null {
  if (count < minListedVectors) return null;
  const size = Math.min(maxLists, Math.floor(count / vectorsPerList / 4) * 4);
  const sampled = size * sampledPerList;
  const sampleOf = (at: number) => vectorOf(Math.floor((at * count) / sampled));
  const search = createCentreSearch(size, dimension);
  for (let list = 0; list < size; list++) search.setCentre(list, sampleOf(list * sampledPerList));
  for (let round = 0; round < rounds; round++) moveCentres(search, sampled, sampleOf);
  const nearest = search.nearestOf(count, vectorOf);
  return { centres: search.centres.slice(), ...membersOf(nearest, size) };
}

interface CentreSearch {
  centres: Float32Array;
  /** Sets a centre to a vector, scaled to length one; a vector without direction leaves the centre unchanged. */
  setCentre(list: number, vector: Float32Array): void;
  nearestOf(count: number, vectorOf: (at: number) => Float32Array): Uint32Array;
}

function createCentreSearch(size: number, dimension: number): CentreSearch {
  const quads = Math.ceil(dimension / 4);
  const width = quads * 4;
  const vectorsAt = size * width * 4;
  const resultsAt = vectorsAt + vectorsPerCall * width * 4;
  const memory = createMemory(resultsAt + vectorsPerCall * 4);
  const kernels = loadKernels(memory);
  const centres = new Float32Array(memory.buffer, 0, size * width);
  const vectors = new Float32Array(memory.buffer, vectorsAt, vectorsPerCall * width);
  const results = new Uint32Array(memory.buffer, resultsAt, vectorsPerCall);
  return {
    centres,
    setCentre(list, vector) {
      let squares = 0;
      for (const each of vector) squares += each * each;
      if (squares === 0) return;
      const scale = 1 / Math.sqrt(squares);
      for (let at = 0; at < vector.length; at++) centres[list * width + at] = vector[at]! * scale;
    },
    nearestOf(count, vectorOf) {
      const nearest = new Uint32Array(count);
      for (let from = 0; from < count; from += vectorsPerCall) {
        const some = Math.min(vectorsPerCall, count - from);
        for (let at = 0; at < some; at++) vectors.set(vectorOf(from + at), at * width);
        kernels.largestProducts(vectorsAt, some, 0, size, quads, resultsAt);
        nearest.set(results.subarray(0, some), from);
      }
      return nearest;
    },
  };
}

/** Moves each centre to the average of the sampled vectors nearest to it. */
function moveCentres(search: CentreSearch, sampled: number, sampleOf: (at: number) => Float32Array): void {
  const nearest = search.nearestOf(sampled, sampleOf);
  const dimension = sampleOf(0).length;
  const sums = new Float32Array((search.centres.length / Math.ceil(dimension / 4) / 4) * dimension);
  for (let at = 0; at < sampled; at++) {
    const vector = sampleOf(at);
    const start = nearest[at]! * dimension;
    for (let component = 0; component < dimension; component++) sums[start + component]! += vector[component]!;
  }
  for (let list = 0; list * dimension < sums.length; list++)
    search.setCentre(list, sums.subarray(list * dimension, (list + 1) * dimension));
}

/** Counting sort of the vectors by list. */
function membersOf(nearest: Uint32Array, size: number): Pick<VectorLists, 'starts' | 'members'> {
  const starts = new Uint32Array(size + 1);
  for (const list of nearest) starts[list + 1]!++;
  for (let list = 0; list < size; list++) starts[list + 1]! += starts[list]!;
  const next = starts.slice();
  const members = new Uint32Array(nearest.length);
  for (let at = 0; at < nearest.length; at++) members[next[nearest[at]!]!++] = at;
  return { starts, members };
}
