import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../settings/index.ts';

/** Secure always: browsers keep it over https, and over plain http only on the machine itself (localhost). */
const name = 'catalog_session';

export function readCookie(request: FastifyRequest): string | undefined {
  return request.cookies[name];
}

export function setCookie(reply: FastifyReply, settings: Settings, token: string): void {
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: settings.sessionCookieSamesite,
    maxAge: Math.round(settings.sessionTtlHours * 3600),
  });
}

export function clearCookie(reply: FastifyReply, settings: Settings): void {
  reply.clearCookie(name, { path: '/', httpOnly: true, secure: true, sameSite: settings.sessionCookieSamesite });
}
