/**
 * Repeats `beat` for as long as it is not stopped. When no beat has succeeded for `deadlineMs`, the work can no longer be called alive and
 * `onLost` runs, once for each such silence. A beat that hangs in a half-open connection counts as a silence too.
 */
export function startHeartbeat(options: {
  beat(): Promise<void>;
  everyMs: number;
  deadlineMs: number;
  onLost(): void;
  onFailure(error: unknown): void;
}): {
  stop(): void;
} {
  let lastBeat = performance.now();
  let beating = false;
  let lost = false;

  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await options.beat();
      lastBeat = performance.now();
      lost = false;
    } catch (error) {
      options.onFailure(error);
    } finally {
      beating = false;
    }
  };

  const timer = setInterval(() => {
    void beat();
    if (!lost && performance.now() - lastBeat > options.deadlineMs) {
      lost = true;
      options.onLost();
    }
  }, options.everyMs);
  return { stop: () => clearInterval(timer) };
}
