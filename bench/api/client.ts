import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { type Latency, latencyOf } from '../search/measurements.ts';

/** Sends a GET request and returns the `total` of the response. */
export type Client = (path: string) => Promise<number>;

/** A client that keeps its connections open, like a browser. */
export function createClient(url: string, key: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${url}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} ${body.toString('utf8', 0, 200)}`));
          else resolve(totalIn(body));
        });
      }).on('error', reject);
    });
}

/** Reads the total without parsing the body, because the client shares the CPU with the service. */
function totalIn(body: Buffer): number {
  const at = body.lastIndexOf('"total":');
  return at < 0 ? Number.NaN : Number.parseInt(body.toString('latin1', at + 8, at + 24), 10);
}

/** A client for many concurrent callers that uses as little CPU as possible. */
export function createLightClient(url: string, key: string): Client & { close(): void } {
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const open = (): Connection => {
    const connection = openConnection(url, key);
    all.push(connection);
    return connection;
  };
  const request = async (path: string): Promise<number> => {
    const connection = idle.pop() ?? open();
    const { status, bytes } = await connection.get(`/api/v1${path}`);
    idle.push(connection);
    if (status !== 200) throw new Error(`${status} ${bytes.toString('utf8', 0, 600)}`);
    return totalIn(bytes);
  };
  return Object.assign(request, {
    close(): void {
      for (const connection of all) connection.close();
    },
  });
}

/** Runs the queries with so many concurrent callers. Each caller sends its own queries one after another. */
export async function runConcurrently(
  callers: number,
  perCaller: number,
  queries: readonly string[],
  run: (query: string) => Promise<number>,
): Promise<Latency> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < perCaller; turn += 1) {
        const query = queries[(caller * perCaller + turn) % queries.length] ?? '';
        const start = performance.now();
        await run(query);
        times.push(performance.now() - start);
      }
    }),
  );
  return latencyOf(times);
}

/**
 * A minimal HTTP connection that stays open. The client of the standard library would take a third of the CPU time that the service needs
 * for a response. Responses must have a content-length.
 */
interface Connection {
  get(path: string): Promise<RawResponse>;
  close(): void;
}

interface RawResponse {
  status: number;
  /** Head and body, until the next request of the connection. */
  bytes: Buffer;
}

/** No response of the benchmark is longer. */
const maxResponseBytes = 1 << 20;

/** Reads into one buffer per connection: a buffer per response let the garbage collector of the benchmark compete with the service. */
function openConnection(url: string, key: string): Connection {
  const { hostname, port, host } = new URL(url);
  const bytes = Buffer.allocUnsafe(maxResponseBytes);
  let received = 0;
  let expected = Number.POSITIVE_INFINITY;
  let pending: PromiseWithResolvers<RawResponse> | null = null;
  const receive = (length: number): boolean => {
    received += length;
    if (expected === Number.POSITIVE_INFINITY) expected = responseLength(bytes.subarray(0, received));
    if (received < expected || !pending) return true;
    const response = { status: Number(bytes.toString('latin1', 9, 12)), bytes: bytes.subarray(0, received) };
    const { resolve } = pending;
    [received, expected, pending] = [0, Number.POSITIVE_INFINITY, null];
    resolve(response);
    return true;
  };
  const socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    onread: { buffer: () => bytes.subarray(received), callback: receive },
  });
  const fail = (error: Error): void => pending?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('The service closed the connection.')));
  return {
    get(path) {
      pending = Promise.withResolvers<RawResponse>();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`);
      return pending.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Length of head and body in bytes; infinite while the head is incomplete. */
function responseLength(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('The response has no content-length.');
  return end + 4 + Number(length);
}
