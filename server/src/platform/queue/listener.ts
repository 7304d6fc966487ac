import type pg from 'pg';
import { connectClient, type DatabaseAddress } from '../database/index.ts';

export interface Listener {
  stop(): Promise<void>;
}

/**
 * Listens on notification channels over one connection and reconnects when it breaks. A periodic query detects half-open connections.
 * Notifications sent while disconnected are lost, so `onConnected` runs after every (re)connection and the caller must check for missed work.
 */
export function listen(options: {
  address: DatabaseAddress;
  name: string;
  channels: readonly string[];
  onNotice(channel: string, payload: string): void;
  onConnected(): void;
  /** A session lock that is held while connected, so that other processes can tell that this one is alive. */
  lock?: string;
  /** Interval of the connection check, and its timeout. */
  queryTimeoutSeconds?: number;
}): Listener {
  const { queryTimeoutSeconds = 30 } = options;
  const sleeper = createSleeper();
  let stopped = false;
  let client: pg.Client | null = null;

  const listenUntilClosed = async (): Promise<void> => {
    const opened = await connectClient(options.address, options.name, Math.min(10, queryTimeoutSeconds));
    client = opened;
    const probeQuery = { text: 'select 1', query_timeout: queryTimeoutSeconds * 1_000 };
    const probe = setInterval(() => void opened.query(probeQuery).catch(() => cut(opened)), queryTimeoutSeconds * 1_000);
    try {
      const ended = new Promise<void>((resolve) => opened.once('end', () => resolve()));
      opened.on('notification', ({ channel, payload }) => options.onNotice(channel, payload ?? ''));
      if (options.lock !== undefined) await opened.query('select pg_try_advisory_lock(hashtextextended($1, 0))', [options.lock]);
      for (const channel of options.channels) await opened.query(`listen ${channel}`);
      if (stopped) return;
      options.onConnected();
      await ended;
    } finally {
      clearInterval(probe);
      client = null;
      cut(opened);
    }
  };

  const running = (async () => {
    for (let pause = 100; !stopped; pause = Math.min(pause * 2, 5_000)) {
      const began = performance.now();
      // A failed connection is retried below; callers log that the database is unavailable.
      await listenUntilClosed().catch(() => {});
      // The delay starts again at 100 ms after a connection that lasted, and doubles while connecting fails.
      if (performance.now() - began > 10_000) pause = 100;
      if (!stopped) await sleeper.sleep(pause);
    }
  })();

  return {
    async stop() {
      stopped = true;
      sleeper.wake();
      if (client) cut(client);
      await running;
    },
  };
}

/** Closes the socket without the protocol's goodbye message, which would wait forever on a half-open connection. */
function cut(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** Lets one loop sleep until `wake()` is called or the time has passed. A wake-up between two sleeps ends the next sleep at once. */
interface Sleeper {
  wake(): void;
  sleep(milliseconds: number): Promise<void>;
}

export function createSleeper(): Sleeper {
  let woken = false;
  let endSleep: (() => void) | null = null;
  return {
    wake() {
      woken = true;
      endSleep?.();
    },
    async sleep(milliseconds) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          endSleep = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      endSleep = null;
      woken = false;
    },
  };
}
