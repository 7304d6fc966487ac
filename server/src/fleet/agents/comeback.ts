/**
 * After how many seconds an agent whose request was refused should try again. The time grows while more requests are refused than
 * served: when ten thousand agents wait and thirty can be served in a second, most of them need not ask again within the next minutes.
 */
export interface Comeback {
  /** A request was served. */
  served(): void;
  /** A request is refused. Returns the seconds after which the agent should try again. */
  refused(): number;
}

const shortestSeconds = 5;
const factor = 1.5;
const judgedEveryMs = 1000;
const forgottenAfterMs = 60_000;

export function createComeback(
  longestSeconds: number,
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
): Comeback {
  let seconds = shortestSeconds;
  let since = now();
  let served = 0;
  let refused = 0;
  const judge = (): void => {
    const passed = now() - since;
    if (passed < judgedEveryMs) return;
    if (passed > forgottenAfterMs) seconds = shortestSeconds;
    else if (refused > 2 * served) seconds = Math.min(longestSeconds, seconds * factor);
    else if (refused < served) seconds = Math.max(shortestSeconds, seconds / factor);
    since = now();
    served = 0;
    refused = 0;
  };
  return {
    served() {
      judge();
      served += 1;
    },
    refused() {
      judge();
      refused += 1;
      return Math.max(1, Math.round(seconds * (0.5 + random())));
    },
  };
}
