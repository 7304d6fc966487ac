import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A response of Server-Sent Events. Comments are sent as a heartbeat, so that proxies keep the connection open. The stream closes when the
 * client disconnects or the service stops. `lastEventId` is the last id a reconnecting client has received.
 */
export interface EventStream {
  send(event: string, data: unknown, id?: string | number): void;
  close(): void;
  /** Aborted when either side closes. */
  signal: AbortSignal;
  lastEventId: string | null;
}

const open = new Set<EventStream>();

export function openEventStream(request: FastifyRequest, reply: FastifyReply, { heartbeatMs = 15_000 } = {}): EventStream {
  const closed = new AbortController();
  reply.hijack();
  const out = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) out.setHeader(name, value);
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  out.write('retry: 3000\n\n');
  const heartbeat = setInterval(() => out.write(': keep-alive\n\n'), heartbeatMs);
  heartbeat.unref();
  const stream: EventStream = {
    signal: closed.signal,
    lastEventId: (request.headers['last-event-id'] as string | undefined) ?? null,
    send(event, data, id) {
      if (closed.signal.aborted) return;
      out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort();
      clearInterval(heartbeat);
      open.delete(stream);
      out.end();
    },
  };
  open.add(stream);
  out.on('close', () => stream.close());
  return stream;
}

/** Called on shutdown, because open streams would prevent the server from closing. */
export function closeEventStreams(): void {
  for (const stream of [...open]) stream.close();
}
