import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { hashRoutes } from './http-hash.ts';
import { libraryScanRoutes } from './http-library.ts';
import { runRoutes } from './http-runs.ts';

export function scanRoutes(app: App, deps: Dependencies): void {
  runRoutes(app, deps);
  libraryScanRoutes(app, deps);
  hashRoutes(app, deps);
}
