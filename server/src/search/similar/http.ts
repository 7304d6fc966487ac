import { Type } from 'typebox';
import { searchAudit } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { callerOf } from '../../platform/http/index.ts';
import { Id } from '../../platform/schemas.ts';
import type { SearchReader } from '../engines/index.ts';
import { HitOut } from '../query/index.ts';
import { similarTo } from './service.ts';

export function similarRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  app.get(
    '/items/:item_id/similar',
    {
      config: { scope: 'read' },
      preHandler: searchAudit(deps),
      schema: {
        tags: ['search'],
        summary: 'List similar items',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })) }),
        response: {
          200: Type.Object({
            id: Id,
            by: Type.Enum(['words', 'meaning']),
            pending: Type.Boolean({
              description: 'The index is still taking over a change of this item; the answer may be another one when it has.',
            }),
            hits: Type.Array(Type.Object({ ...HitOut.properties, similarity: Type.Number({ minimum: 0, maximum: 1 }) })),
          }),
        },
      },
    },
    async ({ params, query, principal }) => await similarTo(deps, reader, callerOf({ principal }), params.item_id, query.limit ?? 10),
  );
}
