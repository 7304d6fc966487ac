/**
 * The adaptive ceiling on extract jobs of one worker process.
 *
 * normal      load per core below the high mark.
 *   -> tripped     a sample at or above the high mark: the ceiling is multiplied by the decrease factor, once a sample, down to the floor.
 * tripped     -> recovering  a sample at or below the low mark.
 * recovering  -> normal      the ceiling is back at its cap.
 * any         a sample at or below the low mark, jobs waiting, and the cooldown since the last contraction over: the ceiling rises by one.
 * At most one adjustment a sample. A backlog never contracts. Without a load average the controller does nothing.
 */
export interface BackpressureOptions {
  enabled: boolean;
  min: number;
  max: number;
  highLoad: number;
  lowLoad: number;
  decreaseFactor: number;
  expandCooldownSeconds: number;
}

export type BackpressureState = 'normal' | 'tripped' | 'recovering';

export interface Backpressure {
  ceiling(): number;
  state(): BackpressureState;
  /** One sample; answers a sentence when something changed. `loadPerCore` null: the host has no load average. */
  sample(now: number, loadPerCore: number | null, waiting: number): string | null;
}

export function createBackpressure(options: BackpressureOptions): Backpressure {
  let ceiling = options.max;
  let state: BackpressureState = 'normal';
  let contractedAt = Number.NEGATIVE_INFINITY;
  return {
    ceiling: () => (options.enabled ? ceiling : options.max),
    state: () => state,
    sample(now, loadPerCore, waiting) {
      if (!options.enabled || loadPerCore === null) return null;
      const before = ceiling;
      if (loadPerCore >= options.highLoad) {
        state = 'tripped';
        ceiling = Math.max(options.min, Math.floor(ceiling * options.decreaseFactor));
        if (ceiling < before) contractedAt = now;
        return ceiling < before
          ? `Extraction slows to ${ceiling} at a time: load per core ${loadPerCore.toFixed(2)} is at or above ${options.highLoad}.`
          : null;
      }
      if (loadPerCore > options.lowLoad) return null;
      if (state === 'tripped') state = 'recovering';
      const cooled = now - contractedAt >= options.expandCooldownSeconds * 1000;
      if (waiting > 0 && cooled && ceiling < options.max) ceiling += 1;
      if (ceiling === options.max) state = 'normal';
      return ceiling > before
        ? `Extraction speeds up to ${ceiling} at a time: load per core ${loadPerCore.toFixed(2)} is at or below ${options.lowLoad}, ${waiting} jobs wait.`
        : null;
    },
  };
}
