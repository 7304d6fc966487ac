import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { grantRoutes, groupRoutes } from './http.ts';
import { roleRoutes } from './http-roles.ts';

export { type Action, actions, isBelow, type ScopeNode } from './decide.ts';
export { type Visibility, visibilityOf } from './visibility.ts';

export function accessRoutes(app: App, parts: Parts): void {
  roleRoutes(app, parts);
  groupRoutes(app, parts);
  grantRoutes(app, parts);
}
