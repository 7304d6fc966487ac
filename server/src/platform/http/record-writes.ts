import type { Replica } from '../database/index.ts';
import type { App } from './app.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Stores the position of what a caller wrote before the response is sent, so that the next request of the caller sees it in every process. */
export function recordWrites(app: App, replica: Replica): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.principal && !readingMethods.has(request.method)) await replica.recordWrite(request.principal);
    return payload;
  });
}
