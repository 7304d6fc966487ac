import http from 'node:http';
import { onTestFinished } from 'vitest';

/*
 * A proxy between browser and server that fails on demand, so that a test does not have to stop the shared server.
 *   open    requests pass
 *   closed  connections are cut, as if the server were down
 *   slow    every request is delayed
 * Responses can also be rewritten, for example to simulate a new version of the console.
 */
interface FaultProxy {
  base: string;
  open(): void;
  close(): void;
  slow(ms: number): void;
  rewrite(path: string, change: (text: string) => string): void;
}

export async function startFaultProxy(service: string): Promise<FaultProxy> {
  let mode: 'open' | 'closed' | 'slow' = 'open';
  let delay = 0;
  const rewrites = new Map<string, (text: string) => string>();
  const target = new URL(service);

  const pass = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const rewrite = rewrites.get((request.url ?? '').split('?')[0] ?? '');
    const headers = { ...request.headers };
    if (rewrite) {
      delete headers['accept-encoding'];
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    const upstream = http.request(
      { host: '127.0.0.1', port: target.port, method: request.method, path: request.url, headers },
      (upstreamResponse) => {
        if (!rewrite) {
          response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
          upstreamResponse.pipe(response);
          return;
        }
        const chunks: Buffer[] = [];
        upstreamResponse.on('data', (chunk: Buffer) => chunks.push(chunk));
        upstreamResponse.on('end', () => {
          const text = rewrite(Buffer.concat(chunks).toString());
          response.writeHead(upstreamResponse.statusCode ?? 502, {
            ...upstreamResponse.headers,
            'content-length': Buffer.byteLength(text),
            etag: `"${text.length}"`,
          });
          response.end(text);
        });
      },
    );
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  };
  const server = http.createServer((request, response) => {
    if (mode === 'closed') request.socket.destroy();
    else if (mode === 'slow') setTimeout(() => pass(request, response), delay);
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
      delay = ms;
    },
    rewrite: (path, change) => void rewrites.set(path, change),
  };
}
