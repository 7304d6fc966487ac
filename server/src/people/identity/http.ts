import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import './tables.ts';
import { accountRoutes, keyRoutes } from './http-admin.ts';
import { sessionRoutes } from './http-session.ts';

export { createAuthenticator } from './authenticate.ts';

export function identityRoutes(app: App, deps: Dependencies): void {
  sessionRoutes(app, deps);
  accountRoutes(app, deps);
  keyRoutes(app, deps);
}
