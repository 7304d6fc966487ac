import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { createAssistantServer } from './server.ts';
import { type ApiCall, ToolError } from './tools.ts';

/**
 * The Model Context Protocol over streamable HTTP at /mcp. Every request stands for itself: a server is created for it and closed after it, so
 * no process holds sessions, and any process may take the next request. The session id only tells apart the running calls of two clients with
 * one key, so that a client can cancel its own.
 */
export function assistantRoutes(app: App, deps: Dependencies): void {
  const running = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; cancelled: AbortController }>();
  const config = { scope: 'read', raw: true } as const;
  const schema = { hide: true };

  app.post('/mcp', { config, schema }, async (request, reply) => {
    const principal = callerOf(request);
    if (principal.carrier === 'session')
      throw problem('credentials_bad', 'Assistants sign in with an API key, not with a browser session. Create one under Account.');
    const message = (request.body ?? {}) as { method?: unknown; id?: unknown; params?: { requestId?: unknown } };
    const session = request.headers['mcp-session-id'] ?? '';
    const keyOf = (id: unknown): string => JSON.stringify([principal.keyId ?? principal.id, session, id]);
    if (message.method === 'notifications/cancelled') {
      const call = running.get(keyOf(message.params?.requestId));
      call?.transport.onmessage?.(message as JSONRPCMessage);
      call?.cancelled.abort();
      return reply.code(202).send(null);
    }
    const server = createAssistantServer(deps, { principal, ip: request.clientAddress, api: apiFor(app, request) });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport as Transport);
    const cancelled = new AbortController();
    reply.raw.once('close', () => cancelled.abort());
    const key = keyOf(message.id);
    if (message.id !== undefined) running.set(key, { transport, cancelled });
    try {
      const answer = transport.handleRequest(webRequest(request), { parsedBody: request.body });
      // After a cancelled call nobody waits for its answer.
      answer.catch(() => {});
      const response = await Promise.race([answer, once(cancelled.signal, 'abort').then(() => null)]);
      // A cancelled call has no answer.
      if (!response) return await reply.code(202).send(null);
      if (message.method === 'initialize') reply.header('mcp-session-id', randomUUID());
      const text = await response.text();
      return await reply
        .code(response.status)
        .type(response.headers.get('content-type') ?? 'application/json')
        .send(text || null);
    } finally {
      running.delete(key);
      await server.close();
    }
  });

  // There is nothing to stream outside of a call, and no session to end.
  app.get('/mcp', { config, schema }, async () => {
    throw problem('method_not_allowed', 'Send messages with POST. This server opens no stream of its own.');
  });
  app.delete('/mcp', { config, schema }, async (_request, reply) => reply.code(204).send(null));
}

function webRequest({ headers, method }: FastifyRequest): Request {
  const given = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version'] as const) {
    const value = headers[name];
    if (typeof value === 'string') given.set(name, value);
  }
  return new Request('http://localhost/mcp', { method, headers: given });
}

/** Requests to the API in this process, with the credential and address of the caller. */
function apiFor(app: App, { headers: { authorization }, clientAddress }: FastifyRequest): ApiCall {
  return async (method, path, { query = {}, body } = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const response = await app.inject({
      method,
      url: `/api/v1${path}${search.size > 0 ? `?${search}` : ''}`,
      remoteAddress: clientAddress,
      headers: authorization ? { authorization } : {},
      ...(body === undefined ? {} : { payload: body as object }),
    });
    const answer: { detail?: string; title?: string } = response.json();
    // What is unavailable for a moment, such as the index, says what to do next.
    if (response.statusCode >= 500 && response.statusCode !== 503)
      throw new Error(`${method} ${path} failed with status ${response.statusCode}.`);
    if (response.statusCode >= 400) throw new ToolError(answer.detail ?? answer.title ?? 'The request was refused.');
    return answer;
  };
}
