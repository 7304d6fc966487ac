import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import { archiveBytes, maxFiles, planArchive } from './service.ts';

const tags = ['items'];
const bodyLimit = maxFiles * 40 + 1_000;
const Selected = Type.Object(
  { item_ids: Type.Array(Id, { minItems: 1, maxItems: maxFiles, description: 'In the order of the archive.' }) },
  noExtraFields,
);
const shownLeftOut = 100;

export function archiveRoutes(app: App, { db }: Dependencies): void {
  app.post(
    '/items/archive/plan',
    {
      bodyLimit,
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'See which files an archive would contain, and its size',
        body: Selected,
        response: {
          200: Type.Object({
            files: Type.Integer(),
            bytes: Type.Integer(),
            left_out: Type.Integer(),
            left_out_files: Type.Array(Type.Object({ filename: Type.String(), reason: Type.String() }), {
              description: `The first ${shownLeftOut}.`,
            }),
          }),
        },
      },
    },
    async (request) => {
      const { items, bytes, leftOut } = await planArchive(db, await visibilityOf(db, callerOf(request)), request.body.item_ids);
      return { files: items.length, bytes, left_out: leftOut.length, left_out_files: leftOut.slice(0, shownLeftOut) };
    },
  );

  app.register(async (scope) => {
    // A browser saves the answer of a form to disk while it arrives, which a script cannot do.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, { item_ids: (new URLSearchParams(String(body)).get('item_ids') ?? '').split(',') }),
    );
    scope.post(
      '/items/archive',
      {
        bodyLimit,
        config: { scope: 'read', raw: true },
        schema: {
          tags,
          summary: 'Download several files as a ZIP archive',
          description:
            'The body is JSON, or a form whose field item_ids has the ids separated by commas. Files that cannot be read are named in "Not included.txt".',
          consumes: ['application/json', 'application/x-www-form-urlencoded'],
          body: Selected,
          response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
        },
      },
      async (request, reply) => {
        const { item_ids } = request.body as Static<typeof Selected>;
        const plan = await planArchive(db, await visibilityOf(db, callerOf(request)), item_ids);
        reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="catalog-${new Date().toISOString().slice(0, 10)}.zip"`)
          .header('cache-control', 'private, no-store');
        return reply.send(Readable.from(archiveBytes(plan), { objectMode: false }));
      },
    );
  });
}
