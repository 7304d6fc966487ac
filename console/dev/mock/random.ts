// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
/** A seeded random number generator, so that the mock has the same files on every start. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

export function uuid(n: number): string {
  const hex = (n * 2654435761 + 12345).toString(16).padStart(12, '0').slice(-12);
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${hex}`;
}
