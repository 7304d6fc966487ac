import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../problem.ts';

/**
 * A response of Server-Sent Events. Comments are sent as a heartbeat, so that proxies keep the connection open. The stream closes when the
 * client disconnects, the service stops, or the credential of the caller ends, which is checked every second. `lastEventId` is the last id a
 * reconnecting client has received.
 */
export interface EventStream {
  /**
   * Reads the rights of the caller again; `request.principal` then has them. False when the stream is closed or the caller's credential has
   * ended, which closes it. Call it before the data of every event is read, and decide by the new rights what the event may show.
   */
  renewCaller(): Promise<boolean>;
  send(event: string, data: unknown, id?: string | number): void;
  close(): void;
  /** Aborted when either side closes. */
  signal: AbortSignal;
  lastEventId: string | null;
}

/** Each stream follows something with queries of its own, so their number is limited per caller and in all. */
const maxStreams = 300;
const maxStreamsPerCaller = 24;
/** Every open stream with its caller. */
const open = new Map<EventStream, string>();

interface StreamOptions {
  heartbeatMs?: number;
  renewMs?: number;
  maxInAll?: number;
  maxPerCaller?: number;
}

/** Throws 429 or 503 when too many streams are open. */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatMs = 15_000, renewMs = 1000, maxInAll = maxStreams, maxPerCaller = maxStreamsPerCaller }: StreamOptions = {},
): EventStream {
  const caller = request.principal?.id ?? request.clientAddress;
  if ([...open.values()].filter((each) => each === caller).length >= maxPerCaller)
    throw problem('too_many_streams', undefined, { retryAfter: 10 });
  if (open.size >= maxInAll) throw problem('unavailable', 'Too many event streams are open. Try again shortly.', { retryAfter: 10 });
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
  // A stream without events ends as well. Where the credential cannot be checked, the client connects again. One check runs at a time, so
  // that they do not pile up behind a slow database.
  let checking = false;
  const renewal = setInterval(async () => {
    if (checking) return;
    checking = true;
    await stream.renewCaller().catch(() => stream.close());
    checking = false;
  }, renewMs);
  renewal.unref();
  const stream: EventStream = {
    signal: closed.signal,
    lastEventId: (request.headers['last-event-id'] as string | undefined) ?? null,
    async renewCaller() {
      if (closed.signal.aborted) return false;
      if (!(await request.server.renewCaller(request))) stream.close();
      return !closed.signal.aborted;
    },
    send(event, data, id) {
      if (closed.signal.aborted) return;
      out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort();
      clearInterval(heartbeat);
      clearInterval(renewal);
      open.delete(stream);
      out.end();
    },
  };
  open.set(stream, caller);
  out.on('close', () => stream.close());
  return stream;
}

/** Called on shutdown, because open streams would prevent the server from closing. */
export function closeEventStreams(): void {
  for (const stream of [...open.keys()]) stream.close();
}
