import { connect } from 'node:net';

/** A request to Meilisearch and its parsed response. */
export type MeilisearchClient = (method: string, path: string, body?: unknown) => Promise<MeilisearchResponse>;

export interface MeilisearchResponse {
  taskUid?: number;
  status?: string;
  error?: { message: string } | null;
  hits?: { id: string | number }[];
  estimatedTotalHits?: number;
  /** The server's own measurement, in whole milliseconds. */
  processingTimeMs?: number;
}

/**
 * The fastest client for one caller: one connection that stays open, no Nagle delay, and each request in a single write. With head and body
 * in separate writes, delayed acknowledgements would add about 40 ms to every request.
 */
export function createMeilisearchClient(address: string, key: string | undefined): MeilisearchClient & { close(): void } {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname).setNoDelay();
  let received: Buffer = Buffer.alloc(0);
  let pending: PromiseWithResolvers<MeilisearchResponse> | null = null;
  const fail = (error: Error) => pending?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('Meilisearch closed the connection.')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const body = bodyOf(received);
    if (body === null || pending === null) return;
    const status = Number(received.toString('latin1', 9, 12));
    const { resolve, reject } = pending;
    [received, pending] = [Buffer.alloc(0), null];
    const text = body.toString();
    if (status >= 400 && status !== 404) reject(new Error(`Meilisearch returned ${status}: ${text.slice(0, 200)}`));
    else resolve(JSON.parse(text) as MeilisearchResponse);
  });
  const authorization = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
  const call: MeilisearchClient = (method, path, body) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    pending = Promise.withResolvers<MeilisearchResponse>();
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
    socket.write(head + text);
    return pending.promise;
  };
  return Object.assign(call, { close: () => void socket.destroy() });
}

/** The body of a complete response with content-length or in chunks; null while it is incomplete. */
function bodyOf(bytes: Buffer): Buffer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const to = end + 4 + Number(length);
    return bytes.length < to ? null : bytes.subarray(end + 4, to);
  }
  const parts: Buffer[] = [];
  for (let at = end + 4; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (Number.isNaN(size) || bytes.length < line + 4 + size) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
  }
}

/** Waits until the task is done; fails with the server's message if the task did. */
export async function waitForTask(call: MeilisearchClient, { taskUid }: MeilisearchResponse): Promise<void> {
  for (;;) {
    const { status, error } = await call('GET', `/tasks/${taskUid}`);
    if (status === 'succeeded') return;
    if (status !== 'enqueued' && status !== 'processing') throw new Error(`A Meilisearch task ended as ${status}: ${error?.message}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
