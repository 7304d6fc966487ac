import { storableText } from '../database/index.ts';
import { InvalidPayload } from './tasks.ts';

/** How a run ended, as it is written to the job's row. */
export type RunOutcome =
  | { kind: 'succeeded' }
  /** `retrySeconds` null: no further attempt, whatever is left of them. */
  | { kind: 'failed'; error: string; traceback: string; retrySeconds: number | null }
  /** Back to todo without counting as a failure; `lost` counts against the requeue budget. */
  | { kind: 'released'; seconds: number; lost: boolean };

class Reschedule extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Put back for ${seconds} seconds.`);
    this.seconds = seconds;
  }
}

class PermanentFailure extends Error {}

/** `throw reschedule(30)`: put this job back for a while; no failure is counted. Add jitter where many jobs may do so at once. */
export function rescheduleIn(seconds: number): Error {
  return new Reschedule(Math.max(0, seconds));
}

/** `throw giveUp('The channel has no address.')`: fail now, without the attempts that are left, since another would end the same. */
export function permanentFailure(message: string, cause?: unknown): Error {
  return new PermanentFailure(message, cause === undefined ? undefined : { cause });
}

/** Why a run's signal was aborted. Tasks see it as `signal.reason`. */
export class JobInterrupted extends Error {
  readonly kind: 'abort' | 'drain' | 'lost';
  constructor(kind: 'abort' | 'drain' | 'lost') {
    super(
      { abort: 'Aborted on request.', drain: 'The worker is stopping.', lost: 'The heartbeat was lost; another worker may run this job.' }[
        kind
      ],
    );
    this.name = 'Interruption';
    this.kind = kind;
  }
}

/** What a thrown error means for the job. */
export function outcomeOf(thrown: unknown, run: { attempt: number; signal: AbortSignal; random: () => number }): RunOutcome {
  const interruption = run.signal.aborted && run.signal.reason instanceof JobInterrupted ? run.signal.reason : null;
  // An aborted job does not come back all the same: its row says `aborting`, and that wins when the end is written.
  if (interruption) return { kind: 'released', seconds: 0, lost: false };
  if (thrown instanceof Reschedule) return { kind: 'released', seconds: thrown.seconds, lost: false };
  // A database that went away is nobody's failure, but a job that brings it down every time must not do so for ever.
  if (isDatabaseLost(thrown)) return { kind: 'released', seconds: 5, lost: true };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const final = error instanceof PermanentFailure || error instanceof InvalidPayload;
  return {
    kind: 'failed',
    error: storableText(error.message || error.name, 2_000),
    traceback: storableText(tracebackOf(error), 20_000),
    retrySeconds: final ? null : retryDelay(run.attempt, run.random),
  };
}

/** 5 s, 10 s, 20 s … ten minutes, give or take a quarter, so that jobs which failed together do not come back together. */
export function retryDelay(attempt: number, random: () => number): number {
  const base = Math.min(600, 5 * 2 ** Math.min(attempt - 1, 10));
  return base * (0.75 + random() / 2);
}

function tracebackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\nCaused by: ${tracebackOf(error.cause)}` : own;
}

/** Connection exceptions (08), operator intervention (57P), and the driver's own words for a cut connection. */
export function isDatabaseLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && /^(08...|57P0[1-5])$/.test(code)) return true;
  if (syscall === 'connect' && 'address' in error && /\.s\.PGSQL\.\d+$/.test(String(error.address))) return true;
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/.test(
    error.message,
  );
}
