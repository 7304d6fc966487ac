import type pg from 'pg';
import { connectClient, type Database, one } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';

/** What the work of a locked loop may use. */
export interface LoopControls {
  stopping(): boolean;
  /** Fails when the connection, and with it the lock, is lost. */
  confirmLock(): Promise<void>;
  /** Call before reading changes: a notification that arrives from now on ends the next sleep at once. */
  expectChanges(): void;
  /** Resolves after this time, on a notification, or when the loop stops. */
  sleep(ms: number): Promise<void>;
  /** Resolves after this time, or when the loop stops. Notifications do not end it, so that changes collect. */
  collect(ms: number): Promise<void>;
}

interface LoopOptions {
  name: string;
  lockKey: number;
  channel: string;
  /** What the log says when the work failed. */
  failure: string;
  onNotification?(payload: string | undefined): void;
}

const firstPauseMs = 200;
const longestPauseMs = 10_000;
/** Work that fails sooner, for example because the search server is down, has probably failed for the same reason as the last time. */
const steadyMs = 10_000;

/**
 * Runs work in one process of a deployment: the one that holds the lock. `work` returns only when the loop is stopping; when it throws, the
 * error is logged and everything starts again after a pause, which grows while it keeps failing. Other processes keep trying to get the lock.
 */
export function createLockedLoop(
  { database, log }: { database: Pick<Database, 'address'>; log: Log },
  { name, lockKey, channel, failure, onNotification }: LoopOptions,
  work: (controls: LoopControls) => Promise<void>,
): { start(): void; stop(): Promise<void> } {
  let stopping = false;
  let wake = (): void => {};
  let stopCollecting = (): void => {};
  // Set by a notification: a change that commits while changes are being read must not wait for the next one.
  let notified = false;
  let running: Promise<void> = Promise.resolve();
  const pauseFor = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function runLoop(): Promise<void> {
    let isFailing = false;
    for (let pause = firstPauseMs; !stopping; pause = Math.min(pause * 2, longestPauseMs)) {
      let client: pg.Client | undefined;
      let startedAt: number | null = null;
      try {
        client = await connectClient(database.address, name);
        const connection = client;
        const acquired = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [lockKey]);
        if (one(acquired.rows).acquired) {
          client.on('notification', ({ payload }) => {
            notified = true;
            onNotification?.(payload);
            wake();
          });
          client.on('end', () => wake());
          await client.query(`listen ${channel}`);
          // The pauses before were those of waiting for the lock.
          if (!isFailing) pause = firstPauseMs;
          startedAt = performance.now();
          await work({
            stopping: () => stopping,
            async confirmLock() {
              await connection.query('select 1');
            },
            expectChanges() {
              notified = false;
            },
            async sleep(ms) {
              if (!notified && !stopping) await pauseFor(ms);
            },
            async collect(ms) {
              if (stopping) return;
              await new Promise<void>((resolve) => {
                const timer = setTimeout(resolve, ms);
                stopCollecting = () => {
                  clearTimeout(timer);
                  resolve();
                };
              });
            },
          });
        }
      } catch (error) {
        log.error(failure, { error });
      } finally {
        // The connection is broken or about to be replaced; there is nothing left to close properly.
        await client?.end().catch(() => {});
      }
      isFailing = startedAt !== null && performance.now() - startedAt < steadyMs;
      if (startedAt !== null && !isFailing) pause = firstPauseMs;
      if (!stopping) await pauseFor(pause);
    }
  }

  return {
    start() {
      running = runLoop();
    },
    async stop() {
      stopping = true;
      wake();
      stopCollecting();
      await running;
    },
  };
}
