/** A wall-clock budget, looked at between pieces of work. Once it is over, it stays over. */
export interface Deadline {
  passed(): boolean;
  /** Whether anyone was told that it had passed. */
  missed(): boolean;
}

export function startDeadline(milliseconds: number | undefined): Deadline {
  const end = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
  let missed = false;
  return {
    passed() {
      missed ||= performance.now() > end;
      return missed;
    },
    missed: () => missed,
  };
}
