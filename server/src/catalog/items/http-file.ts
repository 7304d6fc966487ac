import { callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id } from '../../platform/schemas.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type HttpRange, parseRange } from './byte-range.ts';
import { contentDisposition, mediaType } from './media-types.ts';
import { type OpenFile, openItemFile } from './open-file.ts';
import { findItem } from './store.ts';

/** Whatever the file holds, it may not run anything with the rights of our origin. */
const fileSecurityPolicy =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

export function itemFileRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/items/:item_id/file',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags: ['items'],
        summary: 'The bytes of the file; ranges are answered',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({ download: Type.Optional(Type.Boolean({ default: false, description: 'Always as a download.' })) }),
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'download');
      if (item.source_agent_id) throw problem('library_agent_owned');
      const file = await openItemFile(item.root_path, item.rel_path);
      const { type, inline } = mediaType(item.extension);
      reply
        .type(type)
        .header('content-disposition', contentDisposition(item.filename, inline && !request.query.download))
        .header('content-security-policy', fileSecurityPolicy)
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'private, no-cache')
        .header('accept-ranges', 'bytes')
        .header('etag', file.etag)
        .header('last-modified', file.modified.toUTCString());
      return sendFile(request, reply, file);
    },
  );
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenFile): Promise<unknown> {
  if (etagMatches(request.headers['if-none-match'], file.etag)) {
    await file.close();
    return reply.code(304).send();
  }
  const asked = rangeApplies(request.headers['if-range'], file) ? parseRange(request.headers.range, file.size) : null;
  if (asked === 'unsatisfiable') {
    await file.close();
    reply
      .removeHeader('content-disposition')
      .removeHeader('etag')
      .removeHeader('last-modified')
      .header('content-range', `bytes */${file.size}`);
    throw problem('range_not_satisfiable', `The file has ${file.size} bytes; the range begins behind its end.`);
  }
  const range: HttpRange = asked ?? { start: 0, end: file.size - 1 };
  if (asked) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  reply.header('content-length', String(range.end - range.start + 1));
  if (request.method === 'HEAD' || file.size === 0) {
    await file.close();
    return reply.send(Readable.from([]));
  }
  return reply.send(Readable.from(file.read(range.start, range.end), { objectMode: false }));
}

function etagMatches(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag));
}

/** A range is only for the file the client has begun with. */
function rangeApplies(header: string | string[] | undefined, file: OpenFile): boolean {
  if (header === undefined) return true;
  const given = String(header).trim();
  return given.startsWith('"') ? given === file.etag : given === file.modified.toUTCString();
}
