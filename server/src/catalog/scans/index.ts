import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import type { StageSource } from '../libraries/index.ts';
import { runRoutes } from './http.ts';
import { hashRoutes } from './http-hash.ts';
import { libraryScanRoutes } from './http-library.ts';

export function scanRoutes(app: App, parts: Parts, later: StageSource): void {
  runRoutes(app, parts, later);
  libraryScanRoutes(app, parts);
  hashRoutes(app, parts);
}
