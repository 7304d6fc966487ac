import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id } from '../../platform/schemas.ts';
import { type OpenFile, openItemFile } from './open-file.ts';
import { findItem, type ItemRow } from './store.ts';

/** Keeps scripts in a file from running with the rights of the console. */
const fileSecurityPolicy =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/** Opens the file of an item on another machine. */
export type OpenRemoteFile = (item: ItemRow, actor: ReturnType<typeof actorOf>) => Promise<OpenFile>;

export function itemFileRoutes(app: App, { db }: Dependencies, openRemote: OpenRemoteFile): void {
  app.get(
    '/items/:item_id/file',
    {
      config: { scope: 'read', raw: true },
      schema: {
        tags: ['items'],
        summary: 'Download the file of an item (supports ranges)',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object({
          download: Type.Optional(Type.Boolean({ default: false, description: 'Send it as an attachment even if a browser can show it.' })),
        }),
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'download');
      const file = item.source_agent_id ? await openRemote(item, actorOf(request)) : await openItemFile(item.root_path, item.rel_path);
      return sendItemFile(request, reply, item, file, request.query.download ?? false);
    },
  );
}

/** Sends a file with headers that keep it from doing harm in a browser, in whole or in part. */
export async function sendItemFile(
  request: FastifyRequest,
  reply: FastifyReply,
  item: Pick<ItemRow, 'filename' | 'extension'>,
  file: OpenFile,
  download: boolean,
): Promise<unknown> {
  const { type, inline } = mediaType(item.extension);
  reply
    .type(type)
    .header('content-disposition', contentDisposition(item.filename, inline && !download))
    .header('content-security-policy', fileSecurityPolicy)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'private, no-cache')
    .header('accept-ranges', 'bytes')
    .header('etag', file.etag)
    .header('last-modified', file.modified.toUTCString());
  return sendFile(request, reply, file);
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenFile): Promise<unknown> {
  if (etagMatches(request.headers['if-none-match'], file.etag)) {
    await file.close();
    return reply.code(304).send();
  }
  const requested = rangeApplies(request.headers['if-range'], file) ? parseRange(request.headers.range, file.size) : null;
  if (requested === 'unsatisfiable') {
    await file.close();
    reply
      .removeHeader('content-disposition')
      .removeHeader('etag')
      .removeHeader('last-modified')
      .header('content-range', `bytes */${file.size}`);
    throw problem('range_not_satisfiable', `The range starts after the end of the file, which has ${file.size} bytes.`);
  }
  const range: HttpRange = requested ?? { start: 0, end: file.size - 1 };
  if (requested) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
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

/** A range applies only while the file is the one the client started to download (If-Range). */
function rangeApplies(header: string | string[] | undefined, file: OpenFile): boolean {
  if (header === undefined) return true;
  const given = String(header).trim();
  return given.startsWith('"') ? given === file.etag : given === file.modified.toUTCString();
}

interface HttpRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * Parses a Range header. Null means to send the whole body: no header, another unit, several ranges or an invalid value, all of which a
 * server may ignore. `unsatisfiable` means that the range starts after the end.
 */
export function parseRange(header: string | undefined, size: number): HttpRange | 'unsatisfiable' | null {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end };
}

/** Types a browser may display inline. Types that can contain scripts (HTML, SVG, PDF) are always downloaded. */
const inlineTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  weba: 'audio/webm',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
};

/** Displayed as plain text; with nosniff set, a browser does not run their content. */
const textExtensions = new Set(
  'txt text log md markdown rst csv tsv json jsonl ndjson yaml yml toml ini cfg conf srt vtt nfo diff patch c h cpp hpp py rb rs go java kt ts tsx jsx sh sql'.split(
    ' ',
  ),
);

const downloadTypes: Record<string, string> = {
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  epub: 'application/epub+zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

export function mediaType(extension: string | null): { type: string; inline: boolean } {
  const key = extension ?? '';
  const inlineType = Object.hasOwn(inlineTypes, key) ? inlineTypes[key] : undefined;
  if (inlineType !== undefined) return { type: inlineType, inline: true };
  if (textExtensions.has(key)) return { type: 'text/plain; charset=utf-8', inline: true };
  return { type: (Object.hasOwn(downloadTypes, key) ? downloadTypes[key] : undefined) ?? 'application/octet-stream', inline: false };
}

/** RFC 6266: an ASCII name for old clients and the full name for all others. */
export function contentDisposition(filename: string, inline: boolean): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
