import type { Compare } from './sort-values.ts';

/** A sorted list of distinct strings that can be read piece by piece. */
export interface SortedStrings {
  size: number;
  slice(from: number, to: number): string[];
}

const piece = 4096;

/** The distinct strings of several lists in order and, for each list, the merged place of each of its strings. */
export interface MergedStrings {
  values: string[];
  maps: Uint32Array[];
}

export function mergeSorted(lists: readonly SortedStrings[], compare: Compare): MergedStrings {
  const values: string[] = [];
  const maps = lists.map((list) => new Uint32Array(list.size));
  const heads = lists.map((list, index) => ({ list, map: maps[index]!, at: -1, from: 0, strings: [] as string[], value: '' }));
  const advance = (head: (typeof heads)[number]): boolean => {
    if (++head.at >= head.list.size) return false;
    if (head.at >= head.from + head.strings.length) {
      head.from = head.at;
      head.strings = head.list.slice(head.at, Math.min(head.at + piece, head.list.size));
    }
    head.value = head.strings[head.at - head.from]!;
    return true;
  };
  let open = heads.filter(advance);
  while (open.length > 0) {
    let least = open[0]!.value;
    for (let at = 1; at < open.length; at++) if (compare(open[at]!.value, least) < 0) least = open[at]!.value;
    const place = values.push(least) - 1;
    let ended = false;
    for (const head of open) {
      if (head.value !== least) continue;
      head.map[head.at] = place;
      if (!advance(head)) ended = true;
    }
    if (ended) open = open.filter((head) => head.at < head.list.size);
  }
  return { values, maps };
}
