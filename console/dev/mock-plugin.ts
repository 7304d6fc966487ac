import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { MockProblem } from './mock/route.ts';
import { createMock } from './mock/service.ts';

/*
 * A mock API for working on the console without a server. Never part of the build.
 * CATALOG_MOCK: "disabled" (default, no sign-in), "enabled" (sign in with any name and the password "password") or "bootstrap" (first visit).
 * CATALOG_MOCK_ITEMS: number of generated files, default 24000.
 */
export function mockApi(): Plugin {
  return {
    name: 'catalog-mock-api',
    configureServer(server) {
      const mock = createMock({
        items: Number(process.env['CATALOG_MOCK_ITEMS'] ?? 24_000),
        mode: process.env['CATALOG_MOCK'] ?? 'disabled',
      });
      server.middlewares.use('/api/v1', (request, response) => void handleMockRequest(mock, request, response));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text ? JSON.parse(text) : undefined;
}

export async function handleMockRequest(
  mock: ReturnType<typeof createMock>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://mock');
  try {
    const body = request.method === 'GET' ? undefined : await readJson(request);
    if (mock.stream(url.pathname, response)) return;
    const result = mock.handle(request.method ?? 'GET', url.pathname, url.searchParams, body);
    if (result === undefined) {
      response.statusCode = 204;
      response.end();
    } else if (typeof result === 'object' && result !== null && 'svg' in result) {
      response.setHeader('content-type', 'image/svg+xml');
      response.setHeader('cache-control', 'max-age=3600');
      response.end((result as { svg: string }).svg);
    } else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(result));
    }
  } catch (error) {
    const problem = error instanceof MockProblem ? error : new MockProblem(500, 'mock', String(error));
    response.statusCode = problem.status;
    response.setHeader('content-type', 'application/problem+json');
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title: problem.message,
        status: problem.status,
        detail: problem.message,
        code: problem.code,
        ...problem.extra,
      }),
    );
  }
}
