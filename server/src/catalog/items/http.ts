import { Type } from 'typebox';
import '../tables.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf, serializeWithoutSchema } from '../../platform/http/index.ts';
import { Id, NoContent, pageOf, pageQuery, repeatedParameter } from '../../platform/schemas.ts';
import { createShareMap } from '../libraries/index.ts';
import { countCopies, findCopies } from './copies.ts';
import { createDigester, parseAlgorithms } from './digests.ts';
import { listHistory } from './history.ts';
import { itemFileRoutes, type OpenRemoteFile } from './http-file.ts';
import { itemOverlayRoutes } from './http-overlay.ts';
import { listItems } from './list.ts';
import { presentItem, presentListed } from './present.ts';
import { restoreItem, trashItem } from './recycle.ts';
import { CopiesOut, HistoryEntry, ItemListed, ItemOut, ThreadOut } from './schemas.ts';
import { findItem } from './store.ts';
import { findThread } from './thread.ts';
import { touchItem } from './touch.ts';

function itemDigestRoutes(app: App, { db, settings }: Dependencies): void {
  const digests = createDigester({ db, maxBytes: settings.digestMaxBytes });

  app.post(
    '/items/:item_id/digests',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['items'],
        summary: 'Get digests of a file (cached ones are reused)',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({
          algorithms: Type.Optional(
            Type.String({ maxLength: 100, default: 'md5,sha256', description: 'Comma-separated: md5, sha1, sha256, sha512.' }),
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
      const disconnected = new AbortController();
      const abort = (): void => disconnected.abort();
      reply.raw.once('close', abort);
      try {
        return await digests(item, algorithms, disconnected.signal);
      } finally {
        reply.raw.off('close', abort);
      }
    },
  );
}

const tags = ['items'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ item_id: Id });
const Word = Type.String({ maxLength: 128, pattern: '^[^\\u0000]*$' });

function readRoutes(app: App, { db, settings }: Dependencies): void {
  const shareMap = createShareMap(settings.shareMapPath);

  app.get(
    '/items',
    {
      config: read,
      schema: {
        tags,
        summary: 'List items by library and path (only active ones by default)',
        querystring: Type.Object({
          library_id: Type.Optional(repeatedParameter(Id)),
          status: Type.Optional(repeatedParameter(Type.Enum(['active', 'missing', 'trashed', 'any']), 4)),
          rel_path: Type.Optional(Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$', description: 'Prefix of the relative path.' })),
          category: Type.Optional(repeatedParameter(Word)),
          group: Type.Optional(repeatedParameter(Word)),
          extension: Type.Optional(repeatedParameter(Word)),
          tag: Type.Optional(repeatedParameter(Word)),
          sidecar_of: Type.Optional(Id),
          include: Type.Optional(Type.Enum(['metadata'])),
          ...pageQuery(),
        }),
        response: { 200: pageOf(ItemListed) },
      },
    },
    async (request, reply) => {
      const { include, limit = 50, ...filter } = request.query;
      const metadata = include === 'metadata';
      const visibility = await visibilityOf(db, callerOf(request));
      const { rows, total, next_cursor } = await listItems(db, visibility, { ...(filter as object), limit, metadata });
      serializeWithoutSchema(reply);
      return { items: rows.map((row) => presentListed(row, visibility, shareMap(), metadata)), total, limit, next_cursor };
    },
  );

  app.get(
    '/items/:item_id',
    { config: read, schema: { tags, summary: 'Get an item', params, response: { 200: ItemOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return presentItem(await findItem(db, visibility, request.params.item_id), visibility, shareMap());
    },
  );

  app.get(
    '/items/:item_id/history',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the changes of an item, newest first',
        params,
        querystring: Type.Object(pageQuery()),
        response: { 200: pageOf(HistoryEntry) },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const item = await findItem(db, visibility, request.params.item_id);
      const { limit = 50, cursor } = request.query;
      return listHistory(db, item, visibility, { limit, cursor });
    },
  );

  app.get(
    '/items/:item_id/copies',
    { config: read, schema: { tags, summary: 'List other items with the same content', params, response: { 200: CopiesOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return findCopies(db, visibility, await findItem(db, visibility, request.params.item_id));
    },
  );

  app.get(
    '/items/:item_id/thread',
    { config: read, schema: { tags, summary: 'List the messages of the same e-mail thread', params, response: { 200: ThreadOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return findThread(db, visibility, await findItem(db, visibility, request.params.item_id));
    },
  );

  app.post(
    '/items/copy-counts',
    {
      config: read,
      schema: {
        tags,
        summary: 'Get the number of copies of each item',
        body: Type.Object({ ids: Type.Array(Id, { maxItems: 500 }) }, { additionalProperties: false }),
        response: { 200: Type.Record(Type.String(), Type.Integer()) },
      },
    },
    async (request) => countCopies(db, await visibilityOf(db, callerOf(request)), request.body.ids),
  );

  app.post(
    '/items/:item_id/touch',
    { config: read, schema: { tags, summary: 'Record that an item was opened', params, response: { 204: NoContent } } },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id);
      if (settings.frecencyEnabled) await touchItem(db, callerOf(request), item.id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/items/:item_id',
    {
      config: write,
      schema: { tags, summary: 'Move an item to the recycle bin (the file on disk is kept)', params, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'delete');
      await trashItem(db, item, callerOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/items/:item_id/restore',
    { config: write, schema: { tags, summary: 'Restore an item from the recycle bin', params, response: { 200: ItemOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const item = await findItem(db, visibility, request.params.item_id, 'delete');
      await restoreItem(db, item, callerOf(request), actorOf(request));
      return presentItem(await findItem(db, visibility, item.id), visibility, shareMap());
    },
  );
}

export function itemRoutes(app: App, deps: Dependencies, openRemote: OpenRemoteFile): void {
  readRoutes(app, deps);
  itemOverlayRoutes(app, deps);
  itemFileRoutes(app, deps, openRemote);
  itemDigestRoutes(app, deps);
}
