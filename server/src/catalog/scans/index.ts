import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import type { StageSource } from '../libraries/index.ts';
import { runRoutes } from './routes.ts';
import { hashRoutes } from './routes-hash.ts';
import { libraryScanRoutes } from './routes-library.ts';

export function scanRoutes(app: App, parts: Parts, later: StageSource): void {
  runRoutes(app, parts, later);
  libraryScanRoutes(app, parts);
  hashRoutes(app, parts);
}
