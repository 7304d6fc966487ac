import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import './tables.ts';
import { accountRoutes, keyRoutes } from './http-admin.ts';
import { sessionRoutes } from './http-session.ts';

export type { Actor } from './accounts.ts';
export { usersExist } from './accounts.ts';
export { createAuthenticator, openPrincipal } from './authenticate.ts';
export { purgeLimiter } from './limiter.ts';
export { actorOf } from './http-session.ts';
export { purgeSessions } from './sessions.ts';

export function identityRoutes(app: App, parts: Parts): void {
  sessionRoutes(app, parts);
  accountRoutes(app, parts);
  keyRoutes(app, parts);
}
