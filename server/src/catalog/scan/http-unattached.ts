import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable, pageQuery, Time } from '../../platform/schemas.ts';
import { checkIdCursor } from './present-for-caller.ts';
import { attachOverlay, listUnattached } from './unattached.ts';

const tags = ['items'];
const FileOut = Type.Object({ id: Id, library_id: Id, rel_path: Type.String() });

const UnattachedOut = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id,
        library_id: Id,
        rel_path: Type.String(),
        tags: Type.Array(Type.String()),
        note: nullable(Type.String()),
        missing_since: nullable(Time),
        candidates: Type.Array(FileOut, { description: 'Up to 20 files with the same contents.' }),
      }),
    ),
    limit: Type.Integer(),
    next_cursor: nullable(Type.String()),
  },
  { title: 'UnattachedItems' },
);

export function unattachedRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/items/unattached',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List missing items with tags or notes whose contents are in other files',
        querystring: Type.Object(pageQuery(100, 20)),
        response: { 200: UnattachedOut },
      },
    },
    async (request) => {
      const { limit = 20, cursor } = request.query;
      return listUnattached(db, await visibilityOf(db, callerOf(request)), { limit, ...checkIdCursor(cursor) });
    },
  );

  app.post(
    '/items/:item_id/attach',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Attach the tags and notes of a missing item to a file with the same contents',
        params: Type.Object({ item_id: Id }),
        body: Type.Object({ to: Id }, noExtraFields),
        response: { 200: Type.Object({ item_id: Id }) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      await attachOverlay(db, await visibilityOf(db, caller), caller, { from: request.params.item_id, to: request.body.to });
      return { item_id: request.body.to };
    },
  );
}
