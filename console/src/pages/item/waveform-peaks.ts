/** The loudest sample of each of `count` equal parts, from 0 to 1. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const size = samples.length / count;
  return Array.from({ length: count }, (_, part) => {
    let most = 0;
    for (let at = Math.floor(part * size); at < Math.floor((part + 1) * size); at += 1) most = Math.max(most, Math.abs(samples[at] ?? 0));
    return Math.min(1, most);
  });
}
