import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../problem.ts';
import { normalizeAddress } from './caller.ts';
import { writeProblem } from './errors.ts';

/** What one caller may occupy before it is authenticated. */
export interface ConnectionLimits {
  /** How long the headers of a request may take to arrive. */
  headerSeconds: number;
  /** How long the body of a request may take, unless its route allows more. */
  bodySeconds: number;
  connections: number;
  /** Open connections of one address. A trusted proxy stands for many clients and is counted in `connections` only. */
  connectionsPerAddress: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headerSeconds: 20,
  bodySeconds: 60,
  connections: 4000,
  connectionsPerAddress: 1000,
};

export function limitConnections(server: Server, limits: ConnectionLimits, isProxy: (address: string) => boolean): void {
  const isEncrypted = 'setSecureContext' in server;
  const open = new Map<string, number>();
  let total = 0;
  server.on('connection', (socket: Socket) => {
    const address = normalizeAddress(socket.remoteAddress ?? '');
    const before = open.get(address) ?? 0;
    total += 1;
    open.set(address, before + 1);
    socket.once('close', () => {
      total -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (total <= limits.connections && (before < limits.connectionsPerAddress || isProxy(address))) return;
    // An answer on an encrypted connection would need a handshake first.
    if (isEncrypted) socket.destroy();
    else writeProblem(socket, problem('too_many_connections', undefined, { retryAfter: 10 }));
  });
  server.on('checkExpectation', (request: { socket: Socket }) => writeProblem(request.socket, problem('expectation_failed')));
}

/** Ends a request whose body does not arrive in time, also after it was refused without reading the body. */
export function limitBodyTime({ raw, headers }: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  // A request that was passed in by a test has no connection.
  if (!hasBody || raw.complete || !(raw.socket instanceof Socket)) return;
  const timer = setTimeout(() => {
    if (raw.complete) return;
    if (reply.raw.headersSent) raw.socket.destroy();
    else writeProblem(raw.socket, problem('request_timeout'));
  }, seconds * 1000);
  timer.unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}
