import type { FastifyRequest } from 'fastify';
import type { Actor, Principal } from '../principal.ts';
import { problem } from '../problem.ts';

/** The authenticated caller. Only `public` routes can be reached without one. */
export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw problem('credentials_missing');
  return principal;
}

export function actorOf(request: FastifyRequest): Actor {
  return {
    principalId: request.principal?.kind === 'user' ? request.principal.id : null,
    ip: request.clientAddress,
    userAgent: request.headers['user-agent'],
  };
}
