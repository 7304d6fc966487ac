import http from 'node:http';
import { onTestFinished } from 'vitest';

/*
 * A proxy between the browser and the service that can fail on demand, so that a test needs not stop the service others use.
 *   open    everything passes
 *   closed  connections are cut, as when the service is down
 *   slow    every answer waits
 * An answer can also be changed on its way: that is how a new version of the console appears.
 */
export interface FaultProxy {
  base: string;
  open(): void;
  close(): void;
  slow(ms: number): void;
  change(path: string, rewrite: (text: string) => string): void;
}

export async function startFaultProxy(service: string): Promise<FaultProxy> {
  let mode: 'open' | 'closed' | 'slow' = 'open';
  let wait = 0;
  const rewrites = new Map<string, (text: string) => string>();
  const target = new URL(service);

  const pass = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const rewrite = rewrites.get((request.url ?? '').split('?')[0]!);
    const headers = { ...request.headers };
    if (rewrite) {
      delete headers['accept-encoding'];
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    const onward = http.request({ host: '127.0.0.1', port: target.port, method: request.method, path: request.url, headers }, (answer) => {
      if (!rewrite) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = rewrite(Buffer.concat(parts).toString());
        response.writeHead(answer.statusCode ?? 502, {
          ...answer.headers,
          'content-length': Buffer.byteLength(text),
          etag: `"${text.length}"`,
        });
        response.end(text);
      });
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = http.createServer((request, response) => {
    if (mode === 'closed') request.socket.destroy();
    else if (mode === 'slow') setTimeout(() => pass(request, response), wait);
    else pass(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    base: `http://localhost:${port}`,
    open: () => (mode = 'open'),
    close: () => {
      mode = 'closed';
      server.closeAllConnections();
    },
    slow: (ms) => {
      mode = 'slow';
      wait = ms;
    },
    change: (path, rewrite) => void rewrites.set(path, rewrite),
  };
}
