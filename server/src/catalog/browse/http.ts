import { nullable } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';

import { shippedPresets } from '../presets/index.ts';
import { createFolderCounter, networkMountPoints } from '@catalog/scanner';
import { allowedFolder, sortAndLimit, browse } from './browse.ts';

const tags = ['libraries'];
const admin = { scope: 'admin' } as const;
const Path = Type.String({ maxLength: 4096 });
const Files = Type.Integer({ minimum: 0 });
/** People wait for it with a folder in mind. */
const countMs = 5000;

export function browseRoutes(app: App, { settings }: Dependencies): void {
  const roots = settings.browseRoots ?? [];
  const counter = createFolderCounter();
  app.addHook('onClose', () => counter.close());

  app.get(
    '/fs/browse',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Folders of this machine below the allowed roots',
        querystring: Type.Object({ path: Type.Optional(Path) }),
        response: {
          200: Type.Object({
            path: Type.String(),
            parent: nullable(Type.String()),
            roots: Type.Array(Type.String()),
            dirs: Type.Array(Type.Object({ name: Type.String(), path: Type.String(), network: Type.Boolean(), readable: Type.Boolean() })),
            truncated: Type.Boolean(),
          }),
        },
      },
    },
    async ({ query }) => browse(query.path, roots),
  );

  app.get(
    '/fs/count',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Files below a folder, and what each shipped preset would leave out',
        description:
          'Counts for five seconds at most; where `complete` is false there are at least so many. `left_out` names every file once, ' +
          'with all the presets that match it (and `tagged_cache` for folders their own program marks as a cache).',
        querystring: Type.Object({ path: Path }),
        response: {
          200: Type.Object(
            {
              path: Type.String(),
              files: Files,
              unreadable: Files,
              complete: Type.Boolean(),
              left_out: Type.Array(Type.Object({ by: Type.Array(Type.String()), files: Files })),
              dirs: Type.Array(Type.Object({ name: Type.String(), files: Files, complete: Type.Boolean() })),
            },
            { title: 'FolderCount' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { asked } = await allowedFolder(request.query.path, roots);
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const question = { root: asked, shares: networkMountPoints(), presets: shippedPresets, milliseconds: countMs };
      const count = await counter.count(question, left.signal);
      return { path: asked, ...count, dirs: sortAndLimit(count.dirs) };
    },
  );
}
