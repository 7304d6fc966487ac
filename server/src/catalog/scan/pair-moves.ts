/**
 * Who moved where, among files of the same bytes. A rename keeps the inode and the time, a move to another disk keeps the time, a copy
 * keeps neither; so:
 * 1. one new file and one lost item with the same inode and time belong together;
 * 2. a lost item with the time of exactly one new file, which no file still in place shares, belongs to it;
 * 3. a single new file and a single lost item belong together when no other file of the same bytes is in place to be a copy of.
 * Everything else is ambiguous: nobody's words are given to a twin on a guess. Without a content hash only rule 1 counts.
 */
export interface MoveCandidate {
  id: string;
  inode: string | null;
  mtimeNs: string;
}

export interface SameBytes {
  fresh: readonly MoveCandidate[];
  lost: readonly MoveCandidate[];
  /** Files of the same bytes that are still where they were. */
  inPlace: readonly MoveCandidate[];
  /** The bytes are proven equal by a content hash, not merely by a quick one. */
  proven: boolean;
}

export interface MovePairs {
  moves: { from: string; to: string }[];
  ambiguous: number;
}

export function pairMoves({ fresh, lost, inPlace, proven }: SameBytes): MovePairs {
  const moves: { from: string; to: string }[] = [];
  let openFresh = [...fresh];
  let openLost = [...lost];
  const pairBy = (key: (candidate: MoveCandidate) => string | null, allowed: (key: string) => boolean): void => {
    const freshBy = Map.groupBy(
      openFresh.filter((candidate) => key(candidate) !== null),
      key,
    );
    const lostBy = Map.groupBy(
      openLost.filter((candidate) => key(candidate) !== null),
      key,
    );
    const taken = new Set<string>();
    for (const [value, targets] of freshBy) {
      const sources = lostBy.get(value);
      if (targets.length !== 1 || sources?.length !== 1 || !allowed(value!)) continue;
      moves.push({ from: sources[0]!.id, to: targets[0]!.id });
      taken.add(sources[0]!.id).add(targets[0]!.id);
    }
    openFresh = openFresh.filter(({ id }) => !taken.has(id));
    openLost = openLost.filter(({ id }) => !taken.has(id));
  };
  pairBy(
    ({ inode, mtimeNs }) => inode && `${inode} ${mtimeNs}`,
    () => true,
  );
  if (proven) {
    pairBy(
      ({ mtimeNs }) => mtimeNs,
      (mtimeNs) => !inPlace.some((other) => other.mtimeNs === mtimeNs),
    );
    if (openFresh.length === 1 && openLost.length === 1 && inPlace.length === 0) {
      moves.push({ from: openLost[0]!.id, to: openFresh[0]!.id });
      openFresh = [];
      openLost = [];
    }
  }
  return { moves, ambiguous: openLost.length > 0 ? openFresh.length : 0 };
}
