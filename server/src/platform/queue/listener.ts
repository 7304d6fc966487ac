import type { Socket } from 'node:net';
import type pg from 'pg';
import { connectClient, type DatabaseAddress } from '../database/index.ts';

export interface Listener {
  stop(): Promise<void>;
}

/**
 * Keeps one connection listening on some channels and opens it again whenever it breaks. A connection that stays open but carries nothing
 * more is found by asking it a question now and then. Notices sent meanwhile are lost, so `onConnected` runs after every (re)connection:
 * the caller looks for what it may have missed.
 */
export function listen(options: {
  address: DatabaseAddress;
  name: string;
  channels: readonly string[];
  onNotice(channel: string, payload: string): void;
  onConnected(): void;
  /** How often to ask, and how long to wait for the answer. */
  queryTimeoutSeconds?: number;
}): Listener {
  const { queryTimeoutSeconds: answerSeconds = 30 } = options;
  const stopping = createSleeper();
  let stopped = false;
  let client: pg.Client | null = null;

  const hold = async (): Promise<void> => {
    const opened = await connectClient(options.address, options.name);
    client = opened;
    const question = { text: 'select 1', query_timeout: answerSeconds * 1_000 };
    const probe = setInterval(() => void opened.query(question).catch(() => cut(opened)), answerSeconds * 1_000);
    try {
      const ended = new Promise<void>((resolve) => opened.once('end', () => resolve()));
      opened.on('notification', ({ channel, payload }) => options.onNotice(channel, payload ?? ''));
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
      await hold().catch(() => {});
      // A connection that lasted is opened again at once; one that does not come up is asked for ever more slowly.
      if (performance.now() - began > 10_000) pause = 100;
      if (!stopped) await stopping.sleep(pause);
    }
  })();

  return {
    async stop() {
      stopped = true;
      stopping.wake();
      if (client) cut(client);
      await running;
    },
  };
}

/** Ends a connection without a farewell: one that is half open would never answer it, and a listener has nothing to lose. */
function cut(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Lets one loop sleep until something happens or a while has passed. A ring between two sleeps is not lost. */
export interface Sleeper {
  wake(): void;
  sleep(milliseconds: number): Promise<void>;
}

export function createSleeper(): Sleeper {
  let rung = false;
  let rise: (() => void) | null = null;
  return {
    wake() {
      rung = true;
      rise?.();
    },
    async sleep(milliseconds) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          rise = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rise = null;
      rung = false;
    },
  };
}
