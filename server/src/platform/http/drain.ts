import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

const quietMs = 500;

/**
 * Closes the server without a broken response:
 *
 * 1. For half a second everything is served, and each response asks the client to close its connection.
 * 2. No connection is accepted any more. For another half second the open ones are served.
 * 3. Idle connections are closed. A response that is still being sent, such as a download, is cut after `seconds`.
 */
// biome-ignore lint/suspicious/noExplicitAny: hooks are the same for every server and logger type.
export function drainOnClose(app: FastifyInstance<any, any, any, any, any>, seconds: number): void {
  let closing = false;
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.min(quietMs, seconds * 500)));
  app.addHook('onRequest', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    const { server } = app;
    if (!server.listening) return;
    await pause();
    // The HTTP server's own `close` would also close connections whose request is about to arrive.
    const ended = new Promise<void>((resolve) => {
      Server.prototype.close.call(server, () => resolve());
    });
    await pause();
    server.closeIdleConnections();
    const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
    await ended;
    clearTimeout(late);
  });
}
