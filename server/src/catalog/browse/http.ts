import { createFolderCounter, networkMountPoints } from '@catalog/scanner';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { nullable } from '../../platform/schemas.ts';
import { shippedPresets } from '../presets/index.ts';
import { allowedFolder, browse, sortAndLimit } from './browse.ts';

const tags = ['libraries'];
const admin = { scope: 'admin' } as const;
const Path = Type.String({ maxLength: 4096 });
const Files = Type.Integer({ minimum: 0 });
/** The console waits for the result while a person chooses a folder. */
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
        summary: 'List folders of this machine below the allowed roots',
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
        summary: 'Count files below a folder and those each built-in preset would exclude',
        description:
          'Counts for up to five seconds; when `complete` is false, the numbers are lower bounds. `left_out` counts every file once, ' +
          'with all presets that match it, and with `tagged_cache` for folders that are marked as a cache.',
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
      const { folder } = await allowedFolder(request.query.path, roots);
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      const options = { root: folder, shares: networkMountPoints(), presets: shippedPresets, milliseconds: countMs };
      const count = await counter.count(options, disconnected.signal);
      return { path: folder, ...count, dirs: sortAndLimit(count.dirs) };
    },
  );
}
