import { callerOf } from '../../platform/http/index.ts';
import { Id } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { createDigester, parseAlgorithms } from './digests.ts';
import { findItem } from './store.ts';

export function itemDigestRoutes(app: App, { db, settings }: Dependencies): void {
  const digests = createDigester({ db, maxBytes: settings.digestMaxBytes });

  app.post(
    '/items/:item_id/digests',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Digests of the whole file, computed now or kept from before',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({
          algorithms: Type.Optional(
            Type.String({ maxLength: 100, default: 'md5,sha256', description: 'Of md5, sha1, sha256, sha512; separated by commas.' }),
          ),
        }),
        response: {
          200: Type.Object({ id: Id, digests: Type.Record(Type.String(), Type.String()), computed: Type.Array(Type.String()) }),
        },
      },
    },
    async (request, reply) => {
      const algorithms = parseAlgorithms(request.query.algorithms);
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id);
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      reply.raw.once('close', leave);
      try {
        return await digests(item, algorithms, gone.signal);
      } finally {
        reply.raw.off('close', leave);
      }
    },
  );
}
