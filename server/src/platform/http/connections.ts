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
  /** Connections on which an agent has proved who it is. They are counted here only: all machines of a company may have one address. */
  agentConnections: number;
  /** Open connections of one address. A trusted proxy stands for many clients and is counted in `connections` only. */
  connectionsPerAddress: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headerSeconds: 20,
  bodySeconds: 60,
  connections: 4000,
  agentConnections: 30_000,
  connectionsPerAddress: 1000,
};

export interface CountedConnections {
  /** An agent has proved who it is on this connection. */
  provedAgent(socket: Socket): void;
}

export function limitConnections(server: Server, limits: ConnectionLimits, isProxy: (address: string) => boolean): CountedConnections {
  const isEncrypted = 'setSecureContext' in server;
  const open = new Map<string, number>();
  /** Connections of unknown callers by their address and port, which are the same outside and inside of an encrypted connection. */
  const unknown = new Set<string>();
  const agents = new Set<string>();
  const forget = (key: string, address: string): void => {
    if (agents.delete(key) || !unknown.delete(key)) return;
    const left = (open.get(address) ?? 1) - 1;
    if (left > 0) open.set(address, left);
    else open.delete(address);
  };
  server.on('connection', (socket: Socket) => {
    const [key, address] = [keyOf(socket), normalizeAddress(socket.remoteAddress ?? '')];
    const before = open.get(address) ?? 0;
    unknown.add(key);
    open.set(address, before + 1);
    socket.once('close', () => forget(key, address));
    if (unknown.size <= limits.connections && (before < limits.connectionsPerAddress || isProxy(address))) return;
    // An answer on an encrypted connection would need a handshake first.
    if (isEncrypted) socket.destroy();
    else writeProblem(socket, problem('too_many_connections', undefined, { retryAfter: 10 }));
  });
  server.on('checkExpectation', (request: { socket: Socket }) => writeProblem(request.socket, problem('expectation_failed')));
  return {
    provedAgent(socket) {
      const key = keyOf(socket);
      if (!unknown.has(key) || agents.size >= limits.agentConnections) return;
      forget(key, normalizeAddress(socket.remoteAddress ?? ''));
      agents.add(key);
    },
  };
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

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
