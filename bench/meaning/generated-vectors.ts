// biome-ignore-all lint/style/noNonNullAssertion: every index is below the dimension

export const dimension = 384;

/**
 * What a vector consists of, and how much of its squared length each part has. The cosine of two vectors of the same smallest group is about
 * 0.61, of the same middle group 0.41, of the same large group 0.25, and of any two 0.14. Of 2,400 passages of package descriptions under
 * all-MiniLM-L6-v2, that of the nearest is 0.63, of the tenth 0.43, of the hundredth 0.30, and of any two 0.14.
 */
const sharedByAll = 0.137;
const levels = [
  { groups: 40, weight: 0.12 },
  { groups: 1000, weight: 0.15 },
  { groups: 10_000, weight: 0.2 },
];
const own = 0.393;

/** Vectors in nested groups, as those of real texts are. The same row always gives the same vector, so none need be kept. */
export function vectorOf(row: number): Float32Array {
  const vector = new Float32Array(dimension);
  add(vector, 1, sharedByAll);
  // The groups of a level are divided by the next, and each has rows from everywhere in the index.
  const group = hash(row) % levels.at(-1)!.groups;
  for (const { groups, weight } of levels) add(vector, 7_000_000 + groups * 31 + (group % groups), weight);
  add(vector, 20_000_000 + row, own * (0.5 + hash(row + 77) / 2 ** 32));
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

/** Adds components between -1 and 1 that the seed decides. */
function add(vector: Float32Array, seed: number, weight: number): void {
  const scale = Math.sqrt(weight);
  let state = hash(seed);
  for (let at = 0; at < dimension; at++) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    vector[at]! += scale * (state / 2 ** 31 - 1);
  }
}

function hash(value: number): number {
  let state = Math.imul(value ^ 0x9e3779b9, 2_654_435_761) >>> 0;
  state = Math.imul(state ^ (state >>> 13), 3_266_489_917) >>> 0;
  return (state ^ (state >>> 16)) >>> 0;
}
