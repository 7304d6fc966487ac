import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Server-Sent Events: one open answer, named events with ids, a comment as heartbeat so that proxies keep it open, and a clean end when the
 * client goes or the service stops. A client that reconnects sends the last id it saw; `lastEventId` hands it to the producer.
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
  const gone = new AbortController();
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
  const beat = setInterval(() => out.write(': keep-alive\n\n'), heartbeatMs);
  beat.unref();
  const stream: EventStream = {
    signal: gone.signal,
    lastEventId: (request.headers['last-event-id'] as string | undefined) ?? null,
    send(event, data, id) {
      if (gone.signal.aborted) return;
      out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close() {
      if (gone.signal.aborted) return;
      gone.abort();
      clearInterval(beat);
      open.delete(stream);
      out.end();
    },
  };
  open.add(stream);
  out.on('close', () => stream.close());
  return stream;
}

/** Called while draining: streams would otherwise hold the server open. */
export function closeEventStreams(): void {
  for (const stream of [...open]) stream.close();
}
