import { createHash } from 'node:crypto';
import { meshExtensions, type PageWord, pdfExtensions, slideExtensions } from '@catalog/readers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { findItem, type ItemRow, openItemFile } from '../../catalog/items/index.ts';
import { type Action, visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { type ErrorCode, problem } from '../../platform/problem.ts';
import { Id, NoContent } from '../../platform/schemas.ts';
import { sourceText } from '../passages/index.ts';
import { limitsFor, reachablePath } from '../pipeline/index.ts';
import { shownExtension } from '../sniff/index.ts';
import { mayWritePictures } from '../thumbs/index.ts';
import { createViewCache } from './cache.ts';
import { createRemoteText, type RemoteText } from './http-remote-text.ts';
import { type RemoteCopy, viewsFolder } from './index.ts';
import { createViewRenderer, type ViewKind, type ViewOutcome, type ViewRenderer } from './renderer.ts';

const params = Type.Object({ item_id: Id });
/** A person waits for the picture and others for the only drawing process, so a file that takes longer is given up. */
const drawSeconds = 15;
const Fraction = Type.Number();
const PageWordsOut = Type.Object(
  { words: Type.Array(Type.Object({ text: Type.String(), x: Fraction, y: Fraction, w: Fraction, h: Fraction })) },
  { title: 'PageWords' },
);
const Picture = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

/** How much disk space cached views may use. */
const maxCacheBytes = 256 * 1024 ** 2;

export function viewRoutes(app: App, deps: Dependencies, fetchRemote: RemoteCopy): void {
  const cache = createViewCache({ folder: viewsFolder(deps.settings), maxBytes: maxCacheBytes });
  pictureRoutes(app, deps, createViewRenderer({ cache }), mayWritePictures(deps.settings), fetchRemote);
  textRoutes(app, deps, createRemoteText(app, deps, fetchRemote));
}

function pictureRoutes(
  app: App,
  { db, settings }: Dependencies,
  renderer: ViewRenderer,
  mayWrite: () => Promise<boolean>,
  fetchRemote: RemoteCopy,
): void {
  app.addHook('onClose', async () => renderer.close());

  app.get(
    '/items/:item_id/pages/:page',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags: ['content'],
        summary: 'Get a page of a PDF or a slide as a picture (WebP)',
        description: 'Drawn on demand and cached. The metadata key `pages` has their number. A slide shows its text without its design.',
        params: Type.Object({ item_id: Id, page: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
        querystring: Type.Object({ width: Type.Optional(Type.Integer({ minimum: 200, maximum: 2000, default: 1000 })) }),
        response: { 200: Picture },
      },
    },
    async (request, reply) => {
      const { page } = request.params;
      const options = { page, width: request.query.width ?? 1000 };
      const extensions = [...pdfExtensions, ...slideExtensions];
      return sendPicture(request, reply, { kind: 'page', extensions, options, missing: 'no_page', right: 'search_content' });
    },
  );

  app.get(
    '/items/:item_id/pages/:page/words',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['content'],
        summary: 'List the words of a PDF page with their positions',
        description: 'Positions are fractions of the drawn page, from its top left. Empty for a page without text.',
        params: Type.Object({ item_id: Id, page: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
        response: { 200: PageWordsOut, 304: NoContent },
      },
    },
    async (request, reply) => {
      const options = { page: request.params.page };
      const found = await render(request, reply, {
        kind: 'words',
        extensions: pdfExtensions,
        options,
        missing: 'no_page',
        right: 'search_content',
      });
      return found === null ? reply.code(304).send(null) : { words: JSON.parse(found.toString()) as PageWord[] };
    },
  );

  app.get(
    '/items/:item_id/turntable',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags: ['content'],
        summary: 'Get views of a 3D model from all sides (WebP)',
        description: '24 views, 15 degrees apart, in 6 columns and 4 rows of tiles of 320 × 320 pixels, row by row.',
        params,
        response: { 200: Picture },
      },
    },
    async (request, reply) =>
      sendPicture(request, reply, {
        kind: 'turntable',
        extensions: meshExtensions,
        options: {},
        missing: 'no_turntable',
        right: 'search_metadata',
      }),
  );

  interface RenderRequest {
    kind: ViewKind;
    extensions: readonly string[];
    options: object;
    missing: ErrorCode;
    right: Action;
  }

  async function sendPicture(request: FastifyRequest, reply: FastifyReply, wanted: RenderRequest): Promise<unknown> {
    const picture = await render(request, reply, wanted);
    return picture === null ? reply.code(304).send() : reply.type('image/webp').send(picture);
  }

  /** The drawn picture; null when the caller already has it (the ETag matches). */
  async function render(request: FastifyRequest, reply: FastifyReply, wanted: RenderRequest): Promise<Buffer | null> {
    const { item_id } = request.params as { item_id: string };
    const item = await findItem(db, await visibilityOf(db, callerOf(request)), item_id, wanted.right);
    const extension = shownExtension(item);
    if (!wanted.extensions.includes(extension)) throw problem(wanted.missing);
    const { before, root, reachable } = item.source_agent_id ? await openCopy(item, request) : await openLocal(item);
    try {
      const limits = limitsFor(settings, await overridesOf(db, item.library_id));
      limits.timeoutSeconds = Math.min(limits.timeoutSeconds, drawSeconds);
      const job = { path: reachable.path, root, filename: item.filename, extension, size: before.size, limits };
      const viewRequest = { kind: wanted.kind, bytes: before.bytes, job, options: wanted.options };
      const etag = `"${renderer.keyOf(viewRequest)}"`;
      // The URL names an item, not its bytes, so a client must revalidate by ETag each time.
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (request.headers['if-none-match'] === etag) return null;
      const mayKeep = async (): Promise<boolean> =>
        (await mayWrite()) && (item.source_agent_id !== null || (await readFileState(item)).bytes === before.bytes);
      const view = await renderer.draw(viewRequest, mayKeep, disconnectSignal(request, reply));
      return pictureOf(view, wanted.missing, reply);
    } finally {
      reachable.release();
    }
  }

  async function openLocal(item: ItemRow) {
    return { before: await readFileState(item), root: item.root_path, reachable: reachablePath(item.root_path, item.rel_path) };
  }

  /** A file on another machine is fetched; its copy has been verified against the hash of the item. */
  async function openCopy(item: ItemRow, request: FastifyRequest) {
    const copy = await fetchRemote(item, actorOf(request));
    const before = { bytes: `agent ${item.content_hash ?? `${item.id} ${item.mtime_ms}`}`, size: copy.size };
    return { before, root: copy.folder, reachable: { path: copy.path, release: () => {} } };
  }
}

/** The extraction limits of a library also apply to views drawn on demand. */
async function overridesOf(db: Db, libraryId: string): Promise<Record<string, number> | null> {
  const { rows } = await sql<{ extract_overrides: Record<string, number> | null }>`
    select extract_overrides from libraries where id = ${libraryId}`.execute(db);
  return rows[0]?.extract_overrides ?? null;
}

/** The current state of the file. Views are keyed by content hash only while the file is unchanged since the scan. */
async function readFileState(item: ItemRow): Promise<{ bytes: string; size: number }> {
  const file = await openItemFile(item.root_path, item.rel_path);
  await file.close();
  const asScanned = file.size === item.size && Math.floor(file.modified.getTime()) === Number(item.mtime_ms);
  return { size: file.size, bytes: asScanned && item.content_hash !== null ? item.content_hash : `${item.id} ${file.etag}` };
}

function pictureOf(view: ViewOutcome, missing: ErrorCode, reply: FastifyReply): Buffer {
  if (view.state === 'drawn' && view.picture) return view.picture;
  reply.removeHeader('etag').removeHeader('cache-control');
  if (view.state === 'drawn') throw problem(missing);
  if (view.state === 'failed') throw view.unreadable ? problem('file_gone') : problem(missing, view.message);
  throw problem('unavailable', 'Too many pictures are being drawn right now. Try again in a few seconds.', { retryAfter: 2 });
}

/** Aborts when the client disconnects before the response is sent. */
function disconnectSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort();
  });
  if (request.raw.destroyed && !request.raw.complete) disconnected.abort();
  return disconnected.signal;
}

const TextOut = Type.Object(
  {
    text: Type.String(),
    truncated: Type.Boolean({ description: 'The file has more text than is stored.' }),
    source: Type.Enum(['body', 'ocr', 'subtitles', 'members'], {
      description: 'Where the text comes from: the document itself, text recognition, subtitles, or names of archive members.',
    }),
  },
  { title: 'ItemText' },
);

interface Texts {
  body: string | null;
  ocr: string | null;
  members: string | null;
  body_cut: boolean;
  ocr_cut: boolean;
  members_cut: boolean;
}

/** Text needs the right to read content, not only to see the item. */
function textRoutes(app: App, { db }: Dependencies, readRemote: RemoteText): void {
  app.get(
    '/items/:item_id/text',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['content'],
        summary: 'Get the text of a file',
        description: 'The text of a file on another machine that is not stored is read on demand, for which the file is fetched.',
        params: Type.Object({ item_id: Id }),
        response: { 200: TextOut, 304: NoContent },
      },
    },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'search_content');
      const { rows } = await sql<Texts>`select body_text as body, metadata ->> 'ocr_text' as ocr, archive_members as members,
          metadata ? 'body_text_truncated' as body_cut, metadata ? 'ocr_text_truncated' as ocr_cut,
          coalesce((metadata #>> '{archive,truncated}')::boolean, false) as members_cut
        from items where id = ${item.id}`.execute(db);
      const stored = rows[0] && chooseText(rows[0], item.file_group);
      const read = stored || item.source_agent_id === null ? null : await readRemote(item, actorOf(request));
      const found = stored ?? (read && { ...read, source: item.file_group === 'subtitle' ? ('subtitles' as const) : ('body' as const) });
      if (!found) throw problem('no_text');
      const etag = `"${createHash('sha256').update(found.source).update(found.text).digest('base64url').slice(0, 22)}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      return found;
    },
  );
}

function chooseText({ members, body_cut, ocr_cut, members_cut, ...texts }: Texts, group: string) {
  const found = sourceText(texts);
  if (found?.source === 'ocr') return { ...found, truncated: ocr_cut };
  if (found) return { text: found.text, truncated: body_cut, source: group === 'subtitle' ? ('subtitles' as const) : found.source };
  return members?.trim() ? { text: members.trim(), truncated: members_cut, source: 'members' as const } : null;
}
