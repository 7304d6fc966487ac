import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

type Answer = { status: number; body: unknown };
/** Called after each test. */
export const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A node that answers as told. */
export async function fakeNode(answer: (request: { method: string; path: string; body: string }) => Answer): Promise<string> {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { status, body: reply } = answer({ method: String(request.method), path: String(request.url), body });
      response.writeHead(status, { 'content-type': 'application/json' }).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** The response to a search. */
export const found = (total: number, more: object = {}) => ({
  took: 3,
  timed_out: false,
  _shards: { total: 2, successful: 2, failed: 0 },
  hits: { total: { value: total }, hits: [] },
  ...more,
});
