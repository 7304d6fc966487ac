import { sql } from 'kysely';
import { Type } from 'typebox';
import { findItem, maySeeThumb, shownAs } from '../../catalog/items/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { Id, NoContent } from '../../platform/schemas.ts';
import type { ThumbStore } from '../thumbs/index.ts';
import type { RemoteThumbs } from './http-remote-thumb.ts';
import { retryExtracts } from './queue.ts';
import { recordThumbDue } from './store.ts';

/** Length of `thumb_version`: the first characters of the thumbnail key. */
const thumbVersionLength = 16;

export function contentRoutes(app: App, { db }: Dependencies, thumbs: ThumbStore, drawRemote: RemoteThumbs): void {
  app.post(
    '/libraries/:library_id/retry-extracts',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['content'],
        summary: 'Retry failed extractions of a library',
        params: Type.Object({ library_id: Id }),
        response: { 200: Type.Object({ library_id: Id, retried: Type.Integer() }) },
      },
    },
    async ({ params: { library_id }, principal }) => {
      const visibility = await visibilityOf(db, callerOf({ principal }));
      const { rows } = await sql<{
        source_agent_id: string | null;
      }>`select source_agent_id from libraries where id = ${library_id}`.execute(db);
      if (!rows[0] || !visibility.mayEnter(library_id)) throw notFound('library');
      if (!visibility.allows(library_id, '', 'modify')) throw problem('action_denied');
      if (rows[0].source_agent_id) throw problem('library_agent_owned');
      return { library_id, retried: await retryExtracts(db, library_id) };
    },
  );

  app.post(
    '/system/retry-extracts',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['content'],
        summary: 'Retry all failed extractions',
        response: { 200: Type.Object({ retried: Type.Integer() }) },
      },
    },
    async ({ principal }) => {
      const visibility = await visibilityOf(db, callerOf({ principal }));
      if (!visibility.unrestricted)
        throw problem('action_denied', 'This retries every library, but your grants cover only some. Retry single libraries instead.');
      return { retried: await retryExtracts(db) };
    },
  );

  app.get(
    '/items/:item_id/thumb',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags: ['content'],
        summary: 'Get the thumbnail of an item (WebP)',
        description: 'Thumbnails of documents and other items with pages need the right `search_content`.',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({
          tier: Type.Optional(Type.Enum(['grid', 'preview'])),
          v: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'The `thumb_version` of the item or hit. With it, the response may be cached forever.',
            }),
          ),
        }),
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }), 304: NoContent },
      },
    },
    async (request, reply) => {
      const tier = request.query.tier ?? 'grid';
      const visibility = await visibilityOf(db, callerOf(request));
      const { rows } = await sql<{
        thumb_key: string | null;
        library_id: string;
        rel_path: string;
        file_category: string;
        extension: string | null;
        shown_as: string | null;
        remote: boolean;
      }>`select thumb_key, library_id, rel_path, file_category, extension, ${sql.raw(shownAs)} as shown_as,
          exists (select from all_libraries l where l.id = i.library_id and l.source_agent_id is not null) as remote from items i where i.id = ${request.params.item_id} and ${visibility.whereItem('i')}`.execute(
        db,
      );
      if (!rows[0]) throw notFound('item');
      if (!maySeeThumb(visibility, rows[0]))
        throw problem('action_denied', 'The thumbnail shows a page. Reading it needs the right search_content.');
      let key = rows[0].thumb_key;
      // A thumbnail that cannot be read is treated as missing, so that it is drawn again.
      let picture = key ? await thumbs.read(key, tier).catch(() => null) : null;
      if (!picture && rows[0].remote) {
        key = await drawRemote(await findItem(db, visibility, request.params.item_id, 'search_metadata'), actorOf(request));
        picture = key === null ? null : await thumbs.read(key, tier);
      }
      if (key && !picture) await recordThumbDue(db, request.params.item_id);
      if (!key || !picture) throw problem('thumb_missing');
      // A lost timestamp only makes this thumbnail a little more likely to be evicted.
      void thumbs.touch(key, tier).catch(() => {});
      const etag = `"${key}-${tier}"`;
      // Only a URL with the version of this thumbnail may be cached. Until a changed file has been extracted again, the old thumbnail is sent,
      // and it must not be cached under the new version.
      const matchesVersion = request.query.v !== undefined && request.query.v === key.slice(0, thumbVersionLength);
      const cacheControl = matchesVersion ? 'private, max-age=31536000, immutable' : 'private, no-cache';
      reply.header('etag', etag).header('cache-control', cacheControl);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      return reply.type('image/webp').send(picture);
    },
  );
}
