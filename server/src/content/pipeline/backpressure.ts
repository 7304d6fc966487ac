/**
 * The adaptive ceiling on parallel extract jobs in one worker process.
 *
 * normal      load per core is below the high mark.
 *   -> tripped     a sample at or above the high mark: each such sample multiplies the ceiling by the decrease factor, down to the minimum.
 * tripped     -> recovering  a sample at or below the low mark.
 * recovering  -> normal      the ceiling is back at its maximum.
 * any state   a sample at or below the low mark, with jobs waiting and the cooldown since the last decrease over, raises the ceiling by one.
 * A sample adjusts the ceiling at most once. Waiting jobs never lower it. Without a load average the ceiling stays at its maximum.
 */
interface BackpressureOptions {
  enabled: boolean;
  min: number;
  max: number;
  highLoad: number;
  lowLoad: number;
  decreaseFactor: number;
  expandCooldownSeconds: number;
}

type BackpressureState = 'normal' | 'tripped' | 'recovering';

export interface Backpressure {
  ceiling(): number;
  state(): BackpressureState;
  /** Takes one sample; returns a log message when the ceiling or the state changed. `loadPerCore` is null on hosts without a load average. */
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
      const before = { ceiling, state };
      const load = loadPerCore.toFixed(2);
      if (loadPerCore >= options.highLoad) {
        state = 'tripped';
        ceiling = Math.max(options.min, Math.floor(ceiling * options.decreaseFactor));
        if (ceiling < before.ceiling) contractedAt = now;
        if (ceiling < before.ceiling)
          return `Extraction slows to ${ceiling} at a time: load per core ${load} is at or above ${options.highLoad}.`;
        return before.state === 'tripped'
          ? null
          : `Extraction stays at its minimum of ${ceiling} at a time: load per core ${load} is at or above ${options.highLoad}.`;
      }
      if (loadPerCore > options.lowLoad) return null;
      if (state === 'tripped') state = 'recovering';
      const cooled = now - contractedAt >= options.expandCooldownSeconds * 1000;
      if (waiting > 0 && cooled && ceiling < options.max) ceiling += 1;
      if (ceiling === options.max) state = 'normal';
      if (ceiling > before.ceiling)
        return `Extraction speeds up to ${ceiling} at a time: load per core ${load} is at or below ${options.lowLoad}, ${waiting} jobs wait.`;
      if (state === before.state) return null;
      return state === 'normal'
        ? `Extraction is back to normal at ${ceiling} at a time: load per core ${load} is at or below ${options.lowLoad}.`
        : `Extraction recovers from ${ceiling} at a time: load per core ${load} is at or below ${options.lowLoad}.`;
    },
  };
}
