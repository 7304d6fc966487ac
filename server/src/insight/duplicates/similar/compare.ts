/** Hashes that differ in at most this many of 256 bits belong to pictures that look alike. Unrelated pictures differ in about 128. */
const maxDistance = 80;
const words = 8;

/** All hashes of the catalog in memory: 32 bytes each, so a million pictures take 32 MB. */
export interface HashSet {
  add(id: number, hash: Uint8Array): void;
  /** Ids of the pictures that look like this one. */
  near(hash: Uint8Array): number[];
  size(): number;
}

export function createHashSet(): HashSet {
  let values = new Uint32Array(1024 * words);
  let ids = new Int32Array(1024);
  let used = 0;
  return {
    add(id, hash) {
      if (used === ids.length) {
        values = grow(values, (length) => new Uint32Array(length));
        ids = grow(ids, (length) => new Int32Array(length));
      }
      values.set(wordsOf(hash), used * words);
      ids[used] = id;
      used += 1;
    },
    near(hash) {
      const wanted = wordsOf(hash);
      const found: number[] = [];
      for (let at = 0; at < used; at += 1) {
        let distance = 0;
        for (let word = 0; word < words && distance <= maxDistance; word += 1)
          distance += countBits((values[at * words + word] as number) ^ (wanted[word] as number));
        if (distance <= maxDistance) found.push(ids[at] as number);
      }
      return found;
    },
    size: () => used,
  };
}

function grow<T extends Uint32Array | Int32Array>(from: T, make: (length: number) => T): T {
  const larger = make(from.length * 2);
  larger.set(from);
  return larger;
}

function wordsOf(hash: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: words }, (_, word) => {
    const at = word * 4;
    return (((hash[at] ?? 0) << 24) | ((hash[at + 1] ?? 0) << 16) | ((hash[at + 2] ?? 0) << 8) | (hash[at + 3] ?? 0)) >>> 0;
  });
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Groups that grow: a picture that looks like members of two groups makes them one. The smallest id names a group. */
export function createGroups(): {
  join(id: number, others: readonly number[]): void;
  groupOf(id: number): number | null;
  changed(): Map<number, number>;
} {
  const parent = new Map<number, number>();
  const members = new Map<number, number[]>();
  let touched = new Set<number>();
  const root = (id: number): number => {
    let at = id;
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) at = up;
    return at;
  };
  return {
    join(id, others) {
      if (others.length === 0) return;
      const roots = [...new Set([id, ...others].map(root))];
      const first = Math.min(...roots);
      const all = roots.flatMap((each) => members.get(each) ?? [each]);
      for (const each of roots) members.delete(each);
      for (const each of all) parent.set(each, first);
      members.set(first, all);
      touched = new Set([...touched, ...all]);
    },
    groupOf: (id) => (parent.has(id) ? root(id) : null),
    changed() {
      const result = new Map([...touched].map((id) => [id, root(id)]));
      touched = new Set();
      return result;
    },
  };
}
