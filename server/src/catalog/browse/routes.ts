import { Type } from 'typebox';
import { type App, nullable } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { browse } from './browse.ts';

export function browseRoutes(app: App, { settings }: Parts): void {
  app.get(
    '/fs/browse',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['libraries'],
        summary: 'Folders of this machine below the allowed roots',
        querystring: Type.Object({ path: Type.Optional(Type.String({ maxLength: 4096 })) }),
        response: {
          200: Type.Object({
            path: Type.String(),
            parent: nullable(Type.String()),
            roots: Type.Array(Type.String()),
            dirs: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
            truncated: Type.Boolean(),
          }),
        },
      },
    },
    async ({ query }) => browse(query.path, settings.browseRoots ?? []),
  );
}
