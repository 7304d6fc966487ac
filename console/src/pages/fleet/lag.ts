export const lagHours = 48;
const hourMs = 3_600_000;

/** Bars of the last hours, each a share of the highest one. */
export function lagBars(
  points: readonly { hour: string; waiting: number }[],
  now: number,
): { bars: { at: number; share: number }[]; most: number } {
  const first = Math.floor(now / hourMs) - lagHours + 1;
  const shown = points
    .map(({ hour, waiting }) => ({ at: Math.floor(Date.parse(hour) / hourMs) - first, waiting }))
    .filter(({ at }) => at >= 0 && at < lagHours);
  const most = Math.max(0, ...shown.map(({ waiting }) => waiting));
  return { bars: shown.map(({ at, waiting }) => ({ at, share: most === 0 ? 0 : waiting / most })), most };
}
