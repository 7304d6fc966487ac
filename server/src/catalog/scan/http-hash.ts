import { callerOf } from '../../platform/http/index.ts';
import { Id, nullable } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { hashStatus } from './hash-store.ts';
import { startRehash } from './start-rehash.ts';
import { readableLibrary } from '../libraries/index.ts';

const tags = ['scans'];

export function hashRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/libraries/hash-status',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'How many items of each library were hashed under an older scheme',
        response: {
          200: Type.Array(
            Type.Object(
              {
                library_id: Id,
                name: Type.String(),
                agent_owned: Type.Boolean(),
                stale: Type.Integer(),
                rehash_pending: Type.Boolean(),
                hash_scheme: Type.String(),
              },
              { title: 'HashStatus' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return (await hashStatus(db)).filter(({ library_id }) => visibility.seesWhole(library_id));
    },
  );

  app.post(
    '/libraries/:library_id/rehash',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Hash items of an older scheme again, and nothing else',
        params: Type.Object({ library_id: Id }),
        response: { 202: Type.Object({ job_id: nullable(Id), already_queued: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const library = await readableLibrary(db, await visibilityOf(db, callerOf(request)), request.params.library_id);
      const { job_id } = await startRehash(db, library.id);
      return reply.code(202).send({ job_id, already_queued: job_id === null });
    },
  );
}
