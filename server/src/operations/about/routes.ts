import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { version } from '../../version.ts';

const tags = ['system'];

export function aboutRoutes(app: App, { settings }: Parts): void {
  app.get(
    '/health',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Liveness: the process answers',
        response: { 200: Type.Object({ status: Type.String(), version: Type.String() }) },
      },
    },
    async () => ({ status: 'ok', version }),
  );

  app.get(
    '/version',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'The running version and where its source is',
        response: {
          200: Type.Object({
            app_version: Type.String(),
            build_stamp: Type.Union([Type.String(), Type.Null()]),
            source_url: Type.Union([Type.String(), Type.Null()]),
            agents_enabled: Type.Boolean(),
          }),
        },
      },
    },
    async () => ({
      app_version: version,
      build_stamp: process.env['CATALOG_BUILD_STAMP'] ?? null,
      source_url: settings.sourceUrl ?? null,
      agents_enabled: settings.agentsEnabled,
    }),
  );
}
