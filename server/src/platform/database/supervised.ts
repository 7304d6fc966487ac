import type { Log } from '../log/contract.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';

/**
 * Keeps the embedded server running.
 *
 * running -> waiting   the server exits unexpectedly, for example because it was killed or its disk is full.
 * waiting -> running   it is started again after a delay that doubles up to ten seconds; it recovers from its write-ahead log.
 * waiting -> waiting   it does not start. While its disk is full this repeats until there is space.
 * waiting -> ended     it ended or did not start more than `budget` times within ten minutes.
 * any     -> ended     `stop()`.
 *
 * Other processes connect again by themselves; until then their requests are answered with 503.
 */
export interface SupervisedServer {
  /** Resolves when the server has ended for good without `stop()`. */
  failed: Promise<void>;
  stop(): Promise<void>;
}

interface SuperviseOptions {
  folder: string;
  log: Log;
  budget?: number;
  /** For tests. */
  start?: typeof startEmbedded;
}

const budgetMs = 600_000;
const longestPauseMs = 10_000;

export async function superviseEmbedded({ folder, log, budget = 10, start = startEmbedded }: SuperviseOptions): Promise<SupervisedServer> {
  let server: EmbeddedServer | null = await start({ folder });
  let stopping = false;
  let wake = (): void => {};
  const failures: number[] = [];
  const { promise: failed, resolve: giveUp } = Promise.withResolvers<void>();

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const mayRetry = (): boolean => {
    failures.push(Date.now());
    return failures.filter((at) => at > Date.now() - budgetMs).length <= budget;
  };

  const restart = async (): Promise<EmbeddedServer | null> => {
    for (let pause = 250; !stopping; pause = Math.min(pause * 2, longestPauseMs)) {
      await sleep(pause);
      if (stopping) break;
      try {
        const next = await start({ folder });
        log.info('The database is running again.');
        return next;
      } catch (error) {
        const { message } = error as Error;
        const isFull = /No space left on device/.test(message);
        log.error(isFull ? 'The database cannot start because its disk is full. Free some space.' : message);
        if (!isFull && !mayRetry()) break;
      }
    }
    return null;
  };

  const running = (async () => {
    while (server) {
      const code = await server.exited;
      if (stopping) return;
      log.error(`The database exited unexpectedly (code ${code}). It is being restarted.`);
      server = mayRetry() ? await restart() : null;
      if (stopping) await server?.stop();
    }
    if (!stopping) giveUp();
  })();

  return {
    failed,
    async stop() {
      stopping = true;
      wake();
      await server?.stop();
      await running;
    },
  };
}
