import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { runRoutes } from './routes.ts';
import { hashRoutes } from './routes-hash.ts';
import { libraryScanRoutes } from './routes-library.ts';

export function scanRoutes(app: App, parts: Parts): void {
  runRoutes(app, parts);
  libraryScanRoutes(app, parts);
  hashRoutes(app, parts);
}
