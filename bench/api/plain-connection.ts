import { connect, type Socket } from 'node:net';

/**
 * One kept connection that asks and reads with as little work as can be: the callers of a benchmark share the machine with the service, and
 * the client of the standard library takes as much processor time as a third of an answer. Answers must tell their length.
 */
export interface Connection {
  get(path: string): Promise<Answer>;
  close(): void;
}

export interface Answer {
  status: number;
  /** Ends with the body. */
  bytes: Buffer;
}

export function openConnection(url: string, key: string): Connection {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect(Number(port), hostname).setNoDelay();
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let waiting: PromiseWithResolvers<Answer> | null = null;
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('The service closed the connection.')));
  socket.on('data', (part) => {
    parts.push(part);
    held += part.length;
    if (wanted === Number.POSITIVE_INFINITY) wanted = wholeLength(parts.length === 1 ? part : Buffer.concat(parts));
    if (held < wanted || !waiting) return;
    const bytes = parts.length === 1 ? part : Buffer.concat(parts);
    const { resolve } = waiting;
    [parts, held, wanted, waiting] = [[], 0, Number.POSITIVE_INFINITY, null];
    resolve({ status: Number(bytes.toString('latin1', 9, 12)), bytes });
  });
  return {
    get(path) {
      waiting = Promise.withResolvers<Answer>();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Bytes of head and body together; infinite while the head is not all there. */
function wholeLength(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('The answer does not tell its length.');
  return end + 4 + Number(length);
}
