import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { closeEventStreams } from './sse.ts';

const quietMs = 500;

interface DrainOptions {
  /** How long a load balancer may take to notice that the app is not ready. */
  delaySeconds: number;
  /** Responses that are still being sent after this long are cut. */
  drainSeconds: number;
}

/**
 * Closes the server without a broken response:
 *
 * 1. The app is not ready any more. For the delay, and at least half a second, everything is served, and each response asks the client to
 *    close its connection.
 * 2. No connection is accepted any more. For another half second the open ones are served.
 * 3. Idle connections are closed. A response that is still being sent, such as a download, is cut after `drainSeconds`.
 *
 * Event streams end at the beginning of 1, and those that were opened meanwhile at the beginning of 3. The
 * signal is aborted when a stop begins.
 */
export function drainOnClose(
  // biome-ignore lint/suspicious/noExplicitAny: hooks are the same for every server and logger type.
  app: FastifyInstance<any, any, any, any, any>,
  { delaySeconds, drainSeconds }: DrainOptions,
): AbortSignal {
  const stop = new AbortController();
  const quiet = Math.min(quietMs, drainSeconds * 500);
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  app.addHook('onRequest', async (_request, reply) => {
    if (stop.signal.aborted) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    stop.abort();
    closeEventStreams();
    const { server } = app;
    if (!server.listening) return;
    await pause(Math.max(quiet, delaySeconds * 1000));
    // The HTTP server's own `close` would also close connections whose request is about to arrive.
    const ended = new Promise<void>((resolve) => {
      Server.prototype.close.call(server, () => resolve());
    });
    await pause(quiet);
    closeEventStreams();
    server.closeIdleConnections();
    const late = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
    await ended;
    clearTimeout(late);
  });
  return stop.signal;
}
