/**
 * How long a poll for commands stays open. The service of a large fleet asks for longer polls, so that fewer begin in a second. A proxy on
 * the way may cut them; then polls are as short as usual for a day.
 */
export interface PollWait {
  /** Sets how long polls should last, as the service said in its answer to a heartbeat. Anything but a usable number means the usual length. */
  tell(seconds: unknown): void;
  /** Runs one poll with the seconds that it should stay open, and notices when it was cut. */
  run(poll: (seconds: number) => Promise<void>): Promise<void>;
}

const usualSeconds = 50;
const longestSeconds = 240;
const usualAfterCutMs = 86_400_000;

export function createPollWait(now: () => number = () => performance.now()): PollWait {
  let asked = usualSeconds;
  let cutAt = Number.NEGATIVE_INFINITY;
  return {
    tell(seconds) {
      asked = typeof seconds === 'number' && seconds > 0 && seconds <= longestSeconds ? Math.round(seconds) : usualSeconds;
    },
    async run(poll) {
      const seconds = now() - cutAt < usualAfterCutMs ? Math.min(asked, usualSeconds) : asked;
      const began = now();
      try {
        await poll(seconds);
      } catch (error) {
        if (now() - began > (usualSeconds + 1) * 1000) cutAt = now();
        throw error;
      }
    },
  };
}
