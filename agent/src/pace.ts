/** Keeps the work of the agent within the limits of its policy: a share of the processor, and no work on battery when the policy says so. */
import type { Policy } from './policy.ts';
import { metering, type PowerSource, powerSource } from './power.ts';

export interface Pace {
  /** Called between pieces of work; returns when the next piece may begin. Throws when `signal` is aborted. */
  turn(policy: Policy, signal?: AbortSignal): Promise<void>;
  /** Milliseconds of work that another process did for this one. */
  add(milliseconds: number): void;
  /** Why nothing is scanned or sent at the moment; null when nothing holds it back. */
  held(policy: Policy): Promise<string | null>;
  /** Why changes are not sent at the moment. */
  sendingHeld(policy: Policy): Promise<string | null>;
}

interface PaceOptions {
  wait(seconds: number, signal?: AbortSignal): Promise<void>;
  power?: () => Promise<PowerSource>;
  meter?: typeof metering;
}

const askEverySeconds = 15;

export function createPace({ wait, power = () => powerSource(), meter = () => metering() }: PaceOptions): Pace {
  let started = performance.now();
  let usage = process.cpuUsage();
  let added = 0;
  const source = rarely(power);
  const metered = rarely(meter);
  const held = async (policy: Policy): Promise<string | null> =>
    policy.pause_on_battery && (await source()) === 'battery' ? 'The machine runs on battery.' : null;
  return {
    add(milliseconds) {
      added += milliseconds;
    },
    held,
    async sendingHeld(policy) {
      const reason = await held(policy);
      if (reason !== null) return reason;
      return policy.pause_on_metered && (await metered()) === 'metered' ? 'The connection is metered.' : null;
    },
    async turn(policy, signal) {
      while ((await held(policy)) !== null) {
        signal?.throwIfAborted();
        await wait(askEverySeconds, signal);
      }
      signal?.throwIfAborted();
      if (policy.cpu_max_percent !== null) {
        const used = process.cpuUsage(usage);
        const busy = (used.user + used.system) / 1000 + added;
        const due = (busy * 100) / policy.cpu_max_percent - (performance.now() - started);
        // Short pauses are collected, because a timer is not exact.
        if (due < 20 && performance.now() - started < 1000) return;
        if (due > 0) await wait(due / 1000, signal);
        signal?.throwIfAborted();
      }
      started = performance.now();
      usage = process.cpuUsage();
      added = 0;
    },
  };
}

/** Asks the system at most every few seconds. */
function rarely<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  let at = 0;
  return () => {
    if (!known || performance.now() - at > askEverySeconds * 1000) {
      at = performance.now();
      known = ask();
    }
    return known;
  };
}
