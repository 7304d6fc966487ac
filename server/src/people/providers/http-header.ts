import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { deviceCookieFor, SignInRefused, setDeviceCookie, setSessionCookie } from '../identity/index.ts';
import { signInByHeader } from './header.ts';

export function headerRoutes(app: App, deps: Dependencies): void {
  const { db, settings } = deps;
  app.post(
    '/auth/header',
    {
      config: { scope: 'public' },
      schema: {
        tags: ['sign-in providers'],
        summary: 'Sign in as the person whom an authenticating proxy names',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      try {
        const opened = await signInByHeader(deps, request, actorOf(request));
        if (!opened) throw problem('not_found', 'No trusted proxy names a person in this request.');
        setSessionCookie(reply, settings, opened.token);
        setDeviceCookie(reply, settings, await deviceCookieFor(db, opened.id));
        return reply.code(204).send(null);
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        throw error.reason === 'disabled' ? problem('account_disabled') : problem('sign_in_refused');
      }
    },
  );
}
